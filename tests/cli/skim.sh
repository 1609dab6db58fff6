#!/bin/sh
# --skim: sums along paths of a small graph, ties, cycles of length 0, and refusals; then skim.py on
# random graphs, SKIM_GRAPHS of them.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

printf '%s\n' from,to,time,km,toll 1,2,1,1.5,0 2,3,1,2.5,3 1,3,2,9,0 3,1,0,1,0 1,3,2,4,1 3,4,0,1,1 \
    4,3,0,1,0 4,1,0,0.25,2 >"$scratch/graph.csv"

gives() { # RANKS OPTIONS...
    ranks=$1
    shift
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --force --weight-key time --sources 1,4 "$@" \
        "$scratch/graph.csv" "$scratch/out.csv" &&
        cmp "$scratch/out.csv" "$scratch/right.csv"
}
printf '%s\n' from,to,distance,km,toll,edges 1,2,1,1.5,0,1 1,3,2,4,1,1 1,4,2,5,2,2 4,1,0,0.25,2,1 \
    4,2,1,1.75,2,2 4,3,0,1,0,1 >"$scratch/right.csv"
for ranks in 1 2 3; do
    for method in dense sparse sssp; do
        check "skim: $method on $ranks ranks" gives $ranks --method $method --skim km,toll,edges
    done
done
printf '%s\n' from,to,distance,toll,km 1,3,2,0,9 1,4,2,1,10 4,3,0,0,1 \
    4,4,0,0,0 >"$scratch/right.csv"
check "skim: another order is another path" gives 2 --skim toll,km --targets 3,4 --verify=all
sed 1d "$scratch/graph.csv" | awk -F, 'BEGIN { print "p sp 4 8" } { print "a", $1, $2, $3 }' \
    >"$scratch/time.gr"
sed 1d "$scratch/graph.csv" | awk -F, 'BEGIN { print "p sp 4 8" } { print "a", $1, $2, $5 }' \
    >"$scratch/toll.gr"
file() {
    "$BUILD/apsp" --quiet --skim "toll=$scratch/toll.gr" --sources 4 "$scratch/time.gr" \
        "$scratch/file.tsv" &&
        [ "$(tr '\t\n' ',;' <"$scratch/file.tsv")" = \
            "from,to,distance,toll;4,1,0,0;4,2,1,0;4,3,0,0;" ]
}
check "skim: the weights of another file" file

refuses() { # CODE TEXT OPTIONS...
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu "$@" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" && [ ! -e "$scratch/none.csv" ] ||
            return 1
    done
}
set -- --weight-key time "$scratch/graph.csv" "$scratch/none.csv"
check "skim: no such column" refuses 3 "no column 'miles' among the 5" --skim miles "$@"
check "skim: a matrix" refuses 2 '--skim requires DISTANCES' --skim km "$scratch/graph.csv" \
    "$scratch/none.npy"
check "skim: a name that is none" refuses 2 "expected up to 16 names of attributes, found ''" \
    --skim km,,toll "$@"
check "skim: real weights" refuses 2 '--skim requires weights that are integers' --skim km \
    --dtype f64 "$@"
sed 's/,3$/,-3/' "$scratch/graph.csv" >"$scratch/below.csv"
check "skim: rows of reals" refuses 2 'contradicts --output-type f32 and f64' --skim km \
    --output-type f64 "$@"
check "skim: below 0" refuses 3 'the edge from 2 to 3 has skim toll = -3; skims are at least 0' \
    --skim toll --weight-key time "$scratch/below.csv" "$scratch/none.csv"
sed 's/^a 4 1 /a 4 2 /' "$scratch/toll.gr" >"$scratch/other.gr"
check "skim: other edges" refuses 3 'its edges are not those of the graph' \
    --skim "toll=$scratch/other.gr" "$scratch/time.gr" "$scratch/none.csv"
check "skim: no such file" refuses 5 'none.gr' --skim "toll=$scratch/none.gr" "$scratch/time.gr" \
    "$scratch/none.csv"

"${PYTHON:-python3}" tests/cli/skim.py "$BUILD/apsp" "$scratch" "${SKIM_GRAPHS:-40}"
finish
