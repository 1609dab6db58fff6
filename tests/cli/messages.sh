#!/bin/sh
# Plausible mistakes, and what the programs say to each: what is wrong, where, and what to do (docs/internals/messages.md).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
mkdir "$scratch/work"
cd "$scratch/work" || exit 1
printf 'p sp 4 4\na 1 2 3\na 2 3 4\na 3 4 5\na 4 1 6\n' >g.gr
printf 'from,to,weight\na,b,3\nb,c,4\n' >l.csv

# says NAME CODE WORDS PROGRAM ARGUMENTS...: its exit code, and its one line has all WORDS, which | parts.
says() {
    title=$1
    code=$2
    words=$3
    program=$4
    shift 4
    "$BUILD/$program" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    wrong=
    [ $status -eq "$code" ] || wrong="exit code $status, not $code"
    [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || wrong="$wrong; not one line"
    old=$IFS
    IFS='|'
    for word in $words; do
        grep -qF -- "$word" "$scratch/stderr" || wrong="$wrong; no '$word'"
    done
    IFS=$old
    [ -z "$wrong" ] || echo "# $wrong: $(cat "$scratch/stderr")"
    check "messages: $title" [ -z "$wrong" ]
}

# The command line.
says "no GRAPH behind an option's file" 2 "GRAPH is missing; 'g.gr' was taken as the argument of --stats" apsp --stats g.gr
says "no GRAPH" 2 "GRAPH is missing; see apsp --help" apsp --force
says "an option's file in GRAPH's place" 2 "'o.bin' is not there|'g.gr' was taken as the argument of --predecessors" \
    apsp --predecessors g.gr o.bin
says "GRAPH and DISTANCES exchanged" 2 "GRAPH 'o.bin' is not there, but DISTANCES 'g.gr' is: do they have to change places?" \
    apsp o.bin g.gr
says "GRAPH and DISTANCES exchanged, and both there" 2 "DISTANCES 'g.gr': .gr is not written|GRAPH comes before it" apsp l.csv g.gr
says "help without dashes" 2 "did you mean --help?" apsp help
says "a type of NumPy's" 2 "--dtype int32: not one of|(did you mean i32?)" apsp --dtype int32 g.gr
says "a type of C" 2 "(did you mean f64?)" apsp --output-type double g.gr
says "an algorithm" 2 "--method floyd: not one of|(did you mean dense?)" apsp --method floyd g.gr
says "a suffix as a format" 2 "--format csv: not one of|(did you mean list?)" apsp --format csv g.gr
says "a format's other name" 2 "(did you mean gr?)" apsp --format dimacs g.gr
says "--count alone" 2 "--count requires --stats FILE" apsp --count in g.gr
says "--nearest alone" 2 "--nearest requires a file DISTANCES" apsp --nearest 3 g.gr
says "--within with a unit" 2 "--within: '10min' is not a number; it takes a distance in the unit of the weights" \
    apsp --within 10min g.gr x.csv
says "--seed alone" 2 "--seed requires --verify=ROWS" apsp --seed 3 g.gr
says "--checkpoint-every alone" 2 "--checkpoint-every requires --checkpoint DIR or --resume DIR" apsp --checkpoint-every 5 g.gr
says "--checkpoint-keep alone" 2 "--checkpoint-keep requires --checkpoint DIR" apsp --checkpoint-keep g.gr

# A suffix means a format.
for suffix in json parquet xlsx dat CSV mat; do
    says "DISTANCES.$suffix" 2 ".$suffix is not written; use one of|.npy|.csv|.tsv" apsp g.gr "x.$suffix"
done
says "a picture that is none" 2 "--plot 'k.png': .png is not written; use one of .svg" apsp --plot k.png g.gr
says "predecessors as a table" 2 "--predecessors 'p.csv': .csv is not written" apsp --predecessors p.csv g.gr
says "statistics as an array" 2 "--stats 's.npy': .npy is not written; use one of .json .csv .txt" apsp --stats s.npy g.gr
# tabled SUFFIX: pairs as text, with tabs, which apsp-verify takes.
tabled() {
    "$BUILD/apsp" --quiet --force l.csv "table.$1" && "$BUILD/apsp" --quiet --force l.csv table.csv &&
        tr ',' '\t' <table.csv | cmp - "table.$1" && "$BUILD/apsp-verify" --quiet l.csv "table.$1" &&
        sed -i '2s/3$/4/' "table.$1" && ! "$BUILD/apsp-verify" --quiet l.csv "table.$1" 2>/dev/null
}
check "messages: .tsv is a table of text" tabled tsv
check "messages: .txt is a table of text" tabled txt

finish
