#!/bin/sh
# Every single allocation of our own on one rank fails in turn: all ranks leave with 4, one line says why, and no file stays but those that
# are complete, as it says.
# (build/tests/apsp-faults is the command with tests/fault_alloc.c in it.)
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

if grep -qE '^(cuda|hip)' "$BUILD/gpu-choice" 2>/dev/null; then
    echo "skip faults: the GPU's runtime in this build would meet the failing allocations too (make GPU=none)"
    exit 0
fi
mkdir "$scratch/dir"
out=$scratch/dir/out
log=$scratch/log

"$BUILD/apsp-gen" random -n 50 -d 4 -s 1 -w 1:1000 -o "$scratch/graph.bin"
"$BUILD/apsp" --quiet "$scratch/graph.bin" "$scratch/right"
right=$(checksum "$scratch/right")

# What is wrong with the run that ended with the status; nothing when all is as it should be.
judge() {
    lines=$(grep -c '^apsp: ' "$log")
    if [ "$1" -eq 0 ] && [ "$(checksum "$out")" = "$right" ]; then
        return # it could do without
    fi
    [ "$1" -eq 4 ] || echo "exit status $1 instead of 4"
    [ "$lines" -eq 1 ] || echo "$lines lines of explanation"
    for left in $(ls -A "$scratch/dir"); do
        [ "$left" = json ] || grep -qF "/$left is complete" "$log" || echo "left behind: $left"
        case $scratch/dir/$left in
        */json) grep -q '"status":.*"failed"' "$scratch/dir/json" && grep -q '"exit":.*4,' "$scratch/dir/json" || echo "not the report of the failure" ;;
        "$out" | "$out.kept") [ "$(checksum "$scratch/dir/$left")" = "$right" ] || echo "not complete: $left" ;;
        esac
    done
}

# inject RANKS RANK OPTIONS: until a run needs fewer allocations.
inject() {
    at=0
    wrong=0
    while [ "$at" -lt 500 ]; do
        at=$((at + 1))
        rm -rf "$scratch/dir"
        mkdir "$scratch/dir"
        start=
        [ "$1" -eq 1 ] || start="mpirun --oversubscribe -n $1"
        APSP_FAULT_AT=$at APSP_FAULT_RANK=$2 timeout 60 $start "$BUILD/tests/apsp-faults" --device cpu \
            $3 --no-progress --threads 1 --verify=all --json "$scratch/dir/json" \
            --predecessors "$scratch/dir/trees.npy" --betweenness "$scratch/dir/values.csv" "$scratch/graph.bin" "$out" \
            >"$log" 2>&1
        status=$?
        # A child that orders a graph has no stderr to tell of its fault.
        [ "$status" -ne 0 ] || grep -q '^fault: ' "$log" || break
        complaint=$(judge "$status")
        if [ -n "$complaint" ]; then
            wrong=$((wrong + 1))
            echo "# $1 ranks, rank $2, $3, $(grep '^fault: ' "$log"): $complaint"
            grep '^apsp: ' "$log"
        fi
    done
    check "faults: $((at - 1)) allocations on rank $2 of $1, $3, then a whole run" \
        [ "$wrong" -eq 0 -a "$at" -gt 1 -a "$status" -eq 0 -a "$(checksum "$out")" = "$right" ]
}

inject 1 0 "--tile 16"
inject 3 0 "--tile 16"
inject 3 2 "--tile 16"
matrix=$right
out=$scratch/dir/out.npz
pairs="--tile 16 --targets 1-9 --nearest 3"
"$BUILD/apsp" --quiet $pairs "$scratch/graph.bin" "$scratch/right.npz"
right=$(checksum "$scratch/right.npz")
inject 1 0 "$pairs"
inject 2 1 "$pairs"
out=$scratch/dir/out
right=$matrix

export APSP_KAPPA=4 # a core, which all ranks close
"$BUILD/apsp" --quiet --method sparse "$scratch/graph.bin" "$out" 2>"$log"
if grep -q 'METIS' "$log"; then
    echo "skip faults: built without METIS"
else
    inject 2 0 "--method sparse"
    inject 2 1 "--method sparse"
fi
finish
