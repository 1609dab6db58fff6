#!/bin/sh
# What --estimate says of a rank's memory beside the most that a rank has held: BUILD=build sh bench/memory.sh [N].
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
n=${1:-8000}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# line NAME RANKS OPTIONS...: by $method
method=dense
line() {
    name=$1 ranks=$2
    shift 2
    estimate=$(mpirun --oversubscribe -n "$ranks" "$BUILD/apsp" --device cpu --method "$method" --force --estimate "$@" | awk '/^memory of a rank/ { print $7 }')
    mpirun --oversubscribe -n "$ranks" "$BUILD/bench/peak" "$BUILD/apsp" --device cpu --method "$method" --quiet --force "$@" 2>"$work/peaks"
    sort -k 2 -n -r "$work/peaks" | awk -v name="$name" -v estimate="$estimate" '
        /^peak/ && !done { printf "%-28s %10.1f %10.1f %8.3f\n", name, estimate, $2, estimate / $2; done = 1 }'
}

"$BUILD/apsp-gen" random -n "$n" -s 1 -o "$work/graph.bin"
"$BUILD/apsp-gen" random -n "$n" -s 1 -w 0:100 --potential 1000 -o "$work/negative.mtx"
"$BUILD/apsp-gen" random -n 3000 -m 8000000 -s 1 -w 0:100 --potential 50 -o "$work/heavy.mtx"
graph=$work/graph.bin
printf '# n = %s\n#%27s %10s %10s %8s\n' "$n" run "estimate" "peak, MiB" ratio
line "one rank" 1 "$graph" "$work/out"
line "one rank, i32" 1 --dtype i32 "$graph" "$work/out"
line "two ranks" 2 "$graph" "$work/out"
line "two ranks, host" 2 --transport host "$graph" "$work/out"
line "one rank, --verify=all" 1 --verify=all "$graph"
line "two ranks, --verify" 2 --verify "$graph" "$work/out"
line "one rank, --predecessors" 1 --predecessors "$work/trees" "$graph"
line "two ranks, --predecessors" 2 --predecessors "$work/trees" "$graph" "$work/out"
line "one rank, negative weights" 1 "$work/negative.mtx" "$work/out"
line "n = 3,000, 8 M edges" 1 "$work/heavy.mtx"
line "the same on two ranks" 2 "$work/heavy.mtx"
method=sparse
"$BUILD/apsp-gen" grid -n 1000000 -s 1 -o "$work/grid.gr"
line "grid, 1,000,000, 64 sources" 1 --sources 1-64 --stats "$work/stats.csv" "$work/grid.gr"
line "grid, 64 rows to a file" 1 --sources 1-64 "$work/grid.gr" "$work/rows"
"$BUILD/apsp-gen" grid -n 126025 -s 1 -o "$work/small.gr"
"$BUILD/apsp-gen" rmat -n 16384 -d 8 -s 1 -o "$work/rmat.gr"
line "grid, 126,025, 64 sources" 1 --sources 1-64 --stats "$work/stats.csv" "$work/small.gr"
line "rmat, 16,384, 64 sources" 1 --sources 1-64 --stats "$work/stats.csv" "$work/rmat.gr"
[ -z "${GRAPH:-}" ] || line "$(basename "$GRAPH"), 64 sources" 1 --sources 1-64 --stats "$work/stats.csv" "$GRAPH"
