#!/bin/sh
# --weight-key am,pm: a run for each column, equal to runs of one, by one order; names, refusals.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
d=$scratch

awk 'BEGIN {
    srand(4)
    OFS = ","
    print "from,to,am,pm,night"
    for (i = 0; i < 60; i++)
        for (j = 1; j < 4; j++)
            print i, (i * j + 7 * j) % 60, int(rand() * 90 + 1), int(rand() * 900) / 10, j
}' >"$d/graph.csv"

# gives RANKS OPTIONS...
gives() {
    ranks=$1
    shift
    rm -f "$d"/*.npy "$d"/s.*
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --weight-key am,pm,night "$@" --force \
        --stats "$d/s.csv" --json "$d/s.json" "$d/graph.csv" "$d/d.npy" || return 1
    for key in am pm night; do
        "$BUILD/apsp" --quiet --force --device cpu --weight-key $key --stats "$d/s.csv" \
            "$d/graph.csv" "$d/d.npy" && cmp "$d/s.csv" "$d/s.$key.csv" &&
            cmp "$d/d.npy" "$d/d.$key.npy" || return 1
        rm "$d/s.csv" "$d/d.npy"
    done
}
for ranks in 1 2 3; do
    for method in sparse dense sssp; do
        check "series: $method on $ranks ranks" gives $ranks --method $method
    done
done
orders() {
    gives 1 --method sparse && grep -q '"order":.*"made"' "$d/s.am.json" &&
        grep -q '"order":.*"read"' "$d/s.pm.json" && grep -q '"order":.*"read"' "$d/s.night.json"
}
check "series: ranks of one process" gives 1 --ranks 2
check "series: one order" orders
once() {
    "$BUILD/apsp" --quiet --weight-key am,pm --names "$d/names" --save-order "$d/order" \
        --stats "$d/o" "$d/graph.csv" && [ -s "$d/names" ] && [ -s "$d/order" ] &&
        [ -s "$d/o.am" ] && [ -s "$d/o.pm" ]
}
check "series: names and the order once, results without suffix" once

refuses() { # CODE TEXT KEYS FILE OPTIONS...
    code=$1 text=$2 keys=$3 file=$4
    shift 4
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --weight-key "$keys" "$@" "$d/graph.csv" \
            "$file" 2>"$d/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$d/log" || return 1
    done
}
: >"$d/x.pm.csv"
check "series: a file of a later column" refuses 2 'x.pm.csv: exists' am,pm "$d/x.csv"
check "series: nothing was written" [ ! -e "$d/x.am.csv" ]
check "series: standard output" refuses 2 "results need files, found '-'" am,pm -
check "series: an empty name" refuses 2 "found ''" am,,pm "$d/y.csv"
check "series: a slash" refuses 2 "found 'a/b'" am,a/b "$d/y.csv"
check "series: a name twice" refuses 2 "'am' is there twice" am,pm,am "$d/y.csv"
check "series: a column that is not there" refuses 3 "no column 'noon'" am,noon "$d/y.csv" --force
check "series: checkpoints" refuses 2 'require one column' am,pm "$d/y.csv" --checkpoint "$d/c"
finish
