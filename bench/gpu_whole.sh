#!/bin/sh
# Whole runs on one GPU or several, file to file, beside what cannot be avoided: the solve, and 1.25
# times the start of an empty GPU program plus the writing of the same bytes with the same threads.
# Usage: [N="20000 40000"] [GPUS=1] [RUNS=3] [BUILD=build] bench/gpu_whole.sh [DIRECTORY in memory]
set -eu

N=${N:-20000 40000} GPUS=${GPUS:-1} RUNS=${RUNS:-3} BUILD=${BUILD:-build}
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

where="--device gpu"
[ "$GPUS" -eq 1 ] || where="--gpus $GPUS"
start=$(median seconds "$BUILD/bench/whole_gpu" start)
echo "# start of an empty GPU program: $start s"
printf '#%7s %4s %8s %8s %8s %8s %8s %8s %8s %8s\n' n type whole read build solve write output \
    limit ratio
for n in $N; do
    "$BUILD/apsp-gen" random -n "$n" -m $((8 * n)) -w 1:1000 -s 1 -o "$dir/graph.bin" --force
    output=$(median "$BUILD/bench/whole_gpu" write "$n" "$dir/out")
    rm -f "$dir/out"
    for type in i32 auto; do
        whole=$(median seconds "$BUILD/apsp" $where --dtype $type --force --json "$dir/json" \
            "$dir/graph.bin" "$dir/out")
        rm -f "$dir/out"
        echo "$n $type $whole $(field read) $(field build) $(field solve) $(field \
            write) $output $start" | awk '{
            limit = $6 + 1.25 * ($9 + $8)
            printf "%8d %4s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", $1, $2, $3, $4, $5,
                $6, $7, $8, limit, $3 / limit }'
    done
done
