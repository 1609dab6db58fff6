#!/bin/sh
# What --paranoid sees and what it costs: BUILD=build DEVICE=cpu SEEDS=50 SIZES="1000 2000" RUNS=15 sh bench/paranoid.sh
#
# Faults: SEEDS times for each area (src/dense/flip.h) one bit turns round in the middle of a solve of 1,200 vertices. Planted; of these how many
# make a distance wrong, which nobody sees without a check; how many the word sums see; beside it the share that is to be expected, 1. With
# VERIFY=yes also how many --verify sees, which certifies 64 rows.
# Cost: solves with sums and without, beside the limit of 3 %, by bench/sums.c; on a GPU by bench/gpu.cu, with its ceilings.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
set --
device=${DEVICE:-cpu} seeds=${SEEDS:-50}
case $device in
gpu) several="--gpus 2 --share-gpus --transport ${TRANSPORT:-host}" ;;
*) several="--ranks 2 --transport ${TRANSPORT:-mpi}" ;;
esac

solve() {
    "$BUILD/apsp" --quiet --no-progress --method dense --dtype i32 --force "$@" 2>"$scratch/log$area"
}

# turn AREA OPTIONS...
turn() {
    area=$1
    shift
    planted=0 wrong=0 proved=0 seen=0
    for seed in $(seq "$seeds"); do
        export APSP_FLIP="$area:$seed"
        solve --paranoid "$@" "$graph"
        status=$?
        grep -q '^flip: ' "$scratch/log$area" || continue
        planted=$((planted + 1))
        [ "$status" -eq 8 ] && grep -q 'changed by itself' "$scratch/log$area" && seen=$((seen + 1))
        solve "$@" "$graph" "$scratch/out$area"
        cmp -s "$scratch/out$area" "$scratch/right" && continue
        wrong=$((wrong + 1))
        [ "${VERIFY:-}" ] || continue
        solve --verify "$@" "$graph"
        [ $? -eq 8 ] && proved=$((proved + 1))
    done
    printf '%-6s %8d %8d %14s %8d %10s\n' "$area" "$planted" "$wrong" "${VERIFY:+$proved}" "$seen" "$planted"
}

graph=$scratch/graph.bin area=
if [ "$seeds" -gt 0 ]; then
    "$BUILD/apsp-gen" random -n 1200 -s 1 -o "$graph"
    solve --device "$device" "$graph" "$scratch/right"
    printf '%-6s %8s %8s %14s %8s %10s\n' area planted wrong 'of 64 rows' sums expected
    for area in strip row col; do # side by side
        turn $area --device "$device" &
    done
    turn raw $several &
    wait
fi
if [ "$device" = gpu ]; then
    for n in ${SIZES:-5000 10000 20000}; do
        for dtype in ${TYPES:-u16 i32 f32}; do
            set -- "$@" $dtype plain $n sums $n plain $n sums $n
        done
    done
    "$BUILD/bench/gpu" "$@"
    exit
fi
printf '%-4s %8s %10s %10s %10s %8s\n' type n plain sums cost limit
for dtype in ${TYPES:-u16 i32 f32}; do
    for n in ${SIZES:-1000 2000 3000}; do
        "$BUILD/bench/sums" $dtype "$n" "${RUNS:-15}"
    done
done
