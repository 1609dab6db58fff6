#!/bin/sh
# Every call site of the GPU's runtime fails once, on 1 and 2 ranks (tests/faults/): BUILD=build sh
# tests/gpu/faults.sh. Several runs at a time, JOBS (8). What comes of each site is told as it
# comes, and kept: another run goes on behind it.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
# programs run in other folders
export LD_LIBRARY_PATH="$(realpath "$BUILD")/lib:${LD_LIBRARY_PATH:-}"
gpus=$("$BUILD/tests/gpu/kernels" count)
[ "${gpus:-0}" -ge 1 ] || { echo "skip gpu faults: no GPU"; exit 77; }
command -v "${PYTHON:-python3}" >/dev/null || { echo "skip gpu faults: needs Python"; exit 77; }
BUILD=$BUILD JOBS=${JOBS:-8} "${PYTHON:-python3}" -B tests/faults/faults.py --gpu
