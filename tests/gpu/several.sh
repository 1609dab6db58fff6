#!/bin/sh
# Transports between GPUs: every way to move the pivot rows gives the bytes of one GPU; and many
# small graphs by the sparse engine on two. BUILD=build sh tests/gpu/several.sh; skips without two
# GPUs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
type=i32
gpus=$("$BUILD/tests/gpu/kernels" count)
[ "${gpus:-0}" -ge 2 ] || { echo "skip: ${gpus:-no} GPUs"; exit 0; }

# alike GPUS GRAPH [OPTIONS]: gives the result of one GPU. Ranks are threads, or with $how processes
# of mpirun.
how=
alike() {
    count=$1 graph=$2
    shift 2
    start="--gpus $count"
    [ -z "$how" ] || start="--device gpu"
    [ -f "$graph.$type.npy" ] || "$BUILD/apsp" --gpus 1 --dtype "$type" --quiet "$graph" \
        "$graph.$type.npy"
    # shellcheck disable=SC2086
    timeout 60 $how ${how:+-n "$count"} "$BUILD/apsp" $start --dtype "$type" --quiet --force \
        --verify "$@" "$graph" "$scratch/out.npy" &&
        cmp -s "$scratch/out.npy" "$graph.$type.npy"
}

# try NAME GPUS GRAPH [OPTIONS]: where there are so many.
try() {
    name=$1
    shift
    [ "$1" -gt "$gpus" ] || check "$name, $1 GPUs, ${2##*/}, $type${how:+, mpirun}" alike "$@"
}

# Where the runtime's events order devices between processes (not ROCm's): else every use of the
# transport is refused there, and auto takes another.
peer() {
    name=$1
    shift
    if [ -z "$refused" ] || [ -z "$how" ]; then
        try "$name" "$@" --transport peer
    else
        try "$name, auto" "$@"
    fi
}

sizes='1 2 3 257 1000 4099' middle=1000 grid=3000
[ -z "${EMULATED-}" ] || sizes='1 2 3 257 400' middle=257 grid=300 # tests/emulated/
for n in $sizes; do
    "$BUILD/apsp-gen" random -n $n -d 5 -o "$scratch/r$n"
done
"$BUILD/apsp-gen" grid -n $grid -w 1:9 -o "$scratch/grid"
refused=$(mpi 2 "$BUILD/apsp" --device gpu --quiet --transport peer "$scratch/r$middle" \
    "$scratch/none" 2>&1 | grep "do not order devices")
for graph in "$scratch"/r* "$scratch/grid"; do
    case $graph in *.npy) continue ;; esac
    for count in 2 3 4; do
        peer peer $count "$graph"
        try host $count "$graph" --transport host
    done
    try "peer between two nodes" 4 "$graph" --ranks-per-node 2
    try "host between two nodes" 4 "$graph" --ranks-per-node 2 --transport host
    peer "unequal nodes" 3 "$graph" --ranks-per-node 2 --tile 32
    how="mpirun --oversubscribe"
    peer peer 2 "$graph"
    try host 2 "$graph" --transport host
    peer "unequal nodes" 3 "$graph" --ranks-per-node 2 --tile 32
    how=
done
for type in u16 i64 f32 f64; do
    peer peer 2 "$scratch/r$middle"
    try host 2 "$scratch/grid" --transport host
    try "peer between two nodes" 4 "$scratch/grid" --ranks-per-node 2
done
check "--paranoid on two GPUs" sh tests/cli/paranoid.sh gpu
check_many 2
finish
