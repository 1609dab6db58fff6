#!/bin/sh
# How long a run takes that has nothing to do: BUILD=build sh bench/start.sh [RUNS], by default 20.
# --version; a graph of two vertices and one edge on the CPU, by one rank, also where the libraries
# of formats are missing, and by two; beside two ranks what mpirun alone takes, and MPI alone. The
# runs of the cases alternate; the median counts. Exit 1 if one rank takes more than 20 ms. Needs 2
# idle cores, and the right to mount.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
runs=${1:-20}
. tests/common.sh
work=$scratch
[ "$runs" != bare ] || work=$2 # of the run that calls this one

printf '\2\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0' >"$work/two.bin"
mpirun="mpirun --oversubscribe --bind-to none -n 2"
# as src/cli/launch.c does
local="env OMPI_MCA_pml=ob1 HWLOC_PLUGINS_PATH=/nonexistent OMPI_MCA_mpi_yield_when_idle=1"

# measure NUMBER COMMAND...: one run, its milliseconds into a file.
measure() {
    number=$1
    shift
    from=$(date +%s%N)
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    echo "$from $(date +%s%N)" | awk '{ printf "%.1f\n", ($2 - $1) / 1e6 }' >>"$work/$number"
}

# show NUMBER NAME
show() {
    sort -n "$work/$1" | awk -v name="$2" '
        { t[NR] = $1 }
        END { printf "%-44s %8.1f %8.1f %8.1f\n", name, t[1],
            (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2, t[NR] }'
}

# This script again, where there are no libraries of formats.
if [ "$runs" = bare ]; then
    measure 6 "$BUILD/apsp" --device cpu --quiet "$work/two.bin"
    exit
fi

# shellcheck disable=SC2086 # words
for _ in $(seq "$runs"); do
    measure 0 "$BUILD/apsp" --version
    measure 1 "$BUILD/apsp" --device cpu --quiet "$work/two.bin"
    without "$(late_libraries)" sh bench/start.sh bare "$work"
    measure 2 "$BUILD/apsp" --device cpu --quiet --ranks 2 "$work/two.bin"
    measure 3 $mpirun true
    measure 4 $mpirun "$BUILD/bench/start_mpi"
    measure 5 $local $mpirun "$BUILD/bench/start_mpi"
done
echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/'); $runs runs"
printf '%-44s %8s %8s %8s\n' '# milliseconds' lowest median highest
show 0 "apsp --version"
show 1 "apsp, one rank"
show 6 "the same without libraries of formats"
show 2 "apsp --ranks 2"
show 3 "mpirun -n 2 true"
show 4 "mpirun -n 2, MPI_Init and MPI_Finalize"
show 5 "the same as --ranks starts it"
show 1 "" | awk '{ exit $2 > 20 }'
