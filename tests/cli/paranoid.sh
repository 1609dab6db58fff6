#!/bin/sh
# --paranoid against bits that turn round in the middle of a solve (APSP_FLIP): exit 8, one line, nothing left behind.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 203 -s 5 -o "$graph"
"$BUILD/apsp" --quiet --device cpu "$graph" "$scratch/right"

# sees AREA SEED OPTIONS...: the fault is planted, told by one line and one code, and no file stays.
sees() {
    fault=$1:$2
    shift 2
    APSP_FLIP=$fault timeout 60 "$BUILD/apsp" --no-progress --method "${method:-dense}" --paranoid "$@" "$graph" "$scratch/none" >/dev/null 2>"$scratch/log"
    found=$?
    [ "$found" -eq 8 ] && grep -q '^flip: ' "$scratch/log" && [ "$(grep -c '^apsp: memory of rank .* has changed by itself: ' "$scratch/log")" -eq 1 ] &&
        [ "$(grep -c '^apsp: ' "$scratch/log")" -eq 1 ] && [ -z "$(find "$scratch" -name '*none*')" ] && return
    echo "# $fault $*: exit status $found"
    cat "$scratch/log"
    return 1
}

each_area() {
    for area in strip raw row col; do
        for seed in 1 2 3; do
            sees $area $seed "$@" || return
        done
    done
}

right() {
    "$BUILD/apsp" --quiet --method dense --force --paranoid "$@" "$graph" "$scratch/out" && cmp -s "$scratch/out" "$scratch/right"
}

proves_all() {
    "$BUILD/apsp" --paranoid --verify=3 --device cpu "$@" "$graph" >"$scratch/log" && grep -q '^verify: PASSED, all 203 rows' "$scratch/log"
}

# The core of the sparse engine is the dense engine's.
sees_in_core() {
    method=sparse APSP_KAPPA=20 sees "$@"
}

# Nobody looks.
unseen() {
    APSP_FLIP=strip:1 "$BUILD/apsp" --quiet --method dense --device cpu --force "$graph" "$scratch/out" 2>"$scratch/log" && grep -q '^flip: ' "$scratch/log"
}

check "paranoid: faults on one rank" each_area --device cpu
check "paranoid: no fault, and the right distances" right --device cpu
check "paranoid: all rows are certified" proves_all --method dense
check "paranoid: the sparse engine certifies them too" proves_all --method sparse
check "paranoid: faults in the core of the sparse engine" sees_in_core strip 2 --device cpu
check "paranoid: without it the fault goes unseen" unseen
if "$BUILD/apsp" --quiet --ranks 2 "$graph" 2>/dev/null; then
    for transport in mpi host; do
        check "paranoid: faults on 3 ranks, transport $transport" each_area --ranks 3 --transport $transport --tile 17
        check "paranoid: no fault, 3 ranks, transport $transport" right --ranks 3 --transport $transport --tile 17
    done
else
    echo "skip paranoid: ranks: there is no MPI"
fi
finish
