#!/bin/sh
# Two GPUs of this machine: launch/two-gpu.sh [apsp options] GRAPH [DISTANCES]
#
# The results of `apsp --gpus 2 ...`, by mpirun: one process for each GPU, in place of one thread.
# mpirun binds none, because every rank takes the cores near its GPU by itself. GPUS=4 takes four.

set -eu

apsp=${APSP:-$(dirname "$0")/../build/apsp}
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# Each word behind the program's name is marked: mpirun would take `:`, and some options, for its
# own (man apsp, --quoted).
for word; do
    set -- "$@" "=$word"
    shift
done
exec mpirun -n "${GPUS:-2}" --oversubscribe --bind-to none "$apsp" --quoted =--device =gpu "$@"
