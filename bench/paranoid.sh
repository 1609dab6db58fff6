#!/bin/sh
# What --paranoid sees and what it costs: BUILD=build DEVICE=cpu SEEDS=50 SIZES="2000 4000" sh bench/paranoid.sh
#
# Faults: SEEDS times for each area (src/dense/flip.h) one bit turns round in the middle of a solve of 1,200 vertices. Planted; of these how many
# make a distance wrong, which nobody sees without a check; how many the word sums see; beside it the share that is to be expected, 1. With
# VERIFY=yes also how many --verify sees, which certifies 64 rows.
# Cost: the shortest of RUNS solves with sums over the shortest without, by turns, beside the limit of 3 %.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
device=${DEVICE:-cpu} seeds=${SEEDS:-50} runs=${RUNS:-7}
case $device in
gpu) several="--gpus 2 --share-gpus --transport ${TRANSPORT:-host}" ;;
*) several="--ranks 2 --transport ${TRANSPORT:-mpi}" ;;
esac

# solve OUTPUT OPTIONS...
solve() {
    "$BUILD/apsp" --quiet --no-progress --method dense --dtype i32 --force "$@" 2>"$scratch/log"
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
        grep -q '^flip: ' "$scratch/log" || continue
        planted=$((planted + 1))
        [ "$status" -eq 8 ] && grep -q 'changed by itself' "$scratch/log" && seen=$((seen + 1))
        solve "$@" "$graph" "$scratch/out"
        cmp -s "$scratch/out" "$scratch/right" && continue
        wrong=$((wrong + 1))
        [ "${VERIFY:-}" ] || continue
        solve --verify "$@" "$graph"
        [ $? -eq 8 ] && proved=$((proved + 1))
    done
    unset APSP_FLIP
    printf '%-6s %8d %8d %14s %8d %10s\n' "$area" "$planted" "$wrong" "${VERIFY:+$proved}" "$seen" "$planted"
}

# seconds OPTIONS...: of the solve.
seconds() {
    solve --json "$scratch/json" "$@" "$graph"
    sed -n 's/.*"solve":[[:space:]]*\([0-9.e+-]*\).*/\1/p' "$scratch/json" | head -n 1
}

cost() {
    plain=9e9 summed=9e9
    for run in $(seq "$runs"); do
        plain=$(echo "$plain $(seconds "$@")" | awk '{ print $1 < $2 ? $1 : $2 }')
        summed=$(echo "$summed $(seconds --paranoid "$@")" | awk '{ print $1 < $2 ? $1 : $2 }')
    done
    echo "$n $dtype $plain $summed" | awk '{ printf "%-8d %-5s %10.4f %10.4f %9.2f %% %8s\n", $1, $2, $3, $4, 100 * ($4 / $3 - 1), "3 %" }'
}

graph=$scratch/graph.bin
if [ "$seeds" -gt 0 ]; then
    "$BUILD/apsp-gen" random -n 1200 -s 1 -o "$graph"
    solve --device "$device" "$graph" "$scratch/right"
    printf '%-6s %8s %8s %14s %8s %10s\n' area planted wrong 'of 64 rows' sums expected
    turn strip --device "$device"
    turn row --device "$device"
    turn col --device "$device"
    turn raw $several
fi
printf '%-8s %-5s %10s %10s %11s %8s\n' n type plain sums cost limit
for n in ${SIZES:-2000 4000}; do
    "$BUILD/apsp-gen" random -n "$n" -s 1 -o "$graph" --force
    for dtype in ${TYPES:-u16 i32}; do
        cost --device "$device" --dtype "$dtype"
    done
done
