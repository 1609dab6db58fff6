#!/bin/sh
# Calls of the system that fail (tests/faults/): every single allocation of some runs, and a sample of all the other calls, by SEED;
# `make check-faults` makes all of them fail.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
python=${PYTHON:-python3}

if grep -qE '^(cuda|hip)' "$BUILD/gpu-choice" 2>/dev/null; then
    echo "skip faults: the GPU's runtime in this build would meet the failing allocations too (make GPU=none)"
    exit 0
fi
if ! command -v "$python" >/dev/null; then
    echo "skip faults: needs Python"
    exit 0
fi
runs='^(dense|sparse|pairs npz|dense, rank [02] of 3|pairs npz, rank 1 of 2|sparse, rank [01] of 2)$'
if "$BUILD/apsp" --quiet --method sparse "tests/fuzz/seeds/gr/small" 2>&1 | grep -q METIS; then
    echo "skip faults: built without METIS"
    runs='^(dense|pairs npz)$'
fi
status=0
BUILD=$BUILD "$python" -B tests/faults/faults.py --allocations --only "$runs" || status=1
BUILD=$BUILD "$python" -B tests/faults/faults.py --allocations --only '^(verify|query)[^,]*$' || status=1
if [ ! -e "$BUILD/tests/faults/interpose.so" ]; then
    echo "skip faults: a sample of all calls: the sanitizers take no part in it"
    exit $status
fi
BUILD=$BUILD "$python" -B tests/faults/faults.py --seconds 30 --seed "${SEED:-4147522}" || status=1
exit $status
