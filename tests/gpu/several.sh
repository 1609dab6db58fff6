#!/bin/sh
# Transports between GPUs: every way to move the pivot rows gives the bytes of one GPU. `sh tests/gpu/several.sh`; skips without two GPUs.
set -u
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 type=i32
gpus=$(nvidia-smi -L 2>/dev/null | grep -c GPU)
[ "$gpus" -ge 2 ] || { echo "skip: $gpus GPUs"; exit 0; }

# try NAME GPUS GRAPH [OPTIONS]: against the result of one GPU
try() {
    name=$1 count=$2 graph=$3
    shift 3
    [ "$count" -le "$gpus" ] || return 0
    [ -f "$graph.$type.npy" ] || "$BUILD/apsp" --gpus 1 --dtype "$type" --quiet "$graph" "$graph.$type.npy"
    if timeout 60 "$BUILD/apsp" --gpus "$count" --dtype "$type" --quiet --force --verify "$@" "$graph" "$work/out.npy" &&
        cmp -s "$work/out.npy" "$graph.$type.npy"; then
        passed=$((passed + 1))
        echo "ok $name, $count GPUs, ${graph##*/}, $type $*"
    else
        failed=$((failed + 1))
        echo "FAIL $name, $count GPUs, ${graph##*/}, $type $*"
    fi
}

for n in 1 2 3 257 1000 4099; do
    "$BUILD/apsp-gen" random -n $n -d 5 -o "$work/r$n"
done
"$BUILD/apsp-gen" grid -n 3000 -w 1:9 -o "$work/grid"
for graph in "$work"/r* "$work/grid"; do
    case $graph in *.npy) continue ;; esac
    for count in 2 3 4; do
        try peer $count "$graph" --transport peer
        try host $count "$graph" --transport host
    done
    try "peer between two nodes" 4 "$graph" --ranks-per-node 2
    try "host between two nodes" 4 "$graph" --ranks-per-node 2 --transport host
    try "unequal nodes" 3 "$graph" --ranks-per-node 2 --transport peer --tile 32
done
for type in u16 i64 f32 f64; do
    try peer 2 "$work/r1000" --transport peer
    try host 2 "$work/grid" --transport host
    try "peer between two nodes" 4 "$work/grid" --ranks-per-node 2
done
printf '%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
