#!/bin/sh
# --estimate: what it tells as text and as JSON, its verdict, and that nothing is written.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.bin
mkdir "$scratch/dir"
out=$scratch/dir/out
"$BUILD/apsp-gen" grid -n 2500 -s 1 -o "$graph"
"$BUILD/apsp-gen" path -n 2000000 -o "$scratch/path.bin"

# estimates CODE LAST-LINE OPTION...: the text ends so, and a failure has one line.
estimates() {
    wanted=$1 last=$2
    shift 2
    "$BUILD/apsp" --device cpu --estimate "$@" >"$scratch/text" 2>"$scratch/errors"
    code=$?
    [ $code -eq "$wanted" ] && [ "$(tail -n 1 "$scratch/text" | tr -s ' ')" = "verdict $last" ] &&
        [ "$(wc -l <"$scratch/errors")" -eq $((wanted > 0)) ] && [ -z "$(ls -A "$scratch/dir")" ] &&
            return
    echo "# exit code $code"
    cat "$scratch/text" "$scratch/errors"
    return 1
}
told() {
    grep -qE "$1" "$scratch/text" && return
    cat "$scratch/text"
    return 1
}

check "estimate: fits" estimates 0 fits "$graph" "$out"
check "estimate: the files, and what is free there" told \
    "^output files +23.8 MiB of [0-9.]+ [KMGTPE]iB free in $scratch/dir\$"
check "estimate: a rank" told '^memory of a rank, at most +[0-9.]+ MiB$'
check "estimate: a node" told '^memory of a node, at most +[0-9.]+ MiB of [0-9.]+ [GTP]iB$'
check "estimate: seconds" told '^solve, about +[0-9.]+ (us|ms|s) at '
check "estimate: one method is taken" [ "$(grep -c '^method .*, taken$' "$scratch/text")" -eq 1 ]
check "estimate: the dense method" told '^method dense'
check "estimate: the sparse method" told '^method sparse'
check "estimate: rows are as many as vertices" sh -c '! grep -q ^rows "$1"' sh "$scratch/text"

# Searches of a deep graph whose edges are all of one length: its betweenness needs no rows.
"$BUILD/apsp-gen" lattice -n 2500 -w 1:1 -s 1 -o "$scratch/lattice.bin"
between="--betweenness $scratch/dir/between.csv"
# shellcheck disable=SC2086 # a list of words
check "estimate: betweenness without rows" estimates 0 fits $between "$scratch/lattice.bin"
check "estimate: it says that there are no rows" told '^rows +none$'
# shellcheck disable=SC2086 # a list of words
check "estimate: betweenness of other lengths" estimates 0 fits $between "$graph"
check "estimate: it has rows" sh -c '! grep -q ^rows "$1"' sh "$scratch/text"
# reports PLACE OPTION...: the place of rank 0 in the report of a run ends so.
reports() {
    place=$1
    shift
    "$BUILD/apsp" --device cpu "$@" >"$scratch/text" && told "^#   rank 0: .* threads?, $place\$"
}
check "report: no rows" reports 'no rows' --betweenness "$scratch/between.csv" \
    "$scratch/lattice.bin"
check "report: one row" reports '1 row' --method sssp --sources 1 --stats "$scratch/one.csv" \
    "$graph"
check "report: as many rows as vertices" reports '2500 rows' --method sssp \
    --stats "$scratch/all.csv" "$graph"

check "estimate: no name that is taken" sh -c '! "$0" --estimate "$1" "$1" 2>"$2"' "$BUILD/apsp" \
    "$graph" "$scratch/errors"
check "estimate: memory that is too small" estimates 4 'does not fit' --method dense \
    "$scratch/path.bin"
check "estimate: the line says what" grep \
    -qE '^apsp: .*: does not fit: [0-9.]+ [TP]iB of memory on a node, which may use ' \
    "$scratch/errors"
check "estimate: hours and more" told '^solve, about +[0-9.]+ (h|d) at '
check "estimate: a disk that is too small" estimates 4 'does not fit' --method sparse \
    "$scratch/path.bin" "$out"
