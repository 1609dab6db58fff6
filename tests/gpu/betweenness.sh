#!/bin/sh
# Betweenness on a GPU gives the bytes of that on cores: from searches where all edges have one
# weight, else from rows that stay there.
# BUILD=build sh tests/gpu/betweenness.sh
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
gpus=$("$BUILD/tests/gpu/kernels" count)
[ "${gpus:-0}" -ge 1 ] || { echo "skip gpu betweenness: no GPU"; exit 77; }
if [ -z "${EMULATED-}" ]; then
    sizes='1 2 65 1000 3001' rows='61 1000 4200' star=20000 chain=3000
else # tests/emulated/
    sizes='1 65 300' rows='61 120' star=2500 chain=150
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
cp "$graph" "$scratch/equal.bin"

# Rows of weights, of every type, with ties. The bytes of cores, while paths are at most 2^53.
rows() {
    what=$1
    shift
    all "rows, $what" "$@"
    for of in edges ends; do
        check "gpu: betweenness, rows, $what, $of, from some to some" alike --betweenness-$of \
            --betweenness-within 7 --sources 3-20,60 --targets 1,7-40 "$@"
    done
}
sparse=
! "$BUILD/apsp" --quiet --method sparse testcases/stored/c09.bin >/dev/null 2>&1 || sparse=sparse
for n in $rows; do
    for family in random grid rmat; do
        "$BUILD/apsp-gen" $family -n "$n" -w 1:4 -s "$n" -o "$graph" --force 2>/dev/null || continue
        for method in dense $sparse; do
            rows "$family of $n, $method, directed" --method $method "$graph"
            rows "$family of $n, $method" --method $method --undirected "$graph"
        done
    done
done
for type in u16 i32 i64; do
    for method in dense $sparse; do
        check "gpu: betweenness, rows, $method, $type" alike --method $method --output-type $type \
            --betweenness-edges "$graph"
    done
done
check "gpu: betweenness, rows, beside other results" alike --method dense --verify=all \
    --stats "$scratch/stats.csv" "$graph"
for other in stress load; do
    check "gpu: betweenness, rows, $other" alike --method dense --betweenness-$other "$graph"
done
"$BUILD/apsp-gen" random -n 90 -w 0.05:1.00 -s 3 -o "$scratch/real.mtx" --force
check "gpu: betweenness, rows of decimals" alike --method dense --dtype f64 "$scratch/real.mtx"
# Lists of a warp, beside others that have few arcs, and parallel arcs.
awk -v n=$star 'BEGIN {
    srand(3); print "from,to,weight"
    for (i = 1; i < n; i++) {
        print 0 "," i "," 1 + int(rand() * 3); print i "," int(rand() * n) "," 1 + int(rand() * 3)
        print i "," int(rand() * n) "," 2; print 0 "," i "," 1 + int(rand() * 3) } }' \
    >"$scratch/hub.csv"
if [ "$sparse" ]; then
    rows "a hub" --method sparse --undirected --sources 0-20 "$scratch/hub.csv"
    rows "a hub, directed" --method sparse --sources 0-20 "$scratch/hub.csv"
    rows "to a hub" --method sparse --reverse --sources 0-20 "$scratch/hub.csv"
    # More levels than a GPU takes.
    awk 'BEGIN {
        print "from,to,weight"
        for (i = 0; i < 4500; i++) print i "," i + 1 "," i % 9 + 1 }' >"$scratch/deep.csv"
    check "gpu: betweenness, rows, deep ones" alike --method sparse --undirected \
        --sources 0,2000 "$scratch/deep.csv"
    # 2^1000 shortest paths: rows of the first sources are for cores, those of later ones not.
    awk 'BEGIN {
        print "from,to,weight"
        for (i = 0; i < 1000; i++)
            for (side = 1; side < 3; side++) {
                print 3 * i "," 3 * i + side ",2"; print 3 * i + side "," 3 * i + 3 ",3" } }' \
        >"$scratch/many.csv"
    check "gpu: betweenness, rows, more paths than a real counts" alike --method sparse \
        --betweenness-edges --sources 0-4,200-202,2980-3000 "$scratch/many.csv"
fi
# Cores search where the rows leave no room for the graph, and where they leave none for a worker.
if [ "${EMULATED-}" ] && [ "$sparse" ]; then
    "$BUILD/apsp-gen" rmat -n 1000 -w 1:1 -s 65 -o "$scratch/room.bin"
    for bytes in 570000 800000; do
        EMULATED_LEAKS=1 EMULATED_MEMORY=$bytes check "gpu: betweenness, a device of $bytes bytes" \
            alike --method sparse --betweenness-edges "$scratch/room.bin"
    done
fi
how="mpirun --oversubscribe -n 2"
check "gpu: betweenness, rows, two ranks" alike --share-gpus --method dense --betweenness-edges \
    --undirected "$graph"
check "gpu: betweenness, two ranks" alike --share-gpus --undirected "$scratch/equal.bin"
finish
