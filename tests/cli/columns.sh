#!/bin/sh
# --targets, --nearest and --within: what cannot be is refused, a file that grows too large is no
# file, and zip readers take the .npz. (What the files hold is tests/run/test_targets.c.)
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graph=$scratch/graph.gr
"$BUILD/apsp-gen" grid -n 400 -s 2 -w 1:9 -o "$graph"
mkdir "$scratch/dir"
out=$scratch/dir/out

# refuses CODE TEXT ARGUMENTS...: that exit code, the text in the one line on stderr, and no file.
refuses() {
    code=$1 text=$2
    shift 2
    "$BUILD/apsp" --quiet --device cpu "$@" 2>"$scratch/log"
    status=$?
    [ "$status" -eq "$code" ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] &&
        grep -q -e "$text" "$scratch/log" &&
        [ -z "$(ls -A "$scratch/dir")" ] && return
    echo "# exit status $status"
    cat "$scratch/log"
    return 1
}

check "targets: without DISTANCES" refuses 2 \
    '--targets requires a file DISTANCES behind GRAPH, --betweenness,' --targets 1 \
    "$graph"
check "targets: --nearest without DISTANCES" refuses 2 '--nearest requires a file DISTANCES' \
    --nearest 2 --stats "$out.csv" "$graph"
check "targets: a vertex that is none" refuses 2 "'401' is neither a vertex" --targets 401 \
    "$graph" "$out"
check "targets: a vertex twice" refuses 2 'vertex 5 is listed twice' --targets 4-6,5 "$graph" "$out"
check "targets: pairs in a matrix" refuses 2 \
    '--nearest writes pairs, and DISTANCES .* is a matrix: name it one of .csv, .tsv, .txt, .mtx, .npz, or a pipe' \
    --nearest 2 "$graph" "$out.npy"
check "targets: --within in a matrix" refuses 2 '--within writes pairs, .* is a matrix' --within 2 \
    "$graph" "$out"
check "targets: --nearest 0" refuses 2 "'0' is not an integer from 1" --nearest 0 "$graph" \
    "$out.csv"
for within in far nan inf '' 1,5; do
    check "targets: --within '$within'" refuses 2 "--within: '$within' is not a number" \
        --within "$within" "$graph" "$out.csv"
done
check "targets: the same file twice" refuses 2 'are the same file' --stats "$out.csv" "$graph" \
    "$out.csv"

# The limit is above what MPI's own files take.
"$BUILD/apsp-gen" path -n 7000 -o "$scratch/long.bin"
limited() {
    (ulimit -f 65536 && refuses 5 'File too large' "$scratch/long.bin" "$out.csv")
}
check "targets: a file that grows too large" limited

for ranks in 3 1; do
    mpi $ranks "$BUILD/apsp" --quiet --force --targets 1-30 "$graph" "$out.npz"
    if command -v python3 >/dev/null; then
        check "targets: Python reads the .npz of $ranks ranks" python3 -c '
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None and len(z.namelist()) == 5' "$out.npz"
    else
        echo "skip targets: Python reads the .npz of $ranks ranks: python3 is not installed"
    fi
done
check "targets: apsp-verify names what it cannot read" sh -c \
    '"$0" "$1" "$2" 2>"$3"; [ $? -eq 3 ] && grep -q "pairs, not whole rows" "$3"' \
    "$BUILD/apsp-verify" "$graph" "$out.npz" "$scratch/log"
rm "$out.npz"

# Estimates speak of the columns alone.
estimated() {
    "$BUILD/apsp" --estimate --sources 1-200 "$@" "$graph" "$out.npy" |
        awk '/output files/ { print $3, $4 }'
}
check "targets: the estimate of files" [ "$(estimated)" = "313 KiB" \
    -a "$(estimated --targets 1-40)" = "31.4 KiB" ]
check "targets: the estimate of pairs is the most" sh \
    -c '"$0" --estimate --within 5 "$1" "$2.csv" | grep -q "^output files, at most "' \
    "$BUILD/apsp" "$graph" "$out"
check "targets: leave no file" [ -z "$(ls -A "$scratch/dir")" ]
finish
