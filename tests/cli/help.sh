#!/bin/sh
# --help of every program and its man page against the tables: options and their values, formats,
# suffixes, exit codes. README.md and the guides name no other option.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# One option a line, from lines of several: `-n N` gives -n, `--verify[=ROWS]` --verify.
options_in() {
    tr -s ' ,"`=[|' '\n' | grep -xE -e '--[a-z][a-z-]+|-[a-z]' | sort -u
}

# options_of_table SOURCE: and of the rows that those who read graphs share.
options_of_table() {
    {
        sed -nE 's/.*\{OPTION_[A-Z0-9]+, "([a-z]|[a-z][a-z-]+)",.*/\1/p' "$1" \
            $(grep -qE "(INPUT|SUBJECT)_OPTIONS" "$1" && echo src/cli/input.h) \
            $(grep -q SUBJECT_OPTIONS "$1" && echo src/cli/subject.h) |
            sed 's/^/--/; s/^--\(.\)$/-\1/'
        echo -h --help -V --version
    } | options_in
}

# The left column.
options_of_help() {
    sed -nE 's/^  (-.*)/\1/p' "$scratch/help" | sed 's/   *.*//' | options_in
}

# options_of_man PAGE: its tags.
options_of_man() {
    sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$1" | sed -n '/^\.TP/{n;p;}' |
        sed 's/\\-/-/g; s/\\f.//g' | options_in
}

# The same with their arguments, one a line: `--threads N`.
labels_of_help() {
    sed -nE 's/^  (-.*)/\1/p' "$scratch/help" | sed 's/   *.*//; s/, /\n/g' | sort -u
}
# labels_of_man PAGE: what a tag's macro prints: its words put together, and blanks where they are
# quoted.
labels_of_man() {
    sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$1" | sed -n '/^\.TP/{n;s/^\.[A-Z]* //;p;}' |
        sed 's/\\-/-/g; s/\\f.//g' |
        awk '{
            label = ""
            quoted = 0
            for (i = 1; i <= length($0); i++) {
                c = substr($0, i, 1)
                if (c == "\"")
                    quoted = !quoted
                else if (c != " " || quoted)
                    label = label c
            }
            gsub(/, /, "\n", label)
            print label
        }' | sort -u
}
# left_early PROGRAM: a reader of --help that has read enough is no error.
left_early() {
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$BUILD/$1" --help 2>"$scratch/errors" | head -n 1 >"$scratch/line"
        [ ! -s "$scratch/errors" ] || return 1
    done
}

# same FILE FILE: both have the same lines, and some.
same() {
    diff "$1" "$2" && [ -s "$1" ]
}

for program in apsp apsp-gen apsp-query apsp-verify; do
    case $program in
    apsp) source=src/cli/options.c ;;
    *) source=src/cli/$(echo "$program" | tr - _).c ;;
    esac
    # No MPI is needed: an unknown component would end it.
    OMPI_MCA_pml=none "$BUILD/$program" --help >"$scratch/help" 2>"$scratch/errors"
    check "help: $program --help is exit 0" [ $? -eq 0 ]
    check "help: $program --help says nothing on stderr" [ ! -s "$scratch/errors" ]
    check "help: $program --help to a reader that leaves early" left_early "$program"
    check "help: $program has no line of more than 110" [ "$(wc -L <"$scratch/help")" -le 110 ]
    check "help: $program has its options in lines of 100" [ \
        "$(grep -E '^  (-|  )' "$scratch/help" | wc -L)" -le 100 ]
    for word in "^usage: $program " '^exit codes: 0 ' '^examples:' "^  $program "; do
        check "help: $program, '$word'" grep -q "$word" "$scratch/help"
    done
    options_of_help >"$scratch/shown"
    options_of_table "$source" >"$scratch/table"
    check "help: $program shows every row of its table" same "$scratch/table" "$scratch/shown"
    options_of_man "docs/man/$program.1" >"$scratch/man"
    check "help: $program and its man page" same "$scratch/man" "$scratch/shown"
    labels_of_help >"$scratch/labels"
    labels_of_man "docs/man/$program.1" >"$scratch/man"
    check "help: $program and its man page, arguments" same "$scratch/man" "$scratch/labels"
    cat "$scratch/labels" >>"$scratch/all"
    "$BUILD/$program" -h >"$scratch/short"
    check "help: $program -h" same "$scratch/help" "$scratch/short"
    "$BUILD/$program" --version >"$scratch/version"
    check "help: $program --version tells the devices and libraries" grep -q '^built for: ' \
        "$scratch/version"
    check "help: $program --version" grep -qxE "$program [0-9]+\.[0-9]+\.[0-9]+" "$scratch/version"
    for line in --what --help=yes; do
        "$BUILD/$program" "$line" 2>"$scratch/errors"
        check "help: $program $line is exit 2" [ $? -eq 2 ]
        check "help: $program $line points at --help" grep \
            -qx "$program: .*'$line'.*; see $program --help" "$scratch/errors"
    done
