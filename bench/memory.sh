#!/bin/sh
# What --estimate says of a rank's memory beside the most that a rank has held: [GRAPH=FILE]
# BUILD=build sh bench/memory.sh [N].
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
    estimate=$(mpirun --oversubscribe -n "$ranks" "$BUILD/apsp" --device cpu --method "$method" \
        --force --estimate --json - "$@" 2>"$work/text" |
        awk '/"rank":/ { sub(/.*: */, ""); print $1 / 1048576 }')
    mpirun --oversubscribe -n "$ranks" "$BUILD/bench/peak" "$BUILD/apsp" --device cpu \
        --method "$method" --quiet --force "$@" 2>"$work/peaks"
    sort -k 2 -n -r "$work/peaks" | awk -v name="$name" -v estimate="$estimate" '
        /^peak/ && !done { printf "%-36s %10.1f %10.1f %8.3f\n", name, estimate, $2, estimate / $2;
            done = 1 }'
}

"$BUILD/apsp-gen" random -n "$n" -s 1 -o "$work/graph.bin"
"$BUILD/apsp-gen" random -n "$n" -s 1 -w 0:100 --potential 1000 -o "$work/negative.mtx"
"$BUILD/apsp-gen" random -n 3000 -m 8000000 -s 1 -w 0:100 --potential 50 -o "$work/heavy.mtx"
graph=$work/graph.bin
printf '# n = %s\n#%35s %10s %10s %8s\n' "$n" run "estimate" "peak, MiB" ratio
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
# sparse NAME OPTIONS...: statistics, on one rank and on two.
sparse() {
    name=$1
    shift
    line "$name" 1 --stats "$work/stats.csv" "$@"
    line "$name, two ranks" 2 --stats "$work/stats.csv" "$@"
}
for size in 126025 1000000; do
    "$BUILD/apsp-gen" grid -n $size -s 1 --force -o "$work/grid.gr"
    sparse "grid $size, 64 rows" --sources 1-64 "$work/grid.gr"
    [ $size -gt 126025 ] || sparse "the same, f64" --dtype f64 --sources 1-64 "$work/grid.gr"
done
line "the last, rows to a file" 1 --sources 1-64 "$work/grid.gr" "$work/rows"
awk -v k=46 'BEGIN { srand(1); print "p sp", k * k * k, 6 * k * k * (k - 1)
    for (v = 0; v < k * k * k; v++)
        for (step = 1; step < k * k * k; step *= k)
            if (int(v / step) % k < k - 1)
                print "a", v + 1, v + step + 1, int(1000 * rand()) "\na", v + step + 1, v + 1,
                    int(1000 * rand()) }' >"$work/cube.gr"
for type in u16 i32; do
    sparse "cube 97336 $type, 64 rows" --dtype $type --sources 1-64 "$work/cube.gr"
done
"$BUILD/apsp-gen" rmat -n 16384 -d 8 -s 1 -o "$work/rmat-16384.gr"
"$BUILD/apsp-gen" rmat -n 65536 -d 8 -s 1 -o "$work/rmat-65536.gr"
"$BUILD/apsp-gen" random -n 16384 -d 4 -s 1 -o "$work/random-16384.gr"
for family in rmat-16384 rmat-65536 random-16384; do
    sparse "$family, 64 rows" --sources 1-64 "$work/$family.gr"
    sparse "$family, all" "$work/$family.gr"
done
sparse "the last, f64" --dtype f64 "$work/random-16384.gr"
method=sssp
for size in 16384 65536; do
    "$BUILD/apsp-gen" rmat -n $size -d 8 -w 1:1 -s 1 -o "$work/equal.gr" --force
    line "rmat-$size, weights 1, counts" 1 --stats "$work/stats.csv" "$work/equal.gr"
    line "the same, rows" 1 --verify=64 --stats "$work/stats.csv" "$work/equal.gr"
done
method=sparse
[ -z "${GRAPH:-}" ] || sparse "$(basename "$GRAPH"), 64 rows" --sources 1-64 "$GRAPH"
[ -z "${GRAPH:-}" ] || sparse "$(basename "$GRAPH"), all" "$GRAPH"
