#!/bin/sh
# --paths: what is known of small graphs, refusals, and algebras.py with the Python PYTHON (default
# python3).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

printf '%s\n' a,b,4 b,c,-2 a,c,9 d,a,1 c,c,20 >"$scratch/graph.csv"

# gives WORD FORMAT...: the pairs from a, by each engine.
gives() {
    word=$1
    shift
    printf 'from,to,distance\n%s\n' "$(printf '%s\n' "$@")" >"$scratch/right.csv"
    for method in dense sssp; do
        "$BUILD/apsp" --quiet --device cpu --force --paths "$word" --method $method --verify=all \
            --sources a "$scratch/graph.csv" "$scratch/pairs.csv" &&
            cmp "$scratch/pairs.csv" "$scratch/right.csv" || return 1
    done
}
check "algebras: bottleneck of weights below 0" gives bottleneck a,b,4 a,c,4
check "algebras: widest" gives widest a,b,4 a,c,9

# refuses CODE TEXT OPTIONS...
refuses() {
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        "$BUILD/apsp" --quiet --device cpu --ranks $ranks "$scratch/graph.csv" "$@" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" || return 1
    done
}
check "algebras: none of that name" refuses 2 'did you mean widest' --paths widesd
check "algebras: weights that are no probabilities" refuses 3 \
    'not a probability above 0 and at most 1' --paths reliable
check "algebras: count harmonic" refuses 2 'bottleneck: has no --count harmonic' \
    --paths bottleneck --stats "$scratch/none.json" --count harmonic
for option in "--betweenness -" "--diameter -" "--sums path"; do
    check "algebras: no $option" refuses 2 "--paths bottleneck: has no ${option% -}" \
        --paths bottleneck $option
done
for option in "--access $scratch/none.csv --cutoffs 3" "--nearest 2" "--within 3"; do
    check "algebras: no $option" refuses 2 "--paths widest: has no ${option%% *}" --paths widest \
        $option -
done

printf '%s\n' a,b,40000 b,c,-3 >"$scratch/graph.csv"
check "algebras: a spanning tree of a directed graph" refuses 3 'the graph is directed' \
    --paths widest --method spanning
check "algebras: a spanning tree of sums" refuses 2 'is for --paths bottleneck and widest' \
    --method spanning
check "algebras: a type that is too narrow" refuses 3 \
    'dtype u16 holds distances below 32767, but they may reach 40003' --paths widest --dtype u16
printf '%s\n' a,b,0.1 b,c,0.3 >"$scratch/graph.csv"
rounded() {
    "$BUILD/apsp" --quiet --device cpu --force --paths bottleneck --dtype f32 --sources a \
        "$scratch/graph.csv" "$scratch/pairs.csv" &&
        [ "$(tail -n 1 "$scratch/pairs.csv")" = a,c,0.300000012 ]
}
check "algebras: decimals in a type that rounds them" rounded
check "algebras: a type that does not hold all values" refuses 3 \
    'dtype f32 does not hold all values of --paths widest' --paths widest --dtype f32
printf '%s\n' a,b,40000 b,c,-3 >"$scratch/graph.csv"
report() {
    "$BUILD/apsp" --device cpu --paths bottleneck --json "$scratch/report.json" \
        "$scratch/graph.csv" >"$scratch/log" &&
        grep -q '^# paths      bottleneck$' "$scratch/log" &&
            grep -q '"paths":."bottleneck"' "$scratch/report.json"
}
check "algebras: the report has the algebra" report

# The tree is taken where edges lead back, and only for maxima.
taken() { # WORD
    "$BUILD/apsp-gen" rmat -n 8192 -d 8 -w 1:1000 --force -o "$scratch/rmat.bin" >/dev/null &&
        "$BUILD/apsp" --quiet --device cpu --force --undirected --paths "$1" \
            --json "$scratch/report.json" "$scratch/rmat.bin" --stats "$scratch/stats.csv" \
            --verify &&
        grep -q '"method":."spanning"' "$scratch/report.json"
}
for word in bottleneck widest; do
    check "algebras: $word of an undirected graph, from a spanning tree" taken $word
done

python=${PYTHON:-python3}
if "$BUILD/apsp" --quiet --method sparse --paths widest "$scratch/graph.csv" 2>&1 |
    grep -q METIS; then
    echo "skip algebras: built without METIS"
elif "$python" -c 'import numpy' 2>/dev/null; then
    check "algebras: as Floyd and Warshall on values" "$python" tests/cli/algebras.py \
        "$BUILD/apsp" "$BUILD/apsp-verify" "$scratch" "${ALGEBRAS:-30}"
else
    echo "skip algebras: $python has no numpy"
fi
finish
