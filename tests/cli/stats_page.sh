#!/bin/sh
# --stats FILE.html: refusals; then stats_page.py, with the Python PYTHON (default python3).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

"$BUILD/apsp-gen" rmat -n 300 -d 6 -w 1:1 -o "$scratch/graph.bin"
beside() {
    "$BUILD/apsp" --quiet --device cpu --stats "$scratch/all.html" --plot "$scratch/plot.svg" \
        --betweenness "$scratch/values.csv" --diameter "$scratch/diameter.json" \
        "$scratch/graph.bin" "$scratch/rows.i32" && [ -s "$scratch/plot.svg" ] &&
        "$BUILD/apsp" --quiet --device cpu --stats "$scratch/alone.html" "$scratch/graph.bin" &&
        cmp "$scratch/all.html" "$scratch/alone.html"
}
check "page: beside others, the same" beside
# Each counts a histogram.
plotted() {
    for method in dense sparse sssp; do
        "$BUILD/apsp" --quiet --device cpu --force --method $method --stats "$scratch/all.html" \
            --plot "$scratch/plot.svg" "$scratch/graph.bin" &&
            "$BUILD/apsp" --quiet --device cpu --force --method $method \
                --plot "$scratch/alone.svg" "$scratch/graph.bin" &&
            cmp "$scratch/plot.svg" "$scratch/alone.svg" || return 1
    done
}
check "page: a drawing beside it, the same" plotted
"$BUILD/apsp" --stats "$scratch/none.svg" "$scratch/graph.bin" 2>"$scratch/log"
check "page: another suffix" grep -q 'use one of .json .csv .txt .html' "$scratch/log"
"$BUILD/apsp" --quiet --device cpu --checkpoint "$scratch/states" --stats "$scratch/none.html" \
    --method sparse "$scratch/graph.bin" 2>"$scratch/log"
check "page: a checkpoint cannot hold it" grep -q "none.html" "$scratch/log"

"${PYTHON:-python3}" tests/cli/stats_page.py "$BUILD/apsp" "$scratch"
check "page: as the other files" [ $? -eq 0 ]
finish
