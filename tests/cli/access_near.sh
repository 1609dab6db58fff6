#!/bin/sh
# --access by searches that end at the largest cutoff: the sums of whole rows, on any ranks and
# threads, and the choice that takes such searches. The report tells in which form rows came.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
report=$scratch/report

# weighs OUT OPTION...: a column of integers, and one of decimals.
weighs() {
    out=$1
    shift
    rm -f "$out"
    "$BUILD/apsp" --quiet --no-progress --device cpu --force --json "$report" --access "$out" \
        --opportunities "$scratch/places.csv" $measures "$@" "$graph"
}

# form WORD: that of the rows of the last run.
form() { grep -q '^	"rows":	"'"$1"'"' "$report"; }

# alike FILE FILE: sums of integers within cutoffs, the first three, are equal, and all sums within
# the error that access.h tells.
alike() {
    awk -F, '
        NR == FNR { for (i = 1; i <= NF; i++) right[FNR, i] = $i; lines = FNR; next }
        FNR == 1 { for (i = 1; i <= NF; i++) wrong += $i != right[1, i]; next }
        { for (i = 1; i <= 4; i++) wrong += $i "" != right[FNR, i] "" }
        { for (i = 5; i <= NF; i++) if (($i - right[FNR, i]) ^ 2 > (1e-12 * right[FNR, i]) ^ 2)
            wrong++ }
        END { exit wrong > 0 || lines != FNR || FNR < 2 }' "$1" "$2"
}

# same FORM NAME OPTION...: rows by the dense engine, and searches on threads and ranks, whose files
# are the same byte for byte.
same() {
    wanted=$1 name=$2
    shift 2
    weighs "$scratch/right.csv" --method dense "$@"
    weighs "$scratch/first.csv" --method sssp --threads 1 "$@"
    check "access near: $name, rows are $wanted" form "$wanted"
    check "access near: $name" alike "$scratch/right.csv" "$scratch/first.csv"
    for option in --threads=2 --ranks=2 --ranks=3; do
        weighs "$scratch/found.csv" --method sssp $option "$@"
        check "access near: $name, $option" cmp "$scratch/first.csv" "$scratch/found.csv"
    done
}

# amounts N: of vertices 0 to N - 1, without every fifth.
amounts() {
    awk -v n="$1" 'BEGIN {
        print "vertex,jobs,beds"
        for (v = 0; v < n; v++)
            if (v % 5)
                print v "," v * 7919 % 101 "," v * 104729 % 97 / 7
    }' >"$scratch/places.csv"
}

printf '0,1\n50,0.25\n150,0\n' >"$scratch/table.csv"
measures="--cutoffs 40,130,90 --decays linear:120,step:60,table:$scratch/table.csv"
graph=$scratch/graph.bin
amounts 900
"$BUILD/apsp-gen" grid -n 900 -s 3 -w 1:100 --force -o "$graph" >/dev/null
same near grid
for type in i64 f32 f64; do
    same near "grid in $type" --dtype $type
done
same near "grid, from some to some" --sources 700,3,80-99 --targets 90,3,100-600,0
same near "grid, against the edges" --reverse --sources 5-40
check "access near: ranks of MPI" mpi 2 "$BUILD/apsp" --quiet --device cpu --force --method sssp \
    --access "$scratch/found.csv" --opportunities "$scratch/places.csv" $measures --reverse \
    --sources 5-40 "$graph"
check "access near: ranks of MPI, the same bytes" cmp "$scratch/first.csv" "$scratch/found.csv"
APSP_PROBE=none
export APSP_PROBE
"$BUILD/apsp-gen" random -n 900 -d 3 -s 2 -w 0:30 --force -o "$graph" >/dev/null
same whole "side by side"
unset APSP_PROBE
same near "weights of 0, few sources" --sources 5,99,20-25
same near "equal weights, few sources" --sources 5,99,20-25 --unweighted --cutoffs 3,1,2
"$BUILD/apsp-gen" rmat -n 900 -d 4 -s 3 -w 1:90 --force -o "$graph" >/dev/null
same near "arcs one way, few sources" --sources 5,99,20-25
graph=$scratch/graph.mtx
"$BUILD/apsp-gen" grid -n 900 -s 4 -w 0:9 --potential 5 --force -o "$graph" >/dev/null
same whole "negative weights"

# A cutoff counts what is near in the type of rows, whatever it is before.
graph=$scratch/graph.csv
awk 'BEGIN { for (v = 0; v < 20; v++) print v "," v + 1 ",1.00000001" }' >"$graph"
amounts 21
measures="--cutoffs 1 --dtype f64 --output-type f32 --sums solver"
same near "a distance that is rounded" --sources 0 --directed

# A path of 20,000, from one source: the rest of it is not seen. Else this takes minutes.
graph=$scratch/path.bin
"$BUILD/apsp-gen" path -n 20000 -s 1 --force -o "$graph" >/dev/null
amounts 20000
measures="--cutoffs 2"
check "access near: all of a path" weighs "$scratch/found.csv"
check "access near: all of a path by searches" grep -q '"search":	"alone"' "$report"
check "access near: a path, rows are near" form near

check "access near: isochrones of a path" "$BUILD/apsp" --quiet --no-progress --device cpu \
    --json "$report" --isochrones "$scratch/found.csv" --force --cutoffs 1 "$graph"
check "access near: isochrones, rows are near" form near

# What is near decides: few vertices, or most. Rows of 64 bits would not be side by side, so the
# choice of the type has to know it, too.
graph=$scratch/grid.bin
"$BUILD/apsp-gen" grid -n 160000 -s 1 -w 1:100000 --force -o "$graph" >/dev/null
amounts 160000
measures="--cutoffs 200000"
check "access near: a small cutoff on a grid" weighs "$scratch/found.csv"
check "access near: a small cutoff takes searches" grep -q '"method":	"sssp"' "$report"
check "access near: a small cutoff, rows are near" form near
measures="--cutoffs 12000000"
check "access near: a large cutoff on a grid" weighs "$scratch/found.csv" --sources random:400
check "access near: a large cutoff takes elimination" grep -q '"method":	"sparse"' "$report"
if grep -q '"processor":	"avx' "$report"; then
    check "access near: a large cutoff, rows are side by side" form beside
fi
weighs "$scratch/found.csv" --sources random:10 --method sssp
check "access near: searches of most of the graph are whole" form whole
finish
