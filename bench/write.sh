#!/bin/sh
# Writes 4 N^2 bytes with output.c and with dd conv=fsync into the same directory, alternating; see
# write.c. Usage: [N=20000] [PAIRS=5] [RANKS=1] [BUILD=build] bench/write.sh [DIRECTORY]
set -eu

N=${N:-20000} PAIRS=${PAIRS:-5} RANKS=${RANKS:-1} BUILD=${BUILD:-build}
dir=$(mktemp -d "${1:-$BUILD}/bench-write.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
export APSP_MPI_MODULE="$BUILD/libapsp_mpi.so"
mpirun --oversubscribe -n "$RANKS" "$BUILD/bench/write" "$N" "$dir" "$PAIRS"
