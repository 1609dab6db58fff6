#!/bin/sh
# A right file of distances passes apsp-verify; changed in any single entry, to any of several
# values, it does not.
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
    check "verify: $1, $2 vertices, $tried changes refuted" [ "$missed" -eq 0 -a "$tried" \
        -gt "$entry" ]
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
    [ $? -eq 2 ] && [ ! -s "$scratch/stdout" ] && grep \
        -q "^apsp-verify: .*$words.*; see apsp-verify --help$" "$scratch/stderr"
}
for rows in 0 some 1x -1 all2 ''; do
    check "verify: --rows=$rows" misused \
        "--rows: '$rows' is neither 'all' nor an integer from 1 to " --rows="$rows" g d
done
check "verify: --rows alone" misused "'--rows' requires an argument" g d --rows
check "verify: --threads 4097" misused "--threads: '4097' is not an integer from 1 to 4096" \
    --threads 4097 g d
seed_of_nothing() {
    "$BUILD/apsp-verify" --seed 9 g d 2>"$scratch/stderr"
    [ $? -eq 2 ] && grep -q '^apsp-verify: --seed requires --rows=N$' "$scratch/stderr"
}
check "verify: --seed for all rows" seed_of_nothing
check "verify: no DISTANCES" misused 'DISTANCES is missing' g
check "verify: one too many" misused "'e' is one argument too many" g d e
"$BUILD/apsp" --quiet "$graph" "$scratch/right"
verdict() {
    verdict=$1
    shift
    [ "$("$BUILD/apsp-verify" "$@" "$graph" "$scratch/right")" = "$verdict" ]
}
check "verify: --rows 2" verdict "PASSED, 2 of 5 rows; seed 9" --rows 2 --threads 1 --seed 9
fresh() {
    "$BUILD/apsp-verify" --rows 2 "$graph" "$scratch/right" |
        sed -n 's/^PASSED, 2 of 5 rows; seed \([1-9][0-9]*\)$/\1/p'
}
one=$(fresh)
two=$(fresh)
check "verify: a new seed each time" [ -n "$one" -a -n "$two" -a "$one" != "$two" ]
check "verify: --seed repeats it" verdict "PASSED, 2 of 5 rows; seed $one" --rows 2 --seed "$one"
check "verify: --rows=all" verdict "PASSED, all 5 rows" --rows=all
check "verify: --quiet" verdict "" --quiet

# Several ranks: the first wrong row is named, once, and the exit code is that of one.
"$BUILD/apsp-gen" random -n 200 -s 3 -w 1:50 -o "$scratch/large.bin"
"$BUILD/apsp" --quiet "$scratch/large.bin" "$scratch/large.out"
cp "$scratch/large.out" "$scratch/large.wrong"
for row in 60 61 120 199; do
    printf '\377\377\377\077' | dd of="$scratch/large.wrong" bs=4 seek=$((row * 200)) conv=notrunc \
        status=none
done
shared() {
    [ "$("$BUILD/apsp-verify" --ranks "$1" "$scratch/large.bin" "$scratch/large.out")" = \
        "PASSED, all 200 rows" ] || return 1
    "$BUILD/apsp-verify" --ranks "$1" "$scratch/large.bin" \
        "$scratch/large.wrong" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? -eq 8 ] && [ ! -s "$scratch/stdout" ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q 'FAILED: row 60: ' "$scratch/stderr"
}
for ranks in 1 2 4; do
    check "verify: the rows shared by $ranks ranks" shared "$ranks"
done
mpi_started() {
    mpi 3 "$BUILD/apsp-verify" "$scratch/large.bin" \
        "$scratch/large.wrong" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? -eq 8 ] && [ "$(grep -c '^apsp-verify: ' "$scratch/stderr")" -eq 1 ]
}
check "verify: started by mpirun" mpi_started
piped() {
    "$BUILD/apsp-verify" --ranks 2 "$scratch/large.bin" - <"$scratch/large.out" 2>"$scratch/stderr"
    [ $? -eq 2 ] && grep -q 'several ranks read DISTANCES from a file' "$scratch/stderr"
}
check "verify: a pipe is for one rank" piped
seeded() {
    "$BUILD/apsp-verify" --seed 7 "$@" "$scratch/large.bin" "$scratch/large.out" 2>"$scratch/stderr"
    [ $? -eq 2 ] && grep -q -e '--seed requires --rows=N' "$scratch/stderr"
}
check "verify: a seed where all rows are checked" seeded
compressed() {
    gzip -c "$scratch/large.out" >"$scratch/large.gz"
    [ "$("$BUILD/apsp-verify" --ranks 2 "$scratch/large.bin" "$scratch/large.gz")" = \
        "PASSED, all 200 rows" ]
}
check "verify: a compressed file by two ranks" compressed

# With negative weights sums are made with potentials in them: what rounding may change is that of
# those, however small the distance is.
printf 'source,target,weight\na,b,-999999.9\nb,c,1000000\n' >"$scratch/far.csv"
# differs BY CODE: the distance of 0.1 by so much.
differs() {
    awk -v by="$1" 'BEGIN { printf ",a,b,c\na,0,-999999.9,%.15g\nb,inf,0,1000000\nc,inf,inf,0\n",
        0.1 + by }' >"$scratch/far.table.csv"
    "$BUILD/apsp-verify" "$scratch/far.csv" "$scratch/far.table.csv" >/dev/null 2>&1
    [ $? -eq "$2" ]
}
check "verify: potentials, right" differs 0 0
check "verify: potentials, within their rounding" differs 1e-10 0
check "verify: potentials, beyond their rounding" differs 1e-6 8
finish
