#!/bin/sh
# What the command does with its output files: exit codes, one line on stderr, nothing partial left.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# A place of its own that tells what is in it.
place=$scratch/place
mkdir "$place"
graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 200 -s 3 -o "$graph"
"$BUILD/apsp" --quiet "$graph" "$scratch/right"
right=$(checksum "$scratch/right")

# run_on RANKS ARGUMENTS...: apsp, one rank without a launcher.
run_on() {
    if [ "$1" -eq 1 ]; then
        shift
        "$BUILD/apsp" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    else
        ranks=$1
        shift
        mpi "$ranks" "$BUILD/apsp" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    fi
}

# fails CODE WORDS RANKS ARGUMENTS...: that exit code, the words in the one line on stderr, the
# place as it was.
fails() {
    code=$1 words=$2 ranks=$3
    shift 3
    before=$(ls -lA --time-style=+ "$place")
    run_on "$ranks" "$@"
    status=$?
    lines=$(grep -c '^apsp: ' "$scratch/stderr")
    [ "$status" -eq "$code" ] && [ "$lines" -eq 1 ] &&
        grep -q "^apsp: .*$words" "$scratch/stderr" &&
        [ "$before" = "$(ls -lA --time-style=+ "$place")" ] && return
    echo "# exit code $status, wanted $code with '$words', $lines lines:"
    sed 's/^/# /' "$scratch/stderr"
    ls -lA "$place" | sed 's/^/# /'
    return 1
}

# works RANKS ARGUMENTS...: exit code 0, the right distances in the place and nothing else.
works() {
    run_on "$@" && [ "$(checksum "$place/out")" = "$right" ] &&
        [ "$(ls -A "$place")" = out ] && return
    sed 's/^/# /' "$scratch/stderr"
    ls -lA "$place" | sed 's/^/# /'
    return 1
}

for ranks in 1 3; do
    check "missing directory, $ranks ranks" fails 5 'No such file' $ranks "$graph" "$place/none/out"
    check "directory as output, $ranks ranks" fails 5 'is a directory' $ranks --force "$graph" \
        "$place"
    check "input as output, $ranks ranks" fails 2 'the input' $ranks --force "$graph" "$graph"
    echo old >"$place/out"
    check "existing output, $ranks ranks" fails 2 '--force' $ranks "$graph" "$place/out"
    check "replaced output, $ranks ranks" works $ranks --force "$graph" "$place/out"
    rm "$place/out"
    ln -s "$scratch/right" "$place/out"
    check "link as output, $ranks ranks" fails 2 '--force' $ranks "$graph" "$place/out"
    check "replaced link, $ranks ranks" works $ranks --force "$graph" "$place/out"
    check "the link's target, $ranks ranks" [ "$(checksum "$scratch/right")" = "$right" ]
    rm "$place/out"
    echo stale >"$place/.out.apsp-tmp"
    check "stale temporary file, $ranks ranks" works $ranks "$graph" "$place/out"
    rm "$place/out"
done

"$BUILD/apsp-gen" path -n 3 -o "$scratch/tiny.bin"
"$BUILD/apsp" --quiet "$scratch/tiny.bin" "$scratch/tiny"
mpi 5 "$BUILD/apsp" --quiet "$scratch/tiny.bin" "$scratch/tiny5"
check "more ranks than rows" cmp "$scratch/tiny" "$scratch/tiny5"

# The limit is above what MPI's own files take; sh counts blocks of 512 or 1024 bytes.
"$BUILD/apsp-gen" path -n 7000 -o "$scratch/long.bin"
limited() {
    (ulimit -f 131072 && fails 5 'File too large' 2 "$scratch/long.bin" "$place/out")
}
check "file size limit" limited

# Signals while it runs: wait for the temporary file, then stop everything.
interrupted() {
    OMPI_MCA_odls_base_sigkill_timeout=5 mpirun --oversubscribe -n 2 "$BUILD/apsp" --device cpu \
        --threads 1 --tile 1 "$scratch/long.bin" "$place/out" >/dev/null 2>&1 &
    running=$!
    tries=0
    while [ ! -e "$place/.out.apsp-tmp" ] && [ $tries -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.5
    [ -e "$place/.out.apsp-tmp" ] || echo "# there was no temporary file"
    kill "-$1" $running
    wait $running
    status=$?
    [ $tries -lt 200 ] && [ $status -ne 0 ] && [ -z "$(ls -A "$place")" ] && return
    echo "# exit code $status, left: $(ls -A "$place")"
    rm -f "$place/.out.apsp-tmp"
    return 1
}
check "SIGTERM" interrupted TERM
check "SIGINT" interrupted INT

# A file system that is too small, and a directory that one host sees otherwise: both need mounts.
if ! can_mount; then
    echo \
        "skip output: a full file system and a directory not visible on a node need the right to mount"
    finish
fi
# full SIZE WORDS ARGUMENTS...: a file system of that size in the place.
full() {
    size=$1 words=$2
    shift 2
    on_disk "$size" "$place" sh -c '
        place=$1 program=$2/apsp
        shift 2
        mpirun --oversubscribe -n 2 "$program" "$@" "$place/out"
        status=$?
        ls -A "$place" >&2
        exit $status' sh "$place" "$BUILD" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ $status -eq 5 ] && [ "$(grep -c '^apsp: ' "$scratch/stderr")" -eq 1 ] &&
        grep -q "^apsp: .*$words" "$scratch/stderr" &&
            ! grep -qE '^(\.|out|trees)' "$scratch/stderr" && return
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
check "full file system" full 128k 'needs 156 KiB.*128 KiB free' "$graph"
check "room for one of two files" full 256k 'needs 156 KiB' --predecessors "$place/trees" \
    "$graph"

# hidden CONTENT...: rank 1 sees another directory of that name, with a temporary file of such
# content or with none.
hidden() {
    mpirun --oversubscribe -n 1 "$BUILD/apsp" "$graph" "$place/out" : -n 1 unshare -m sh -c '
        mount -t tmpfs tmpfs "$2" &&
            if [ -n "$4" ]; then head -c 160000 "$4" >"$2/.out.apsp-tmp"; fi
        exec "$1/apsp" "$3" "$2/out"' sh "$BUILD" "$place" "$graph" \
            "$1" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ $status -eq 5 ] && [ "$(grep -c '^apsp: ' "$scratch/stderr")" -eq 1 ] &&
        grep -q "not visible on host $(hostname)" "$scratch/stderr" && [ -z "$(ls -A "$place")" ] &&
            return
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
check "directory not visible on a node" hidden ''
check "directory of that name on a node" hidden /dev/zero
finish
