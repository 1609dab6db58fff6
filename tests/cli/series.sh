#!/bin/sh
# --weight-key am,pm: a run for each column, equal to runs of one, by one order; names, and refusals.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

awk 'BEGIN { srand(4); print "from,to,am,pm,night"; for (i = 0; i < 60; i++) for (j = 1; j < 4; j++)
    print i "," (i * j + 7 * j) % 60 "," int(rand() * 90 + 1) "," int(rand() * 900) / 10 "," j }' >"$scratch/graph.csv"

# gives RANKS OPTIONS...
gives() {
    ranks=$1
    shift
    rm -f "$scratch"/*.npy "$scratch"/s.*
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --weight-key am,pm,night "$@" --stats "$scratch/s.csv" --json "$scratch/s.json" --force \
        "$scratch/graph.csv" "$scratch/d.npy" || return 1
    for key in am pm night; do
        "$BUILD/apsp" --quiet --force --device cpu --weight-key $key --stats "$scratch/s.csv" "$scratch/graph.csv" "$scratch/d.npy" &&
            cmp "$scratch/s.csv" "$scratch/s.$key.csv" && cmp "$scratch/d.npy" "$scratch/d.$key.npy" || return 1
        rm "$scratch/s.csv" "$scratch/d.npy"
    done
}
for ranks in 1 2 3; do
    for method in sparse dense sssp; do
        check "series: $method on $ranks ranks" gives $ranks --method $method
    done
done
orders() {
    gives 1 --method sparse && grep -q '"order":.*"made"' "$scratch/s.am.json" && grep -q '"order":.*"read"' "$scratch/s.pm.json" &&
        grep -q '"order":.*"read"' "$scratch/s.night.json"
}
check "series: ranks of one process" gives 1 --ranks 2
check "series: one order" orders
once() {
    "$BUILD/apsp" --quiet --weight-key am,pm --names "$scratch/names" --save-order "$scratch/order" --stats "$scratch/o" "$scratch/graph.csv" &&
        [ -s "$scratch/names" ] && [ -s "$scratch/order" ] && [ -s "$scratch/o.am" ] && [ -s "$scratch/o.pm" ]
}
check "series: names and the order once, results without suffix" once

refuses() { # CODE TEXT OPTIONS...
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu "$@" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" || return 1
    done
}
: >"$scratch/x.pm.csv"
check "series: a file of a later column" refuses 2 'x.pm.csv: exists' --weight-key am,pm "$scratch/graph.csv" "$scratch/x.csv"
check "series: nothing was written" [ ! -e "$scratch/x.am.csv" ]
check "series: standard output" refuses 2 "results need files, found '-'" --weight-key am,pm "$scratch/graph.csv" -
check "series: an empty name" refuses 2 "found ''" --weight-key am,,pm "$scratch/graph.csv" "$scratch/y.csv"
check "series: a slash" refuses 2 "found 'a/b'" --weight-key am,a/b "$scratch/graph.csv" "$scratch/y.csv"
check "series: a name twice" refuses 2 "'am' is there twice" --weight-key am,pm,am "$scratch/graph.csv" "$scratch/y.csv"
check "series: a column that is not there" refuses 3 "no column 'noon'" --force --weight-key am,noon "$scratch/graph.csv" "$scratch/y.csv"
check "series: checkpoints" refuses 2 'require one column' --weight-key am,pm --checkpoint "$scratch/c" "$scratch/graph.csv" "$scratch/y.csv"
finish