done
# Each word that looks like an option in the documents is an option of these programs, of those that
# start them, or quoted.
{
    options_in <"$scratch/all"
    echo --quoted
    # srun
    echo --mpi --nodes --ntasks-per-node --kill-on-bad-exit --exclusive --cpu-bind --gpus-per-node \
        --gpu-bind
    # mpirun
    echo --map-by --bind-to --hostfile
    echo --cflags --libs --filter --suppressions # pkg-config, split, valgrind
} | options_in >"$scratch/known"
for text in README.md docs/guide/* docs/man/*; do
    sed 's/\\-/-/g; s/\\f.//g' "$text" | grep -oE '(^|[^a-zA-Z0-9-])--[a-z][a-z0-9-]*' |
        grep -oE -e '--.*' | sort -u | comm -23 - "$scratch/known" >"$scratch/strange"
    check "help: $text speaks of options that there are" [ ! -s "$scratch/strange" ]
    sed 's/^/# /' "$scratch/strange"
done
check "help: README.md has at most 200 lines" [ "$(wc -l <README.md)" -le 200 ]

# The formats of the table, by their files, and with their suffixes: in --help and in
# apsp-formats(5).
for row in $(grep -oE '&graph_[a-z0-9]+' src/graph/sources.c | tr -d '&'); do
    awk -v row="$row" '$0 ~ "^const struct graph_source " row " " { inside = 1 }
        inside && /\.name = / { gsub(/.*= "|",?.*/, ""); print; exit }' src/graph/*.c
done | sort >"$scratch/table"
# suffixes_of FORMAT: those among the words that it reads.
suffixes_of() {
    grep -oE '(^| |`)\.[a-z0-9]+' | tr -d ' `' | sed "s/^/$1 /"
}
"$BUILD/apsp" --help | sed -n '/^formats of GRAPH/,/^$/p' >"$scratch/help"
sed -nE 's/^  ([a-z0-9]+) .*/\1/p' "$scratch/help" | sort >"$scratch/formats"
sed -nE 's/^\.SS //p' docs/man/apsp-formats.5 | sort >"$scratch/man"
check "help: formats of the table in --help" same "$scratch/table" "$scratch/formats"
check "help: formats in apsp-formats(5)" same "$scratch/formats" "$scratch/man"
for format in $(cat "$scratch/formats"); do
    grep "^  $format " "$scratch/help" | sed 's/.*: \././; s/^/ /' |
        suffixes_of "$format" >>"$scratch/suffixes"
    sed -n "/^\.SS $format\$/,/^\.SS/p" docs/man/apsp-formats.5 |
        sed -n '/^Suffix/{s/[;:].*//;s/,//g;p;}' | suffixes_of "$format" >>"$scratch/man-suffixes"
done
check "help: suffixes in apsp-formats(5)" same "$scratch/suffixes" "$scratch/man-suffixes"
sed -nE 's/.*\.alias = "([a-z]+)".*/\1/p' src/graph/*.c | sort >"$scratch/aliases"
sed -nE 's/.*also known as ([a-z]+)[.:].*/\1/p' docs/man/apsp-formats.5 | sort >"$scratch/man"
check "help: other names of formats in apsp-formats(5)" same "$scratch/aliases" "$scratch/man"
sed -nE 's/^    \{"([a-z0-9]+)",?( .*)?$/\1/p' src/base/codecs.c >"$scratch/codecs"
check "help: some compressions" [ -s "$scratch/codecs" ]
for codec in $(cat "$scratch/codecs"); do
    check "help: $codec in apsp-formats(5)" grep -q "^\.BR $codec (1)" docs/man/apsp-formats.5
done

