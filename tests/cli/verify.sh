#!/bin/sh
# A right file of distances passes apsp-verify; changed in any single entry, to any of several values, it does not.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# little NUMBER: 4 bytes, as octal escapes for printf.
little() {
    awk -v x="$1" 'BEGIN { for (i = 0; i < 4; i++) { printf "\\%03o", x % 256; x = int(x / 256) } }'
}

# refuted VALUE ENTRY: true if apsp-verify finds the entry changed to VALUE.
refuted() {
    cp "$scratch/right" "$scratch/wrong"
    printf "$(little "$1")" | dd of="$scratch/wrong" bs=4 seek="$2" conv=notrunc status=none
    "$BUILD/apsp-verify" "$graph" "$scratch/wrong" >/dev/null 2>&1
    [ $? -eq 8 ]
}

accepted() {
    "$BUILD/apsp-verify" "$graph" "$scratch/right" >/dev/null
}

try_graph() {
    graph=$scratch/$1.bin
    tried=0
    missed=0
    "$BUILD/apsp-gen" "$1" -n "$2" -s 5 -w "$3" -o "$graph"
    "$BUILD/apsp" --quiet "$graph" "$scratch/right"
    check "verify: $1, $2 vertices, right" accepted
    entry=0
    for value in $(od -An -v -t d4 "$scratch/right"); do
        for other in 0 1 $((value + 1)) $((value > 0 ? value - 1 : 7)) 1073741823 4294967295; do
            [ "$other" -ne "$value" ] || continue
            tried=$((tried + 1))
            if ! refuted "$other" "$entry"; then
                missed=$((missed + 1))
                echo "# $1: entry $entry, $value changed to $other, was not refuted"
            fi
        done
        entry=$((entry + 1))
    done
    check "verify: $1, $2 vertices, $tried changes refuted" [ "$missed" -eq 0 -a "$tried" -gt "$entry" ]
    rm -f "$scratch/right"
}

try_graph random 6 0:9
try_graph disconnected 7 1:1000
try_graph zero 5 0:0

# misused WORDS ARGUMENTS...: exit 2, and one line with the words.
misused() {
    words=$1
    shift
    "$BUILD/apsp-verify" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? -eq 2 ] && [ ! -s "$scratch/stdout" ] && grep -q "^apsp-verify: .*$words.*; see apsp-verify --help$" "$scratch/stderr"
}
for rows in 0 some 1x -1 all2 ''; do
    check "verify: --rows=$rows" misused "--rows: '$rows' is neither 'all' nor a whole number from 1 to " --rows="$rows" g d
done
check "verify: --rows alone" misused "'--rows' needs an argument" g d --rows
check "verify: --threads 4097" misused "--threads: '4097' is not a whole number from 1 to 4096" --threads 4097 g d
check "verify: no DISTANCES" misused 'DISTANCES is missing' g
check "verify: one too many" misused "'e' is one argument too many" g d e
"$BUILD/apsp" --quiet "$graph" "$scratch/right"
verdict() {
    verdict=$1
    shift
    [ "$("$BUILD/apsp-verify" "$@" "$graph" "$scratch/right")" = "$verdict" ]
}
check "verify: --rows 2" verdict "PASSED, 2 of 5 rows" --rows 2 --threads 1
check "verify: --rows=all" verdict "PASSED, all 5 rows" --rows=all
check "verify: --quiet" verdict "" --quiet
finish
