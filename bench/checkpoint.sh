#!/bin/sh
# What checkpoints cost: a run with one every EVERY minutes beside one without, and a checkpoint
# beside writing as many bytes to the same folder with dd conv=fsync, as often and as far apart.
# Limits: 1.05 times the solve, 1.3 times the writing. Usage: [N=16384] [DTYPE=i32] [EVERY=0.25]
# [RANKS=1] [BUILD=build] bench/checkpoint.sh [DIRECTORY]
set -eu

N=${N:-16384} DTYPE=${DTYPE:-i32} EVERY=${EVERY:-0.25} RANKS=${RANKS:-1} BUILD=${BUILD:-build}
dir=$(mktemp -d "${1:-$BUILD}/bench-checkpoint.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

# value FILE NAME: of a number of the report.
value() {
    sed -n "s/^.*\"$2\":[[:space:]]*\([0-9.e+-]*\).*/\1/p" "$1" | head -n 1
}

solve() {
    report=$1
    shift
    "$BUILD/apsp" --quiet --device cpu --ranks "$RANKS" --method dense --dtype "$DTYPE" \
        --json "$report" "$@" "$dir/graph.bin"
}

"$BUILD/apsp-gen" random -n "$N" -o "$dir/graph.bin"
solve "$dir/without"
solve "$dir/with" --checkpoint "$dir/folder" --checkpoint-every "$EVERY"
taken=$(sed -n 's/^.*"taken":[[:space:]]*\([0-9]*\).*/\1/p' "$dir/with")
bytes=$(sed -n '/"checkpoint"/,/}/s/^.*"bytes":[[:space:]]*\([0-9]*\).*/\1/p' "$dir/with")
[ "$taken" -gt 0 ] || { echo "no checkpoint was due: EVERY is too long" >&2; exit 1; }
all=$(sed -n '/"checkpoint":[[:space:]]*{/,/}/s/^.*"seconds":[[:space:]]*\([0-9.e+-]*\).*/\1/p' \
    "$dir/with")
wrote=0
# two files by turns and as far apart, as checkpoints have it: memory may be the host's again by
# then
for turn in $(seq "$taken"); do
    sleep "$(awk -v minutes="$EVERY" 'BEGIN { print 60 * minutes }')"
    begun=$(date +%s.%N)
    rm -f "$dir/file.$((turn % 2))"
    dd if=/dev/zero of="$dir/file.$((turn % 2))" bs=4M count="$((bytes / taken))" \
        iflag=count_bytes conv=fsync status=none
    wrote=$(awk -v wrote="$wrote" -v begun="$begun" -v ended="$(date +%s.%N)" \
        'BEGIN { print wrote + ended - begun }')
done
awk -v n="$N" -v type="$DTYPE" -v without="$(value "$dir/without" solve)" \
    -v with="$(value "$dir/with" solve)" -v taken="$taken" -v bytes="$bytes" \
    -v all="$all" -v wrote="$wrote" 'BEGIN {
    write = wrote / taken
    printf "n = %d, %s: solve without %.2f s, with %d checkpoints %.2f s beside writing them: " \
        "%.3f times (limit 1.05)\n",
        n, type, without, taken, with, with / without
    printf "a checkpoint of %.1f MB %.3f s, dd conv=fsync of as many bytes %.3f s: " \
        "%.2f times (limit 1.3)\n",
        bytes / taken / 1e6, all / taken, write, all / taken / write
}'