# The values of options, as the message about another one lists them, in their part of the man page.
# values_of PROGRAM OPTION [ARGUMENT...], those after the graph's
values_of() {
    program_of_values=$1
    option=$2
    shift 2
    "$BUILD/$program_of_values" "--$option" zz "$scratch/help" "$@" 2>&1 |
        sed -nE 's/.*(not one of|none of|only) ([^;]*).*/\2/p' | tr -d ' ' | tr ',' '\n' |
        sort >"$scratch/values"
    check "help: values of $program_of_values --$option" [ "$(wc -l <"$scratch/values")" -ge 3 ]
    sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "docs/man/$program_of_values.1" | sed 's/\\-/-/g' |
        awk -v tag="--$option " '/^\.TP/ { inside = 0; getline; inside = index($0 " ", tag) > 0 }
            inside' | tr -c 'a-z0-9_\n' '\n' >"$scratch/man"
    for value in $(cat "$scratch/values"); do
        check "help: --$option $value in $program_of_values(1)" grep -qx "$value" "$scratch/man"
    done
}
# An older name of an option works, and --help does not list it.
printf 'from,to,weight\na,b,1\na,b,2\n' >"$scratch/twice.csv"
older_name() {
    "$BUILD/apsp" --quiet --parallel sum "$scratch/twice.csv" "$scratch/twice.out.csv" &&
        grep -qx a,b,3 "$scratch/twice.out.csv" && ! "$BUILD/apsp" --help | grep -qe --parallel
}
check "help: --parallel, the older name of --multi-edges" older_name
for option in format device method dtype transport multi-edges output-type; do
    values_of apsp $option
done
for option in format multi-edges distances-format; do
    values_of apsp-query $option "$scratch/help" 1 1
    values_of apsp-verify $option "$scratch/help"
done

# Suffixes of what is written.
for suffix in $(sed -nE 's/.*\.suffix = "(\.[a-z0-9]+)".*/\1/p' src/rows/*.c | sort -u); do
    check "help: $suffix, which is written, in apsp(1)" sh \
        -c 'sed -n "/^\.SH FILES/,\$p" docs/man/apsp.1 | grep -qF "$1"' sh "$suffix"
done

# Exit codes.
"$BUILD/apsp" --help | sed -n '/^exit codes/,/^$/p' | tr -s '\n ' ' ' | grep -oE '(^|[ ,])[0-9]+ ' |
    tr -d ' ,' >"$scratch/help"
sed -n '/^\.SH EXIT STATUS/,/^\.TE/p' docs/man/apsp.1 |
    sed -nE 's/^([0-9]+)\|.*/\1/p' >"$scratch/man"
check "help: exit codes in apsp(1)" same "$scratch/help" "$scratch/man"

# And those of distances.
"$BUILD/apsp-verify" --help | sed -n '/^formats of DISTANCES/,/^$/p' >"$scratch/help"
sed -nE 's/^  ([a-z0-9]+) .*/\1/p' "$scratch/help" | sort >"$scratch/formats"
sed -nE 's/^\.SS //p' docs/man/apsp-verify.1 | sort >"$scratch/man"
check "help: formats of distances in apsp-verify(1)" same "$scratch/formats" "$scratch/man"
for suffix in $(grep -oE ' \.[a-z0-9]+' "$scratch/help" | sort -u); do
    check "help: $suffix in apsp-verify(1)" grep -qE "^Suffix.*\\$suffix[,;:. ]" \
        docs/man/apsp-verify.1
done
# Options stand in the man page in the groups and in the order of --help.
"$BUILD/apsp" --help | sed -nE '/^where to run/,/^exit codes/ {
    s/^  (-h, )?--([a-z-]+).*/\2/p; t
    s/^([a-z][a-z ]*)$/# \1/p }' >"$scratch/help"
sed -n '/^\.SH OPTIONS/,/^\.SH FILES/p' docs/man/apsp.1 | sed 's/\\-/-/g' |
    sed -nE '/^\.TP$/ { n; s/^\.B[IR]? (-h ", " )?--([a-z-]+).*/\2/p }
        s/^\.SS (.*)/# \L\1/p' >"$scratch/man"
check "help: the man page has the groups of --help" sh -c \
    'grep -vx no-progress "$1" | diff - "$2"' sh "$scratch/help" "$scratch/man"
finish
