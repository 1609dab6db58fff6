#!/bin/sh
# Two GPUs of this machine: launch/two-gpu.sh [apsp options] GRAPH [DISTANCES]
#
# The same as `apsp --gpus 2 ...`, spelled out: one rank for each GPU, and no binding by mpirun, because every rank takes the cores
# near its GPU by itself. GPUS=4 takes four.

set -eu

apsp=${APSP:-$(dirname "$0")/../build/apsp}
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# Each word behind the program's name is marked: mpirun would take `:`, and some options, for its own (man apsp, --quoted).
for word; do
    set -- "$@" "=$word"
    shift
done
exec mpirun -n "${GPUS:-2}" --oversubscribe --bind-to none "$apsp" --quoted =--device =gpu "$@"
