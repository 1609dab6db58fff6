#!/bin/sh
# Every single allocation of apsp-verify and apsp-query fails in turn, for each format of distances: exit 4 and one line, or the right
# answer all the same.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/named.csv
"$BUILD/apsp-gen" random -n 12 -d 3 -s 2 -w 1:9 -o "$scratch/graph.gr"
awk '$1 == "a" { print "v" $2 ",v" $3 "," $4 }' "$scratch/graph.gr" >"$graph"
"$BUILD/apsp" --quiet --names "$scratch/names" "$graph" "$scratch/raw"
"$BUILD/apsp" --quiet "$graph" "$scratch/array.npy"
"$BUILD/apsp" --quiet "$graph" "$scratch/pairs.csv"
n=$(wc -l <"$scratch/names")
od -An -v -t d4 -w$((4 * n)) "$scratch/raw" | sed 's/1073741823/inf/g' >"$scratch/plain.txt"
paste -d ' ' "$scratch/names" "$scratch/plain.txt" | tr -s ' ' ',' >"$scratch/rows"
{ tr '\n' ',' <"$scratch/names" | sed 's/^/,/; s/,$/\n/'; cat "$scratch/rows"; } >"$scratch/table.csv"
{
    printf '%%%%MatrixMarket matrix array real general\n%d %d\n' "$n" "$n"
    awk '{ for (i = 1; i <= NF; i++) d[i, NR] = $i } END { for (i = 1; i <= NF; i++) for (j = 1; j <= NR; j++) print d[i, j] }' "$scratch/plain.txt"
} >"$scratch/array.mtx"
cat "$scratch/raw" | gzip >"$scratch/raw.i32.gz"

# inject PROGRAM ARGUMENTS
inject() {
    program=$1
    shift
    "$BUILD/$program" "$@" >"$scratch/right" 2>&1
    check "matrix faults: $program, $(basename "$2"), as it is" [ $? -eq 0 ]
    at=0
    wrong=0
    while [ "$at" -lt 300 ]; do
        at=$((at + 1))
        APSP_FAULT_AT=$at OMP_NUM_THREADS=1 timeout 60 "$BUILD/tests/$program-faults" "$@" >"$scratch/out" 2>"$scratch/log"
        status=$?
        grep -q '^fault: ' "$scratch/log" || break
        if [ "$status" -ne 4 ] || [ "$(grep -c "^$program: " "$scratch/log")" -ne 1 ]; then
            [ "$status" -eq 0 ] && cmp -s "$scratch/right" "$scratch/out" && continue
            wrong=$((wrong + 1))
            echo "# $program $*, $(head -n 1 "$scratch/log"): exit status $status"
            sed 's/^/# /' "$scratch/log"
        fi
    done
    check "matrix faults: $((at - 1)) allocations of $program, $(basename "$2")" [ "$wrong" -eq 0 -a "$at" -gt 1 -a "$status" -eq 0 ]
}
for file in raw array.npy pairs.csv plain.txt table.csv array.mtx raw.i32.gz; do
    inject apsp-verify "$graph" "$scratch/$file"
done
u=$(sed -n 3p "$scratch/names") v=$(sed -n 7p "$scratch/names")
inject apsp-query "$graph" "$scratch/array.npy" "$u" "$v" --path
inject apsp-query "$graph" "$scratch/table.csv" --from "$u" --nearest 3 --path
inject apsp-query "$graph" "$scratch/raw" --sources "$scratch/names" --from "$u" --all

# Weights of one decimal: exact distances, with and without searches, and multiples.
decimals=$scratch/decimals.csv
awk -F , '{ printf "%s,%s,%.1f\n", $1, $2, $3 / 10 }' "$graph" >"$decimals"
for type in i32 f32 f64; do
    "$BUILD/apsp" --quiet --output-type $type "$decimals" "$scratch/decimals.$type"
    inject apsp-verify "$decimals" "$scratch/decimals.$type"
done
"$BUILD/apsp" --quiet --targets "$u,$v" "$decimals" "$scratch/columns.f64"
inject apsp-verify "$decimals" "$scratch/columns.f64" --targets "$u,$v"
inject apsp-query "$decimals" "$scratch/decimals.f32" "$u" "$v" --path
finish
