#!/bin/sh
# Every single allocation of a solve fails in turn: APSP_MEMORY, nothing leaks (check-asan), and the
# next solve is right.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
if grep -qE '^(cuda|hip)' "$BUILD/gpu-choice" 2>/dev/null; then
    echo \
        "skip memory: the GPU's runtime in this build would meet the failing allocations too (make GPU=none)"
    exit 0
fi
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=1"
program=$(realpath "$BUILD/tests/library/fault_solve")
# solve NUMBER METHOD [RANKS]: that allocation fails.
solve() {
    APSP_FAULT="memory $1 12" APSP_FAULT_RANK=none APSP_FAULT_PROGRAM="$program" "$program" "$2" \
        ${3:+"$3"} 2>"$scratch/log"
}
all_fail() { # METHOD [RANKS]
    at=0
    ended=0
    while [ "$ended" -eq 0 ]; do
        at=$((at + 1))
        solve $at "$@"
        ended=$?
    done
    [ "$ended" -eq 77 ] && [ "$at" -gt 30 ] && return
    cat "$scratch/log"
    return 1
}
check "memory: each allocation of a library's solve" all_fail dense
check "memory: each allocation of a library's solve, two ranks" all_fail dense 2
solve 1000000 sparse
if [ $? -eq 1 ] && grep -q '^2, then 2' "$scratch/log"; then
    echo "skip memory: built without METIS"
else
    check "memory: each allocation of a library's solve, sparse" all_fail sparse
    check "memory: each allocation of a library's solve, sparse, three ranks" all_fail sparse 3
fi
finish
