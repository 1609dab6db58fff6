#!/bin/sh
# apsp-query: rows (--from), line by line on a terminal, what vertices are called.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

query=$BUILD/apsp-query
"$BUILD/apsp-gen" random -n 60 -d 3 -s 8 -w 1:9 -o "$scratch/g.gr"
"$BUILD/apsp" --quiet "$scratch/g.gr" "$scratch/d.npy"
"$BUILD/apsp" --quiet "$scratch/g.gr" "$scratch/all.csv"
"$BUILD/apsp" --quiet --nearest 4 "$scratch/g.gr" "$scratch/nearest.csv"

# is_row FILE U OPTIONS: the pairs of U in a list of apsp's, after a line that tells the numbering.
is_row() {
    file=$1 from=$2
    shift 2
    "$query" --from "$from" "$@" "$scratch/g.gr" "$scratch/d.npy" >"$scratch/row"
    [ "$(head -n 1 "$scratch/row")" = "# 60 vertices of $scratch/g.gr, numbers 1 to 60" ] || return
    sed 1d "$scratch/row" | sed 's/ :.*//' >"$scratch/rest"
    awk -F, -v from="$from" '$1 == from { print $1, $2, $3 }' "$file" | cmp -s - "$scratch/rest" &&
        [ -s "$scratch/rest" ]
}
for from in 1 7 60; do
    check "query: --from $from --all" is_row "$scratch/all.csv" "$from" --all
    check "query: --from $from --nearest 4" is_row "$scratch/nearest.csv" "$from" --nearest 4
    check "query: --from $from --nearest 4 --path" is_row "$scratch/nearest.csv" "$from" \
        --nearest 4 --path
done
check "query: every path leads there" awk 'FNR > 1 { if ($4 != ":" || $5 != $1 || $NF != $2) exit 1;
    n++ } END { exit n != 4 }' "$scratch/row"

# refuses CODE WORDS ARGUMENTS
refuses() {
    code=$1 words=$2
    shift 2
    "$query" "$@" </dev/null >"$scratch/out" 2>"$scratch/log"
    [ $? -eq "$code" ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] &&
        grep -q -e "$words" "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
g="$scratch/g.gr $scratch/d.npy"
check "query: --all without --from" refuses 2 '--all requires --from U' --all $g
check "query: --nearest without --from" refuses 2 '--nearest requires --from U' --nearest 3 $g
check "query: --from alone" refuses 2 'requires either --all or --nearest' --from 1 $g
check "query: --from with both" refuses 2 'requires either --all or --nearest' --from 1 --all \
    --nearest 2 $g
check "query: --from and --pairs" refuses 2 'requires either' --from 1 --all --pairs - $g
check "query: --from and U V" refuses 2 "'1' is one argument too many" --from 1 --all $g 1 2
check "query: --from nowhere" refuses 2 "'61' is not a vertex" --from 61 --all $g
check "query: --nearest 0" refuses 2 "'0' is not an integer" --from 1 --nearest 0 $g
check "query: nothing asked, and no terminal" refuses 2 'the first vertex, U, is missing' $g
cp "$scratch/d.npy" "$scratch/bad.npy"
printf '\0\0\0\100' | dd of="$scratch/bad.npy" bs=4 seek=$((32 + 59)) conv=notrunc status=none
check "query: a row that holds no distance" refuses 8 \
    'vertices 1 and 60 is 1073741824, which is not a distance' --from 1 --nearest 1 \
    "$scratch/g.gr" \
    "$scratch/bad.npy"
check "query: it prints none of it" [ "$(wc -l <"$scratch/out")" -eq 1 ]
"$BUILD/apsp" --quiet --sources 7,9 "$scratch/g.gr" "$scratch/two.npy"
check "query: a distance of other sources" refuses 8 \
    "row 1 is said to be 9, but has .* from 9 to itself: --sources must be those of the run" \
    --sources 9,7 "$scratch/g.gr" "$scratch/two.npy" 9 1
check "query: a row of other sources" refuses 8 'row 2 is said to be 7' --sources 9,7 --from 7 \
    --all "$scratch/g.gr" "$scratch/two.npy"

# Names: near ones, with blanks, and in the line of the numbering.
printf 'from,to,km\n"New York",LUX,3\nLUX,Rome,4\nRome,all,5\nall,"New York",6\n' \
    >"$scratch/named.csv"
"$BUILD/apsp" --quiet "$scratch/named.csv" "$scratch/n.npy"
n="$scratch/named.csv $scratch/n.npy"
check "query: another case" refuses 2 "'rome' is not a vertex of .*: is it 'Rome'?" $n rome LUX
check "query: a beginning" refuses 2 "'new' is not a vertex of .*: is it 'New York'?" $n new LUX
check "query: nothing like it" refuses 2 "'x' is not a vertex of [^:]*$" $n x LUX
check "query: names in the first line" sh \
    -c \
    '"$0" --from LUX --all "$1" "$2" | head -n 1 | grep -q "4 vertices of .*, called by names: \"New York\" to all$"' \
    "$query" $n
printf '"New York" LUX\nall\tNew York\n' >"$scratch/pairs"
same_lines() {
    [ "$("$query" --pairs "$scratch/pairs" $n)" = '"New York" LUX 3
all "New York" 6' ]
}
check "query: quotes and tabs round names" same_lines
printf '"New York LUX\n' >"$scratch/pairs"
check "query: a quote that does not end" refuses 3 'pairs:1: a quote does not end' \
    --pairs "$scratch/pairs" $n

if ! command -v python3 >/dev/null; then
    echo "skip query: a terminal: python3 is not installed"
    finish
fi
# talk ANSWERS ARGUMENTS: what is shown for $scratch/typed, without greeting and prompts.
talk() {
    answers=$1
    shift
    python3 tests/cli/query.py "$scratch/typed" "$query" "$@" >"$scratch/shown" || return
    sed '1,2d; s/^\(> \)*//; /^$/d' "$scratch/shown" >"$scratch/said"
    printf "$answers" | diff - "$scratch/said"
}
printf \
    'LUX Rome\npath LUX "New York"\nnearest Rome 2\nall all\n\nwhat\nLUX x\npath LUX\nnearest LUX none\n"LUX Rome\nall LUX\n Rome all \n' \
    >"$scratch/typed"
check "query: on a terminal" talk 'LUX Rome 4
LUX "New York" 15 : LUX Rome all "New York"
Rome all 5
Rome "New York" 11
all all 0
expected a pair `U V`; `help` lists the commands
'"'x' is not a vertex of $scratch/named.csv"'
it is `path U V`
'"'none' is not a number of vertices"'
a quote does not end with its name
all LUX 9
Rome all 5
' $n
check "query: it says what vertices are called" grep \
    -q "^4 vertices of .*, called by names: \"New York\" to all$" "$scratch/shown"
printf 'help\nall 7\n1 99\n%%09000d\n1 1\n' | sed 's/%09000d/'"$(printf %09000d 7)/" \
    >"$scratch/typed"
"$query" --from 7 --all $g | sed 1d >"$scratch/row"
python3 tests/cli/query.py "$scratch/typed" "$query" $g >"$scratch/shown"
check "query: a terminal ends with 0" [ $? -eq 0 ]
check "query: help on a terminal" grep -q "^> *U V  *the distance from U to V" "$scratch/shown"
check "query: a row on a terminal" sh \
    -c '[ "$(grep "^\(> \)\?7 " "$1" | sed "s/^> //")" = "$(cat "$2")" ]' sh "$scratch/shown" \
    "$scratch/row"
check "query: what follows an error" grep -q "^> 1 1 0$" "$scratch/shown"
finish
