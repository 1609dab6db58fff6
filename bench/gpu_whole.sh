#!/bin/sh
# Whole runs on one GPU, file to file, beside what cannot be avoided: the solve, and 1.25 times the start of an empty MPI and GPU
# program plus the writing of the same bytes with the same threads.
# Usage: [N="20000 40000"] [RUNS=3] [BUILD=build] bench/gpu_whole.sh [DIRECTORY in memory]
set -eu

N=${N:-20000 40000} RUNS=${RUNS:-3} BUILD=${BUILD:-build}
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
dir=$(mktemp -d "${1:-/dev/shm}/bench-whole.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

# seconds COMMAND...: its wall time.
seconds() {
    from=$(date +%s.%N)
    "$@" >"$dir/log"
    echo "$from $(date +%s.%N)" | awk '{ printf "%.3f\n", $2 - $1 }'
}

# median COMMAND...: of what it prints, in RUNS runs after a warm-up.
median() {
    "$@" >/dev/null
    i=0
    while [ "$i" -lt "$RUNS" ]; do
        "$@"
        i=$((i + 1))
    done | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}

# field NAME: a number of the last report.
field() {
    grep -o "\"$1\":[[:space:]]*[0-9.e+-]*" "$dir/json" | head -n 1 | sed "s/.*:[[:space:]]*//"
}

start=$(median seconds "$BUILD/bench/whole_gpu" start)
echo "# start of an empty MPI and GPU program: $start s"
printf '#%7s %8s %8s %8s %8s %8s %8s %8s %8s\n' n whole read build solve write output limit ratio
for n in $N; do
    "$BUILD/apsp-gen" random -n "$n" -m $((8 * n)) -w 1:1000 -s 1 -o "$dir/graph.bin" --force
    whole=$(median seconds "$BUILD/apsp" --device gpu --force --json "$dir/json" "$dir/graph.bin" "$dir/out")
    rm -f "$dir/out"
    output=$(median "$BUILD/bench/whole_gpu" write "$n" "$dir/out")
    rm -f "$dir/out"
    echo "$n $whole $(field read) $(field build) $(field solve) $(field write) $output $start" | awk '{
        limit = $5 + 1.25 * ($8 + $7)
        printf "%8d %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", $1, $2, $3, $4, $5, $6, $7, limit, $2 / limit }'
done
