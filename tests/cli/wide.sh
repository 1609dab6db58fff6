#!/bin/sh
# Tables with names, .wide.csv and .wide.tsv, against the pairs of the same runs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
table=$scratch/out.wide.csv

"$BUILD/apsp-gen" random -n 70 -d 2 -s 4 -w 1:9 -o "$scratch/numbers.gr"
awk '/^a/ { printf "n%d,n%d,%.2f\n", $2 * $2, $3 * $3, $4 / 4 }' "$scratch/numbers.gr" \
    >"$scratch/names.csv"

# as_pairs GRAPH OPTIONS...: the finite fields of other rows and columns are the pairs.
as_pairs() {
    for ranks in 1 3; do
        "$BUILD/apsp" --quiet --force --ranks $ranks --verify=all "$@" "$table" || return 1
        "$BUILD/apsp" --quiet --force --ranks $ranks "$@" "$scratch/pairs.csv" || return 1
        awk -F, 'NR == 1 { for (j = 2; j <= NF; j++) name[j] = $j; fields = NF; next }
            NF != fields { exit 1 }
            { for (j = 2; j <= NF; j++) if (name[j] != $1 && $j != "inf")
                print $1 "," name[j] "," $j }' "$table" >"$scratch/fields" || return 1
        grep -v "^from" "$scratch/pairs.csv" | awk -F, '$1 != $2' | cmp - "$scratch/fields" ||
            return 1
    done
}
check "wide: of numbers" as_pairs "$scratch/numbers.gr"
check "wide: of names and decimals" as_pairs "$scratch/names.csv"
check "wide: of some rows and columns" as_pairs --sources 5,3,60 --targets 3,9,11-20 \
    "$scratch/numbers.gr"
"$BUILD/apsp" --quiet --force "$scratch/names.csv" "$table"
check "wide: the same read back" "$BUILD/apsp-verify" --quiet "$scratch/names.csv" "$table"
check "wide: tabs" sh -c '"$1" --quiet "$2" "$3" && tr "\t" , <"$3" | cmp - "$4"' sh \
    "$BUILD/apsp" "$scratch/names.csv" "$scratch/out.wide.tsv" "$table"
for option in "--nearest 2" "--within 9" "--skim edges"; do
    # shellcheck disable=SC2086
    "$BUILD/apsp" --quiet --force $option "$scratch/names.csv" "$table" 2>"$scratch/log"
    check "wide: no ${option% *}" [ $? -eq 2 ]
done
finish
