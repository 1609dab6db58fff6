#!/bin/sh
# Ranks as threads under ThreadSanitizer: BUILD=build/tsan sh tests/races.sh. Each rank has one
# thread. OpenMP's runtime is not instrumented, so races inside of it are not looked at.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
export OMP_NUM_THREADS=1 TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1 exitcode=66"

"$BUILD/apsp-gen" random -n 200 -d 4 -s 1 -o "$scratch/random.bin"
"$BUILD/apsp-gen" grid -n 900 -s 1 -w 1:1000 -o "$scratch/grid.gr"
"$BUILD/apsp-gen" random -n 150 -s 2 -w 0:20 --potential 40 -o "$scratch/negative.mtx"

# clean RANKS GRAPH ARGUMENTS...
clean() {
    ranks=$1 graph=$2
    shift 2
    timeout 300 "$BUILD/apsp" --ranks "$ranks" --threads 1 --quiet --force --json "$scratch/json" \
        "$@" "$scratch/$graph" "$scratch/out.npy" >"$scratch/told" 2>&1 && return
    sed 's/^/# /' "$scratch/told" | head -n 40
    return 1
}

for graph in random.bin grid.gr negative.mtx; do
    for ranks in 2 3; do
        check "races: dense, direct, $graph, $ranks ranks" clean $ranks $graph --verify=all \
            --method dense --transport direct
        check "races: dense, host, $graph, $ranks ranks" clean $ranks $graph --verify=all \
            --method dense --transport host --tile 7 --ranks-per-node 2
        check "races: sparse, $graph, $ranks ranks" clean $ranks $graph --verify=all \
            --method sparse --stats "$scratch/stats.json" --count all
    done
done
check "races: checkpoints" clean 3 grid.gr --method dense --tile 32 --checkpoint "$scratch/saved" \
    --checkpoint-every 0.0000001
check "races: trees and betweenness" clean 3 grid.gr --predecessors "$scratch/trees.npy" \
    --betweenness "$scratch/between.csv"
check "races: all calls of the ranks" "$BUILD/tests/comm/test_threads"
check "races: a solution of the library with ranks" "$BUILD/tests/library/test_team"
finish
