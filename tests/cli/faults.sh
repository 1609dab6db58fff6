#!/bin/sh
# Calls of the system that fail (tests/faults/): one of each kind, and some of the allocations of
# some runs, drawn by SEED; `make check-faults` makes all of them fail.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
python=${PYTHON:-python3}

if grep -qE '^(cuda|hip)' "$BUILD/gpu-choice" 2>/dev/null; then
    echo \
        "skip faults: the GPU's runtime in this build would meet the failing allocations too (make GPU=none)"
    exit 0
fi
if ! command -v "$python" >/dev/null; then
    echo "skip faults: needs Python"
    exit 0
fi
runs= allocated=
if "$BUILD/apsp" --quiet --method sparse "tests/fuzz/seeds/gr/small" 2>&1 | grep -q METIS; then
    echo "skip faults: built without METIS"
    runs='^(?!sparse|order)' allocated='^(dense|pairs npz|checkpoint|resume)$'
fi
status=0

# fail ARGUMENTS: the draws of make check are always the same, so that what fails there fails again.
fail() {
    BUILD=$BUILD "$python" -B tests/faults/faults.py --seed "${SEED:-4147522}" "$@"
}
fail --allocations --each 10 --only "$allocated" >"$scratch/allocations" 2>&1 &
if [ -e "$BUILD/tests/faults/interpose.so" ]; then
    fail --sample --only "$runs" || status=1
else
    echo "skip faults: one of each kind of calls: the sanitizers take no part in it"
fi
wait $! || status=1
cat "$scratch/allocations"
exit $status
