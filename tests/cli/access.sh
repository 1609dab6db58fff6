#!/bin/sh
# --access: what is known of a chain, files, ranks, engines and refusals.
# python/tests/test_access.py compares it with NumPy.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# gives RANKS OPTIONS...: those of $scratch/graph.csv are $scratch/right.csv.
gives() {
    ranks=$1
    shift
    rm -f "$scratch/out.csv"
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --access "$scratch/out.csv" "$@" \
        "$scratch/graph.csv" &&
        cmp "$scratch/out.csv" "$scratch/right.csv"
}

# refuses CODE TEXT OPTIONS...
refuses() {
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu "$@" "$scratch/graph.csv" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" && [ ! -e "$scratch/none.csv" ] ||
            return 1
    done
}

printf '%s\n' from,to,weight a,b,2 b,a,2 b,c,3 c,b,3 c,d,5 >"$scratch/graph.csv"
printf '%s\n' 'place,jobs,"schools, all"' 'b,10,1' 'd,7,0.5' '' '# a comment' \
    'c,0,2' >"$scratch/places.csv"
printf '%s\n' \
    'vertex,jobs_2,jobs_5,jobs_step:10,jobs_linear:5,jobs_nearest:1,jobs_nearest:12,"schools, all_2","schools, all_5","schools, all_step:10","schools, all_linear:5","schools, all_nearest:1","schools, all_nearest:12"' \
    a,10,10,17,6,2,10,1,3,3.5,0.6,2, b,10,10,17,10,0,8,1,3,3.5,1.8,0, \
    c,0,17,17,4,3,5,2,3.5,3.5,2.4,0, d,7,7,7,7,0,,0.5,0.5,0.5,0.5,, >"$scratch/right.csv"
all="--opportunities $scratch/places.csv --cutoffs 2,5 --decays step:10,linear:5"
all="$all --access-nearest 1,12"
for ranks in 1 2 3; do
    for method in dense sparse sssp; do
        check "access: a chain, $method on $ranks ranks" gives $ranks --method $method $all
    done
done
check "access: beside other results" gives 2 --verify=all --stats "$scratch/stats" $all
for type in u16 i64 f32 f64; do
    check "access: a chain in $type" gives 1 --dtype $type $all
done
{ sed -n 1p "$scratch/right.csv" && sed -n 4p "$scratch/right.csv" &&
    sed -n 2p "$scratch/right.csv"; } >"$scratch/some.csv" &&
    mv "$scratch/some.csv" "$scratch/right.csv"
check "access: some sources" gives 2 --sources c,a $all
printf '%s\n' vertex,vertices_5,vertices_table:$scratch/table.csv a,1,0.5 b,1,1 c,2,0.25 \
    d,1,1 >"$scratch/right.csv"
printf '%s\n' distance,weight 0,1 2,0.5 4,0 >"$scratch/table.csv"
check "access: a table, some targets" gives 2 --targets d,b --cutoffs 5 \
    --decays "table:$scratch/table.csv"

# weighs OUT OPTIONS...: the grid, with all kinds of decay.
weighs() {
    out=$1
    shift
    "$BUILD/apsp" --quiet --device cpu --force --access "$out" --cutoffs 100,300 \
        --decays exponential:30,logistic:200:20,linear:99,exponential:3000,logistic:99:900 \
        --json "$scratch/report" "$@" "$graph"
}

# came FORM: rows of the last run came so.
came() { grep -q '^	"rows":	"'"$1"'"' "$scratch/report"; }

# The same bytes on any ranks, by rows; and by rows side by side, of the sparse engine.
same() {
    for option in --threads=1 --threads=2 --ranks=2 --ranks=3; do
        weighs "$scratch/out.csv" $option "$@" || return 1
        [ "$option" != --threads=1 ] || cp "$scratch/out.csv" "$scratch/right.csv"
        cmp "$scratch/out.csv" "$scratch/right.csv" || return 1
    done
}

# Rows of any engine give the same bytes. Another result makes the sparse engine give rows.
rows() {
    same --method=dense && weighs "$scratch/out.csv" --method=sssp &&
        cmp "$scratch/out.csv" "$scratch/right.csv" &&
        weighs "$scratch/out.csv" --method=sparse --stats "$scratch/stats" &&
        cmp "$scratch/out.csv" "$scratch/right.csv"
}

# Steps are equal, and decays within the error that access.h tells.
paths=
# shellcheck disable=SC2086
side() {
    same --method=sparse $paths "$@" || return 1
    weighs "$scratch/rows.csv" --method=dense $paths && awk -F, '
        NR == FNR { for (i = 1; i <= NF; i++) right[FNR, i] = $i; next }
        FNR == 1 || $1 != right[FNR, 1] || $2 != right[FNR, 2] || $3 != right[FNR, 3] {
            wrong += FNR > 1 || $0 !~ /^vertex/
            next
        }
        { for (i = 4; i <= NF; i++) if (($i - right[FNR, i]) ^ 2 > (1e-12 * right[FNR, i]) ^ 2)
            wrong++ }
        END { exit wrong > 0 || FNR != 901 }' "$scratch/rows.csv" "$scratch/out.csv"
}
graph=$scratch/grid.bin
"$BUILD/apsp-gen" grid -n 900 -s 3 -w 1:100 --force -o "$graph" >/dev/null
check "access: the same bytes by rows, on any ranks and engines" rows
for type in u16 i32 f32 f64; do
    check "access: rows side by side, in $type" side --dtype $type
