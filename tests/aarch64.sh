#!/bin/sh
# The wheel for ARM's 64 bits, by `make check-wheel-aarch64`: built by a cross compiler with the
# libraries of Debian 12's arm64, which are unpacked and not installed, and run by qemu. Needs root,
# mmdebstrap, gcc-aarch64-linux-gnu, qemu-user and a mirror; minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
. tests/tree.sh
needs_tree wheel-aarch64 aarch64-linux-gnu-gcc qemu-aarch64

check "wheel, aarch64: the tree" mmdebstrap --quiet --architectures=arm64 --variant=extract \
    --include=libc6-dev,libcjson-dev,libgcc-12-dev,libgomp1,libmetis-dev,libxxhash-dev,zlib1g-dev \
    --include=python3.11-minimal,libpython3.11-stdlib,libffi8 bookworm "$tree" || finish
check "wheel, aarch64: build" make -s -j2 BUILD="$BUILD/aarch64" GPU=none MPICC=none \
    CC="aarch64-linux-gnu-gcc --sysroot=$tree" wheel || finish
wheel=$(ls "$BUILD"/aarch64/wheel/apsp-*_aarch64.whl)
echo "wheel, aarch64: $wheel"
python3 -m zipfile -e "$wheel" "$scratch/wheel"

cat >"$scratch/alone.py" <<'END'
import apsp, random
random.seed(1)
n = 300
weights = [[random.randrange(1, 99) * (random.random() < 0.02) for _ in range(n)] for _ in range(n)]
infinite = float("inf")
right = [[float(w or infinite) for w in row] for row in weights]
for i in range(n):
    right[i][i] = 0
for k in range(n):
    for row in right:
        if row[k] < infinite:
            row[:] = [min(a, row[k] + b) for a, b in zip(row, right[k])]
for method in "dense", "sparse", "sssp":
    with apsp.solve(weights, method=method, verify=n) as solution:
        assert memoryview(solution.distances()).tolist() == right, method
END
check "wheel, aarch64: three engines under qemu" env PYTHONHOME="$tree/usr" \
    PYTHONPATH="$scratch/wheel" \
    OMP_NUM_THREADS=2 qemu-aarch64 -L "$tree" "$tree/usr/bin/python3.11" "$scratch/alone.py"
finish
