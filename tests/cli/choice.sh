#!/bin/sh
# The engine that `auto` takes, where the kind of graph decides: no searches side by side on graphs
# of many narrow levels.
cd "$(dirname "$0")/../.."
. tests/common.sh

# solver OPTION...: the line of the report, to $scratch/solver.
solver() {
    timeout 100 "$BUILD/apsp" --force --no-progress --device cpu "$@" --stats "$scratch/stats.csv" \
        "$scratch/graph.bin" >"$scratch/log" 2>&1
    sed -n 's/^# solver *//p' "$scratch/log" >"$scratch/solver"
}

"$BUILD/apsp-gen" grid -n 40000 -s 1 -o "$scratch/graph.bin" --force >/dev/null
solver --unweighted --sources random:100
check "a grid: 100 sources are not searched side by side" \
    grep -q -e 'one source at a time' -e '^sparse' "$scratch/solver"

"$BUILD/apsp-gen" rmat -n 20000 -s 1 -o "$scratch/graph.bin" --force >/dev/null
solver --unweighted --undirected
check "a social network: sources are searched side by side" grep -q '^sssp, bits' "$scratch/solver"

exit $((failures > 0))
