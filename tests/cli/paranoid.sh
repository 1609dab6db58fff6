#!/bin/sh
# --paranoid against bits that turn round in the middle of a solve (APSP_FLIP): exit 8, one line,
# nothing left behind. sh tests/cli/paranoid.sh [gpu]
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
device=${1:-cpu}
graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 203 -s 5 -o "$graph"
"$BUILD/apsp" --quiet --device cpu "$graph" "$scratch/right"
# Sums of these are rounded.
awk 'BEGIN {
    srand(3)
    print "%%MatrixMarket matrix coordinate real general\n203 203 1500"
    for (e = 0; e < 1500; e++)
        printf "%d %d %.17g\n", 1 + int(rand() * 203), 1 + int(rand() * 203), rand() / 3
}' >"$scratch/real.mtx"

# sees AREA SEED OPTIONS...: the fault is planted, told by one line and one code, and no file stays.
sees() {
    fault=$1:$2
    shift 2
    APSP_FLIP=$fault timeout 60 "$BUILD/apsp" --no-progress --method "${method:-dense}" \
        --paranoid "$@" "$graph" "$scratch/none" >/dev/null 2>"$scratch/log"
    found=$?
    [ "$found" -eq 8 ] && grep -q '^flip: ' "$scratch/log" &&
        [ "$(grep -c '^apsp: bit flip in memory of rank ' "$scratch/log")" -eq 1 ] &&
        [ "$(grep -c '^apsp: ' "$scratch/log")" -eq 1 ] &&
            [ -z "$(find "$scratch" -name '*none*')" ] && return
    echo "# $fault $*: exit status $found"
    cat "$scratch/log"
    return 1
}

# each AREAS OPTIONS...
each() {
    areas=$1
    shift
    for area in $areas; do
        for seed in 1 2 3; do
            sees "$area" $seed "$@" || return
        done
    done
}

# The core of the sparse engine is the dense engine's.
sees_in_core() {
    method=sparse APSP_KAPPA=20 sees "$@"
}

right() {
    "$BUILD/apsp" --quiet --method dense --force --paranoid "$@" "$graph" "$scratch/out" &&
        cmp -s "$scratch/out" "$scratch/right"
}

# Neither sums nor certificate have anything to say.
agrees() {
    for tile in 17 48 64; do
        "$BUILD/apsp" --quiet --method dense --paranoid --tile $tile "$@" || return
    done
}

proves_all() {
    "$BUILD/apsp" --paranoid --verify --device "$device" "$@" "$graph" >"$scratch/log" &&
        grep -q '^verify: PASSED, all 203 rows' "$scratch/log"
}

# contradicts WORD OPTIONS...: a usage error that has the word.
contradicts() {
    word=$1
    shift
    "$BUILD/apsp" --paranoid "$@" "$graph" >"$scratch/log" 2>&1
    [ $? -eq 2 ] && grep -q -- "$word" "$scratch/log"
}

# Nobody looks.
unseen() {
    APSP_FLIP=strip:1 "$BUILD/apsp" --quiet --method dense --device "$device" --force "$graph" \
        "$scratch/out" 2>"$scratch/log" && grep -q '^flip: ' "$scratch/log"
}

case $device in
gpu)
    areas="strip row col"
    several="--gpus 2 --share-gpus"
    transports=host
    [ "$("$BUILD/tests/gpu/kernels" count)" -ge 2 ] && several="--gpus 2" transports="peer host"
    ;;
*)
    areas="strip raw row col"
    several="--ranks 3"
    transports="direct host"
    ;;
esac
check "paranoid: faults on one rank" each "$areas" --device "$device"
check "paranoid: no fault, and the right distances" right --device "$device"
for type in u16 i32 i64 f32 f64; do
    check "paranoid: no fault in $type" agrees --device "$device" --dtype $type "$graph"
done
for type in f32 f64; do
    check "paranoid: no fault in sums of $type" agrees --device "$device" --dtype $type \
        "$scratch/real.mtx"
done
check "paranoid: all rows are certified" proves_all --method dense
check "paranoid: the sparse engine certifies them too" proves_all --method sparse
check "paranoid: faults in the core of the sparse engine" sees_in_core strip 2 --device "$device"
check "paranoid: some rows contradict it" contradicts '--verify=3 contradicts --paranoid' --verify=3
check "paranoid: so does a seed" contradicts '--seed' --seed 7
check "paranoid: all rows do not" "$BUILD/apsp" --quiet --paranoid --verify=all --device "$device" \
    "$graph"
check "paranoid: without it the fault goes unseen" unseen
if "$BUILD/apsp" --quiet $several "$graph" 2>/dev/null; then
    for transport in $transports; do
        check "paranoid: faults on several ranks, transport $transport" each "strip raw row col" \
            $several --transport $transport --tile 17
        check "paranoid: no fault on several ranks, transport $transport" right $several \
            --transport $transport --tile 17
        for type in u16 f64; do
            check "paranoid: no fault on several ranks, $type, transport $transport" agrees \
                $several --transport $transport --dtype $type "$graph"
        done
    done
else
    echo "skip paranoid: $several: there are not so many"
fi
finish
