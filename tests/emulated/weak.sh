#!/bin/sh
# The walks of the sparse engine where waves see each other's stores late (weak.h):
# BUILD=build/emulated/weak sh tests/emulated/weak.sh. SEEDS (1000) small graphs in each type, each
# in an order of its own, with rows and counts. What is left out of the kernels' order has to be
# noticed: wrong distances, or a walk that never ends or goes astray.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export MANY_DEVICE=gpu EMULATED_GPUS=1

# walks GRAPHS: rows and counts, up and down, with cores and without.
walks() {
    mpi 1 timeout 900 env MANY="$1" "$BUILD/tests/sparse/test_many" >"$scratch/log" 2>&1 ||
        { tail -n 5 "$scratch/log" && return 1; }
}
# Every twelfth of them is in f32, and in f64; more are in the others.
check "weak: ${SEEDS:-1000} seeds of each walk" walks $((12 * ${SEEDS:-1000}))

# noticed ORDER: without it some graph fails.
noticed() {
    ! EMULATED_PLANT=$1 walks 200 >/dev/null
}
for order in release acquire; do
    check "weak: a walk without $order is noticed" noticed $order
done
finish
