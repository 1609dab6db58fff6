#!/bin/sh
# The steps of the sparse engine on generated graphs, and on that of GRAPH if it is given, with the
# processor's ceiling in the same run. Needs 2 idle cores.
set -eu
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

measure() { # NAME FILE [OPTION...]
    printf '# %s\n' "$1"
    file=$2
    shift 2
    "$BUILD/bench/sparse" "$@" "$file"
}

echo "# ceiling, i32, 2 threads: $("$BUILD/bench/ceiling_cpu" avx512 2 i32 2>/dev/null ||
    "$BUILD/bench/ceiling_cpu" plain 2 i32) G relaxations/s"
for size in 126025 1000000; do
    "$BUILD/apsp-gen" grid -n $size -s 1 --force -o "$work/grid.gr" >/dev/null
    measure "grid with gaps, $size vertices" "$work/grid.gr" -s 2000
done
"$BUILD/apsp-gen" lattice -n 126025 -s 1 --force -o "$work/grid.gr" >/dev/null
measure "full grid, 126025 vertices" "$work/grid.gr" -s 2000
for family in rmat random; do
    "$BUILD/apsp-gen" $family -n 16384 -d 8 -s 1 --force -o "$work/$family.gr" >/dev/null
    measure "$family, 16,384 vertices, degree 8" "$work/$family.gr" -s 2000
done
[ -z "${GRAPH:-}" ] || measure "$GRAPH" "$GRAPH"
