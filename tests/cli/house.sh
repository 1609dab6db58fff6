#!/bin/sh
# One more engine, sink and source, each one file and one row of a table (tests/house): build/tests/apsp-house is the
# command with them.
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
    mpi "$ranks" "$house" --quiet --device cpu --verify=all "$@" "$scratch/out" && cmp -s "$scratch/right" "$scratch/out"
}

loses() {
    rm -f "$scratch/out"
    APSP_LOSES_ROW=1 mpi "$1" "$house" --quiet --device cpu --method bellman "$graph" "$scratch/out" 2>"$scratch/log"
    [ $? -eq 8 ] && grep -q 'rows were made where' "$scratch/log" && [ ! -e "$scratch/out" ]
}

farthest() {
    APSP_FARTHEST=$scratch/farthest mpi "$1" "$house" --quiet --device cpu "$graph" &&
        [ "$(cat "$scratch/farthest")" -eq "$(od -An -v -t d4 "$scratch/right" | tr -s ' ' '\n' | sort -n | awk '$1 != "" && $1 < 1073741823' | tail -n 1)" ]
}

for ranks in 1 3; do
    check "house: another engine on $ranks ranks" gives $ranks --method bellman "$graph"
    check "house: another engine on $ranks ranks, chosen of two" gives $ranks --method auto "$graph"
    check "house: another source on $ranks ranks" gives $ranks "$scratch/graph.seq"
    check "house: another source by its name on $ranks ranks" gives $ranks --format sequence "$scratch/graph.seq"
    check "house: all of them on $ranks ranks" gives $ranks --method bellman "$scratch/graph.seq"
    check "house: an engine that loses a row on $ranks ranks is refuted" loses $ranks
    check "house: another sink on $ranks ranks" farthest $ranks
done

# The engine's own unit of work, in the report as text and as JSON.
unit() {
    "$house" --device cpu --method bellman --json "$scratch/json" "$graph" >"$scratch/text"
    grep -q "^solve .* edges/s$" "$scratch/text" &&
        grep -q '"edges_per_second":' "$scratch/json"
}
check "house: the unit of another engine" unit
check "house: --help names the engine" sh -c '"$0" --help | grep -q "dense, bellman"' "$house"
check "house: --help names the source" sh -c '"$0" --help | grep -q "mtx, sequence"' "$house"
check "house: the command itself has no such engine" sh -c '! "$0" --method bellman "$1" 2>"$2" && grep -q "not one of auto, dense" "$2"' "$BUILD/apsp" "$graph" "$scratch/log"
finish
