#!/bin/sh
# Betweenness where all edges have one weight: searches on a GPU give the bytes of those on cores.
# BUILD=build sh tests/gpu/betweenness.sh
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
gpus=$("$BUILD/tests/gpu/kernels" count)
[ "${gpus:-0}" -ge 1 ] || { echo "skip gpu betweenness: no GPU"; exit 77; }
if [ -z "${EMULATED-}" ]; then
    sizes='1 2 65 1000 3001' star=20000 chain=3000
else # tests/emulated/
    sizes='1 65 300' star=2500 chain=150
fi
graph=$scratch/graph.bin
[ ! -x "$BUILD/tests/rows/test_betweenness" ] ||
    check "gpu: betweenness whose plan names no GPU" "$BUILD/tests/rows/test_betweenness"

# between DEVICE OUT OPTIONS...
between() {
    device=$1 out=$2
    shift 2
    $how "$BUILD/apsp" --no-progress --force --quiet --device "$device" --betweenness "$out" "$@"
}

# alike OPTIONS...
how=
alike() {
    between gpu "$scratch/gpu.csv" "$@" && between cpu "$scratch/cpu.csv" "$@" &&
        cmp "$scratch/gpu.csv" "$scratch/cpu.csv"
}

# all NAME OPTIONS...: vertices, edges, ends, and some pairs.
all() {
    name=$1
    shift
    check "gpu: betweenness, $name" alike "$@"
    check "gpu: betweenness, $name, edges" alike --betweenness-edges "$@"
    check "gpu: betweenness, $name, ends, near ones" alike --betweenness-ends \
        --betweenness-within 3 "$@"
}

for n in $sizes; do
    for family in random grid rmat; do
        "$BUILD/apsp-gen" $family -n "$n" -w 1:1 -s "$n" -o "$graph" --force 2>/dev/null || continue
        all "$family of $n, directed" "$graph"
        all "$family of $n" --undirected "$graph"
    done
done
check "gpu: betweenness, from some to some" alike --sources 3-50,60 --targets 1,7-40 "$graph"

# A hub whose list has segments, beside others that have few neighbours.
awk -v n=$star 'BEGIN {
    srand(3); print "from,to"
    for (i = 1; i < n; i++) { print 0 "," i; print i "," int(rand() * n) } }' >"$scratch/hub.csv"
all "a hub" --undirected --sources 0-99 "$scratch/hub.csv"
all "a hub, directed" --sources 0-99 "$scratch/hub.csv"
all "to a hub" --reverse --sources 0-99 "$scratch/hub.csv"
# Many levels, with a few vertices each.
awk -v n=$chain 'BEGIN { print "from,to"; for (i = 1; i < n; i++) print i "," i + 1 }' \
    >"$scratch/chain.csv"
all "a chain" --undirected --sources 1-70 "$scratch/chain.csv"
# 2^1000 shortest paths: they are counted on cores.
awk 'BEGIN {
    print "from,to"
    for (i = 0; i < 1000; i++)
        for (side = 1; side < 3; side++) {
            print 3 * i "," 3 * i + side; print 3 * i + side "," 3 * i + 3 } }' >"$scratch/many.csv"
[ -n "${EMULATED-}" ] ||
    check "gpu: betweenness, more paths than a real counts" alike --sources 0-9 "$scratch/many.csv"
how="mpirun --oversubscribe -n 2"
check "gpu: betweenness, two ranks" alike --share-gpus --undirected "$graph"
finish
