#!/bin/sh
# The walks of the sparse engine where waves see each other's stores late (weak.h):
# BUILD=build/emulated/weak sh tests/emulated/weak.sh. SEEDS (1000) small graphs, each in an order
# of its own, with rows and counts; and what is left out of the kernels' order has to be noticed.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export MANY_DEVICE=gpu EMULATED_GPUS=1

# walks GRAPHS: rows and counts, up and down, with cores and without.
walks() {
    mpi 1 env MANY="$1" "$BUILD/tests/sparse/test_many" >"$scratch/log" 2>&1 ||
        { tail -n 5 "$scratch/log" && return 1; }
}
check "weak: ${SEEDS:-1000} seeds of the walks" walks "${SEEDS:-1000}"

# noticed ORDER: without it rows or counts of some graph are wrong.
noticed() {
    ! EMULATED_PLANT=$1 walks 100 >/dev/null &&
        grep -q 'test_many.c:[0-9]*: error: Failure' "$scratch/log"
}
for order in release acquire; do
    check "weak: a walk without $order is noticed" noticed $order
done
finish
