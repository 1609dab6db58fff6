#!/bin/sh
# --sources and --stats: rows of some vertices are those of all, in the order asked for, and the
# counts are theirs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graph=$scratch/graph.gr
n=150
"$BUILD/apsp-gen" disconnected -n $n -d 3 -s 3 -w 0:9 -o "$graph"
"$BUILD/apsp" --quiet --device cpu --predecessors "$scratch/trees" "$graph" "$scratch/all"

# row FILE I: row I of a raw file of int32, from 0.
row() {
    tail -c +$((4 * n * $2 + 1)) "$1" | head -c $((4 * n))
}

# picks RANKS SOURCES ROWS...: the distances and trees are these rows of all.
picks() {
    ranks=$1 sources=$2
    shift 2
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --force --verify --sources "$sources" \
        --predecessors "$scratch/some-trees" "$graph" "$scratch/some" || return 1
    for i in "$@"; do row "$scratch/all" "$i"; done >"$scratch/rows"
    for i in "$@"; do row "$scratch/trees" "$i"; done >"$scratch/tree-rows"
    cmp "$scratch/some" "$scratch/rows" && cmp "$scratch/some-trees" "$scratch/tree-rows"
}

# counts RANKS OPTIONS...: the .csv has what awk finds in all rows.
od -An -v -w4 -t d4 "$scratch/all" | awk -v n=$n '
    { i = int((NR - 1) / n) }
    $1 < 1073741823 { reached[i]++; sum[i] += $1; if ($1 > most[i]) most[i] = $1 }
    END {
        print "vertex,eccentricity,sum,reachable,closeness"
        for (i = 0; i < n; i++) {
            others = reached[i] - 1
            closeness = sum[i] > 0 ? others / (n - 1) * (others / sum[i]) : 0
            for (digits = 15; sprintf("%." digits "g", closeness) + 0 != closeness; digits++)
                ;
            printf "%d,%d,%d,%d,%." digits "g\n", i + 1, most[i], sum[i], reached[i], closeness
        }
    }' >"$scratch/right.csv"
counts() {
    ranks=$1
    shift
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --force --stats "$scratch/stats.csv" "$@" \
        "$graph" &&
        cmp "$scratch/stats.csv" "$scratch/right.csv"
}

totals() {
    "$BUILD/apsp" --quiet --device cpu --force --stats "$scratch/stats.json" "$graph" &&
        [ \
            "$(awk -F, \
            'NR > 1 { sum += $3; pairs += $4; if ($2 > most) most = $2 } END { print most, sum, pairs }' \
            "$scratch/right.csv")" = \
            "$(tr -d '\t,' <"$scratch/stats.json" | awk -F: '/diameter/ { m = $2 } /sum/ && !s {
            s = $2 } /pairs/ { p = $2 } END { print m, s, p }')" ]
}

# refuses CODE TEXT OPTIONS...
refuses() {
    code=$1 text=$2
    shift 2
    "$BUILD/apsp" --quiet --device cpu "$@" "$graph" "$scratch/none" 2>"$scratch/log"
    [ $? -eq "$code" ] && grep -q "$text" "$scratch/log" && [ ! -e "$scratch/none" ]
}

printf '9 3\n150,1\n' >"$scratch/list"
for ranks in 1 3; do
    check "sources: a list on $ranks ranks" picks $ranks 9,3,100-104 8 2 99 100 101 102 103
    check "sources: a file on $ranks ranks" picks $ranks "$scratch/list" 8 2 149 0
    check "sources: counts of all rows on $ranks ranks" counts $ranks
    for type in i64 f32 f64; do
        check "sources: counts in $type on $ranks ranks" counts $ranks --dtype $type
    done
done
check "sources: counts beside rows" counts 2 --verify=all --predecessors "$scratch/beside.npy"
check "sources: totals" totals
check "sources: a vertex that is none" refuses 2 "'151' is neither a vertex" --sources 7,151
check "sources: vertex 0 of a file that counts from 1" refuses 2 "'0' is neither a vertex" \
    --sources 0
check "sources: a range from high to low" refuses 2 "'9-3' is neither" --sources 9-3
check "sources: a number that is too long" refuses 2 "too long" \
    --sources 0000000000000000000000123456
check "sources: a vertex twice" refuses 2 "vertex 8 is listed twice" --sources 7-9,8
echo 'one two' >"$scratch/words"
check "sources: a file of words" refuses 3 "'one' is neither a vertex" --sources "$scratch/words"
: >"$scratch/empty"
check "sources: an empty file" refuses 3 "names no vertex" --sources "$scratch/empty"
check "sources: a file that is missing" refuses 5 "nor a file that is there" \
    --sources "$scratch/missing"
check "sources: the same file twice" refuses 2 "are the same file" --stats "$scratch/none"
finish