check "estimate: the line says where" grep \
    -qE ": does not fit: 14.6 TiB of files, and .* are free in $scratch/dir\$" "$scratch/errors"
check "estimate: so many bytes at most may fit" estimates 0 \
    'fits, unless the files grow too large' --method sparse --within 5 "$scratch/path.bin" "$out.csv"
check "estimate: those of another file are certain" estimates 4 'does not fit' --method sparse \
    --within 5 --predecessors "$scratch/dir/trees" "$scratch/path.bin" "$out.csv"
check "estimate: a pipe's bytes wait elsewhere" estimates 0 fits "$graph" -
check "estimate: in TMPDIR" sh \
    -c 'TMPDIR=/var/tmp "$0" --estimate "$1" - | grep -q "free in /var/tmp\$"' "$BUILD/apsp" \
    "$graph"

# json FIELD: of the file.
if ! command -v python3 >/dev/null; then
    echo "skip estimate: its JSON: python3 is not installed"
    finish
fi
json() {
    [ "$(python3 -c "import json, sys; r = json.load(open(sys.argv[1])); print(($1))" \
        "$scratch/json")" = "$2" ]
}
for ranks in 1 2; do
    rm -f "$scratch/json"
    check "estimate: JSON, $ranks ranks" "$BUILD/apsp" --device cpu --estimate --ranks $ranks \
        --json "$scratch/json" "$graph" "$out"
    check "estimate: the same facts, $ranks ranks" json \
        'r["fits"], r["ranks"], r["vertices"], r["files"][0]["bytes"]' \
        "(True, $ranks, 2500, 25000000)"
    check "estimate: rows, $ranks ranks" json 'r["rows"]' 2500
    check "estimate: methods, $ranks ranks" json \
        'sorted(m["name"] for m in r["methods"]), sum(m["taken"] for m in r["methods"])' \
        "(['dense', 'sparse', 'sssp'], 1)"
done
# rows NUMBER OPTION...: so many rows are made.
rows() {
    number=$1
    shift
    "$BUILD/apsp" --device cpu --method sssp --estimate --force --json "$scratch/json" "$@" \
        >"$scratch/text" && json 'r["rows"]' "$number"
}
check "estimate: no row for a diameter" rows 0 --diameter "$scratch/d.json" "$graph"
check "estimate: no row for a closure" rows 0 --closure "$scratch/c.npy" "$graph"
check "estimate: all rows for both" rows 2500 --diameter "$scratch/d.json" \
    --closure "$scratch/c.npy" "$graph"
check "estimate: a taken name of the JSON" sh -c '! "$0" --estimate --json "$1" "$2" 2>/dev/null' \
    "$BUILD/apsp" "$scratch/json" "$graph"
rm "$scratch/json"
check "estimate: JSON of what does not fit" sh \
    -c \
    '"$0" --device cpu --estimate --method dense --json "$1" "$2" >/dev/null 2>&1; [ $? -eq 4 ]' \
    "$BUILD/apsp" "$scratch/json" "$scratch/path.bin"
check "estimate: it says so" json 'r["fits"], r["memory"]["node"] > r["memory"]["node_limit"]' \
    '(False, True)'
full() {
    rm -rf "$scratch/full"
    mkdir "$scratch/full"
    on_disk 4k "$scratch/full" sh \
        -c \
        'head -c 4096 /dev/zero >"$1/fill"; "$2" --device cpu --estimate --write-retry 0 --json "$1/json" "$3"' \
        sh "$scratch/full" "$BUILD/apsp" "$graph" >"$scratch/text" 2>"$scratch/errors"
    [ $? -eq 5 ] && grep -q 'json: cannot be written: No space left' "$scratch/errors" && return
    cat "$scratch/errors"
    return 1
}
if can_mount; then
    check "estimate: JSON on a full disk" full
else
    echo "skip estimate: JSON on a full disk: there is no right to mount"
fi
"$BUILD/apsp" --device cpu --estimate --json - "$graph" >"$scratch/json" 2>"$scratch/text"
check "estimate: JSON on standard output" json 'r["status"]' estimate
check "estimate: the text is on standard error then" told '^verdict'
finish
