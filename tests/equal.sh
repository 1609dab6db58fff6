#!/bin/sh
# The same files as another state of the project: `sh tests/equal.sh COMMIT` builds that state and this one for the CPU
# and compares distances (raw and .npy) and predecessors, byte by byte, on graphs of all families and types.
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: sh tests/equal.sh COMMIT" >&2; exit 2; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'git worktree remove --force "$work/tree" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

git worktree add -q --detach "$work/tree" "$1"
make -s -C "$work/tree" -j"$(nproc)" GPU=none BUILD="$work/old"
make -s -j"$(nproc)" GPU=none BUILD="$work/new"
same=0 different=0

# solve BUILD RANKS GRAPH OPTIONS...: its files beside each other.
solve() {
    build=$work/$1 ranks=$2 graph=$3
    shift 3
    for suffix in .npy .bin; do
        rm -f "$build.out$suffix" "$build.tree$suffix"
        "$build/apsp" --quiet --device cpu --ranks "$ranks" "$@" --verify --predecessors "$build.tree$suffix" \
            "$graph" "$build.out$suffix" 2>"$build.error$suffix" || echo "exit $?" >>"$build.error$suffix"
    done
}

# compare RANKS GRAPH OPTIONS...
compare() {
    solve old "$@"
    solve new "$@"
    for file in out.npy out.bin tree.npy tree.bin; do
        if [ -e "$work/old.$file" ] && [ -e "$work/new.$file" ]; then
            cmp -s "$work/old.$file" "$work/new.$file"
        else
            [ ! -e "$work/old.$file" ] && [ ! -e "$work/new.$file" ]
        fi && same=$((same + 1)) || { different=$((different + 1)); echo "DIFFERENT: $file, ranks and graph $*"; }
    done
}

# make_graph NAME.SUFFIX FAMILY ARGUMENTS...
make_graph() {
    file=$work/$1
    shift
    "$work/new/apsp-gen" "$@" -o "$file" --force
}

graphs=0
seed=1
for family in random dense grid rmat path star disconnected zero; do
    for n in 1 7 150 401; do
        for suffix in bin gr mtx; do
            [ "$suffix" = mtx ] || [ "$n" -eq 401 ] || [ $((seed % 2)) -eq 0 ] || { seed=$((seed + 1)); continue; }
            seed=$((seed + 1))
            make_graph "graph.$suffix" "$family" -n "$n" -s "$seed" 2>/dev/null || continue
            graphs=$((graphs + 1))
            compare $((seed % 3 + 1)) "$work/graph.$suffix"
        done
    done
    make_graph graph.mtx "$family" -n 120 -s "$seed" -w 0:50 --potential 900
    compare 2 "$work/graph.mtx"
    make_graph graph.mtx "$family" -n 120 -s "$seed" -w 0.00:50.25 --potential 90
    compare 1 "$work/graph.mtx"
    graphs=$((graphs + 2))
done
make_graph graph.bin grid -n 300 -w 1:9 -s 4
for type in u16 i32 i64 f32 f64; do
    compare 1 "$work/graph.bin" --dtype $type
    compare 2 "$work/graph.bin" --dtype $type
    graphs=$((graphs + 1))
done
awk 'BEGIN { srand(3); n = 200; print "%%MatrixMarket matrix coordinate integer symmetric\n" n, n, 3 * n
    for (e = 0; e < 3 * n; e++) { u = int(rand() * n); v = int(rand() * (u + 1)); print u + 1, v + 1, int(rand() * 90) } }' >"$work/graph.mtx"
compare 3 "$work/graph.mtx"
printf '%d graphs: %d files the same, %d different\n' $((graphs + 1)) "$same" "$different"
[ "$different" -eq 0 ]
