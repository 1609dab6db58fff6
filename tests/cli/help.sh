#!/bin/sh
# --help of every program: the options of its table, those of its man page, and for apsp those of README.md.
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
        sed -nE 's/.*\{OPTION_[A-Z0-9]+, "([a-z]|[a-z][a-z-]+)",.*/\1/p' "$1" $(grep -qE "(INPUT|SUBJECT)_OPTIONS" "$1" && echo src/cli/input.h) $(grep -q SUBJECT_OPTIONS "$1" && echo src/cli/subject.h) | sed 's/^/--/; s/^--\(.\)$/-\1/'
        echo --help --version
    } | options_in
}

# The left column.
options_of_help() {
    sed -nE 's/^  (-.*)/\1/p' "$scratch/help" | sed 's/   *.*//' | options_in
}

# options_of_man PAGE: its tags.
options_of_man() {
    sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$1" | sed -n '/^\.TP/{n;p;}' | sed 's/\\-/-/g; s/\\f.//g' | options_in
}

# The first column of the table.
options_of_readme() {
    sed -n '/^### Options/,/^### Exit codes/s/^| \(.*\)/\1/p' README.md | sed 's/ | .*//' | options_in
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
    check "help: $program has no line of more than 110" [ "$(wc -L <"$scratch/help")" -le 110 ]
    for word in "^usage: $program " '^exit codes: 0 ' '^examples:' "^  $program "; do
        check "help: $program, '$word'" grep -q "$word" "$scratch/help"
    done
    options_of_help >"$scratch/shown"
    options_of_table "$source" >"$scratch/table"
    check "help: $program shows every row of its table" same "$scratch/table" "$scratch/shown"
    options_of_man "docs/man/$program.1" >"$scratch/man"
    check "help: $program and its man page" same "$scratch/man" "$scratch/shown"
    "$BUILD/$program" --version >"$scratch/version"
    check "help: $program --version" grep -qxE "$program [0-9]+\.[0-9]+\.[0-9]+" "$scratch/version"
    for line in --what --help=yes; do
        "$BUILD/$program" "$line" 2>"$scratch/errors"
        check "help: $program $line is exit 2" [ $? -eq 2 ]
        check "help: $program $line points at --help" grep -qx "$program: .*'$line'.*; see $program --help" "$scratch/errors"
    done
done
"$BUILD/apsp" --help >"$scratch/help"
options_of_help >"$scratch/shown"
options_of_readme >"$scratch/readme"
check "help: apsp and README.md" same "$scratch/readme" "$scratch/shown"

# The formats of the table, as --help lists them, with their suffixes, in the page of formats and in README.md.
"$BUILD/apsp" --help | sed -n '/^formats of GRAPH/,/^$/p' | sed -nE 's/^  ([a-z0-9]+) .*/\1/p' | sort >"$scratch/formats"
suffixes=$("$BUILD/apsp" --help | sed -n '/^formats of GRAPH/,/^$/p' | grep -oE ' \.[a-z]+' | sort -u)
sed -nE 's/^\.SS //p' docs/man/apsp-formats.5 | sort >"$scratch/man"
check "help: formats in apsp-formats(5)" same "$scratch/formats" "$scratch/man"
sed -n '/^\*\*Graph\./,/^Vertices/p' README.md | sed -nE 's/^\| `([a-z0-9]+)` .*/\1/p' | sort >"$scratch/readme"
check "help: formats in README.md" same "$scratch/formats" "$scratch/readme"
check "help: some suffixes" [ -n "$suffixes" ]
for suffix in $suffixes; do
    check "help: $suffix in apsp-formats(5)" grep -qE "^Suffix.*\\$suffix[,;:.]" docs/man/apsp-formats.5
    check "help: $suffix in README.md" grep -qF "\`$suffix\`" README.md
done
# And those of distances.
"$BUILD/apsp-verify" --help | sed -n '/^formats of DISTANCES/,/^$/p' >"$scratch/help"
sed -nE 's/^  ([a-z0-9]+) .*/\1/p' "$scratch/help" | sort >"$scratch/formats"
sed -nE 's/^\.SS //p' docs/man/apsp-verify.1 | sort >"$scratch/man"
check "help: formats of distances in apsp-verify(1)" same "$scratch/formats" "$scratch/man"
for suffix in $(grep -oE ' \.[a-z0-9]+' "$scratch/help" | sort -u); do
    check "help: $suffix in apsp-verify(1)" grep -qE "^Suffix.*\\$suffix[,;:. ]" docs/man/apsp-verify.1
done
finish