done
# By rows it would only take longer, as it does on processors of narrower vectors.
for type in i32 f32; do
    weighs "$scratch/out.csv" --method=sparse --dtype $type
    grep -q '"processor":	"avx' "$scratch/report" || continue
    check "access: no rows are made, in $type" came beside
done
weighs "$scratch/out.csv" --method=sparse --stats "$scratch/stats"
check "access: rows are made beside another result" came whole
APSP_KAPPA=4
export APSP_KAPPA
check "access: rows side by side, below a core" side
unset APSP_KAPPA
paths="--paths bottleneck"
check "access: rows of maxima side by side" side --dtype i32
paths=
pauses() {
    weighs "$scratch/rows.csv" --method=sparse --dtype i32 &&
        weighs "$scratch/out.csv" --method=sparse --dtype i32 --threads 1 \
            --checkpoint "$scratch/checkpoint" --checkpoint-every 0.0002 &&
        cmp -s "$scratch/rows.csv" "$scratch/out.csv"
}
graph=$scratch/wide.bin
"$BUILD/apsp-gen" grid -n 4096 -s 1 -w 1:3000 --force -o "$graph" >/dev/null
check "access: regions are told again after each pause" pauses

# In a tree all ways from near sources to other parts are alike, but for their beginnings.
graph=$scratch/tree.gr
awk 'BEGIN {
    print "p sp 900 1798"
    for (v = 2; v <= 900; v++) {
        parent = int(v / 2)
        weight = v * 7919 % 41
        print "a", v, parent, weight
        print "a", parent, v, weight
    }
}' >"$graph"
for type in i32 f32; do
    check "access: rows that differ alike, in $type" side --dtype $type
done

# drops CONDITION: the graph without the arcs of which it holds.
drops() {
    awk "/^a/ && $1 { next } { line[++lines] = \$0 } END {
        print \"p sp 900\", lines - 1
        for (i = 2; i <= lines; i++) print line[i]
    }" "$graph" >"$scratch/some.gr" && mv "$scratch/some.gr" "$graph"
}

# Nothing leads to some leaves, and from others nothing leads on, beside sources that go far.
drops '$3 > 450 && $3 % 5 == 0'
for type in u16 i32 i64; do
    check "access: regions that are reached in part, in $type" side --dtype $type
done
drops '$2 > 450 && $2 % 7 == 0'
for type in i32 f32; do
    check "access: sources that reach nothing, in $type" side --dtype $type
done

some="--access $scratch/none.csv --cutoffs 5"
check "access: no measure" refuses 2 'requires --cutoffs, --decays or --access-nearest' \
    --access "$scratch/none.csv"
check "access: no file of results" refuses 2 '--cutoffs requires --access FILE.csv' --cutoffs 5
check "access: a suffix" refuses 2 'is not written' --access "$scratch/none.json" --cutoffs 5
check "access: a cutoff" refuses 2 \
    "--cutoffs: expected a distance in the unit of the weights, found '5x'" --access "$scratch/none.csv" --cutoffs 2,5x
check "access: a decay" refuses 2 "found 'power:2'" $some --decays power:2
check "access: numbers of a decay" refuses 2 "expected logistic:MIDDLE:SPREAD, found 'logistic:2'" \
    $some --decays logistic:2
check "access: a scale" refuses 2 'expected a distance above 0, found 0' $some \
    --decays exponential:0
check "access: an amount to be near" refuses 2 "expected an amount above 0, found -1" $some \
    --access-nearest=-1
check "access: no such file" refuses 5 'places.none' $some --opportunities "$scratch/places.none"
wrong() { # TEXT LINE...
    text=$1
    shift
    printf '%s\n' "$@" >"$scratch/wrong.csv"
    refuses 3 "$text" $some --opportunities "$scratch/wrong.csv"
}
check "access: an empty file" wrong 'expected a line of names' ''
check "access: no names" wrong "wrong.csv:1: expected the name of a column" a,1
check "access: another vertex" wrong "wrong.csv:3: 'e' is not a vertex" v,jobs a,1 e,2
check "access: a vertex twice" wrong \
    "wrong.csv:4: expected a vertex that is not above in field 1, found 'a'" v,jobs a,1 b,1 a,2
check "access: an amount below 0" wrong \
    "wrong.csv:2: expected a number from 0 on in field 2, found '-1'" v,jobs a,-1
check "access: no number" wrong "found 'nan'" v,jobs a,nan
check "access: fields" wrong 'wrong.csv:2: expected 2 fields, found 3' v,jobs a,1,2
check "access: a quote" wrong 'wrong.csv:2: a quote' v,jobs 'a,"1'
printf '1,1\n1,0\n' >"$scratch/table.csv"
check "access: a table that does not ascend" refuses 2 \
    'point 2: expected a distance above 1, found 1' $some --decays "table:$scratch/table.csv"
printf '1,one\n2,0\n' >"$scratch/table.csv"
check "access: an input is no output" refuses 2 'places.csv' --access "$scratch/places.csv" \
    --force --opportunities "$scratch/places.csv" --cutoffs 5
finish
