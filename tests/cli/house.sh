#!/bin/sh
# One more engine, sink, source, reduction and comm, each one file and one row of a table
# (tests/house): build/tests/apsp-house is the command with them, libapsp-house.so the library.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
house=$BUILD/tests/apsp-house
graph=$scratch/graph.gr
"$BUILD/apsp-gen" random -n 150 -d 5 -s 3 -o "$graph"
awk '/^p/ { print $3, $4 } /^a/ { print $2 - 1, $3 - 1, $4 }' "$graph" >"$scratch/graph.seq"

# gives RANKS OPTIONS...: the distances and trees of the dense engine, with every row certified.
"$BUILD/apsp" --quiet --device cpu "$graph" "$scratch/right"
gives() {
    ranks=$1
    shift
    rm -f "$scratch/out"
    mpi "$ranks" "$house" --quiet --device cpu --verify=all "$@" "$scratch/out" &&
        cmp -s "$scratch/right" "$scratch/out"
}

loses() {
    rm -f "$scratch/out"
    APSP_LOSES_ROW=1 mpi "$1" "$house" --quiet --device cpu --method bellman "$graph" \
        "$scratch/out" 2>"$scratch/log"
    [ $? -eq 8 ] && grep -q 'rows were made, expected' "$scratch/log" && [ ! -e "$scratch/out" ]
}

farthest() {
    APSP_FARTHEST=$scratch/farthest mpi "$1" "$house" --quiet --device cpu "$graph" &&
        [ "$(cat "$scratch/farthest")" -eq "$(od -An -v -t d4 "$scratch/right" | tr -s ' ' '\n' |
            sort -n | awk '$1 != "" && $1 < 1073741823' | tail -n 1)" ]
}

for ranks in 1 3; do
    check "house: another engine on $ranks ranks" gives $ranks --method bellman "$graph"
    check "house: another engine on $ranks ranks, chosen of two" gives $ranks --method auto "$graph"
    check "house: another source on $ranks ranks" gives $ranks "$scratch/graph.seq"
    check "house: another source by its name on $ranks ranks" gives $ranks --format sequence \
        "$scratch/graph.seq"
    check "house: all of them on $ranks ranks" gives $ranks --method bellman "$scratch/graph.seq"
    check "house: an engine that loses a row on $ranks ranks is refuted" loses $ranks
    check "house: another sink on $ranks ranks" farthest $ranks
done

# The sums of squares of distances, from another program's columns.
squares() {
    for method in dense bellman; do
        for suffix in csv json; do
            "$house" --quiet --device cpu --method $method --ranks "$1" --count squares \
                --stats "$scratch/squares.$suffix" --force "$graph" || return 1
        done
        od -An -v -t d4 -w600 "$scratch/right" | awk -v FS=' +' '
            { sum = 0; for (k = 2; k <= NF; k++) if ($k < 1073741823) sum += $k * $k; print sum }' \
            >"$scratch/squares"
        sed 1d "$scratch/squares.csv" | awk -F, '{ print $NF + 0 }' |
            cmp -s - "$scratch/squares" || return 1
        sed -n 's/^\t"squares":\t\[\(.*\)\],*$/\1/p' "$scratch/squares.json" | tr -d ' ' |
            tr , '\n' | awk '{ print $1 + 0 }' | cmp -s - "$scratch/squares" || return 1
    done
}

# Squares of decimals have the square of their scale.
decimal_squares() {
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 0.25\n' \
        >"$scratch/decimal.mtx"
    "$house" --quiet --device cpu --count squares --stats "$scratch/decimal.csv" --force \
        "$scratch/decimal.mtx" && [ "$(sed -n '2s/.*,//p' "$scratch/decimal.csv")" = 0.8125 ]
}

python_squares() {
    APSP_LIBRARY=$BUILD/tests/libapsp-house.so PYTHONPATH=python "${PYTHON:-python3}" -c '
import apsp
found = apsp.stats(apsp.Edges(3, [0, 1], [1, 2], [5, 2]), method="dense", device="cpu")
assert list(found.squares) == [74.0, 4.0, 0.0], found.squares'
}

counts_reductions() {
    APSP_REDUCTIONS=$scratch/reductions "$house" --quiet --device cpu "$graph" &&
        [ "$(cat "$scratch/reductions")" -gt 0 ]
}

check "house: another reduction" squares 1
check "house: another reduction on 3 ranks" squares 3
check "house: another reduction of decimals" decimal_squares
! can_load "house: another reduction in Python" ||
    check "house: another reduction in Python" python_squares
check "house: --help names the reduction" sh \
    -c '"$0" --count none --stats x 2>&1 | grep -q "squares"' "$house"
check "house: another comm" counts_reductions

# The engine's own unit of work, in the report as text and as JSON.
unit() {
    "$house" --device cpu --method bellman --json "$scratch/json" "$graph" >"$scratch/text"
    grep -q "^solve .* edges/s$" "$scratch/text" &&
        grep -q '"edges_per_second":' "$scratch/json"
}
check "house: the unit of another engine" unit
check "house: --help names the engine" sh -c '"$0" --help | grep -q "dense, bellman"' "$house"
check "house: --help names the source" sh -c '"$0" --help | grep -q "mtx, sequence"' "$house"
check "house: the command itself has no such engine" sh \
    -c '! "$0" --method bellman "$1" 2>"$2" && grep -q "not one of auto, dense" "$2"' \
    "$BUILD/apsp" "$graph" "$scratch/log"
finish
