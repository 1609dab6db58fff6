#!/bin/sh
# Several GPUs beside one, in one run: sh bench/gpus.sh [2|4] [all]. Prints for each case the solve (median of RUNS, default 3), the speed-up
# over one GPU with the same graph (or, for weak scaling, the efficiency), and the exposed communication. "all" adds the sizes that take minutes.
# The type is i32, but where the name says otherwise.
set -eu
BUILD=${BUILD:-build}
RUNS=${RUNS:-3}
gpus=${1:-2}
size=${2:-}
type=i32
work=$(mktemp -d "${TMPDIR:-/dev/shm}/apsp-gpus.XXXXXX")
trap 'rm -rf "$work"' EXIT

# value KEY: of the last report
value() {
    tr -d '\n\t ' <"$work/report" | sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p"
}

# graph N: random, average degree 8, weights 1..1000
graph() {
    [ -f "$work/$1.bin" ] || "$BUILD/apsp-gen" random -n "$1" -d 8 -w 1:1000 -s 7 -o "$work/$1.bin"
}

# solve GPUS N RUNS [OPTIONS]: sets seconds, exposed and transport
solve() {
    count=$1 n=$2 runs=$3
    shift 3
    graph "$n"
    : >"$work/times"
    for _ in $(seq "$runs"); do
        "$BUILD/apsp" --gpus "$count" --dtype "$type" --force --quiet --no-progress --json "$work/report" "$@" "$work/$n.bin" >&2
        echo "$(value solve) $(value communication_exposed)" >>"$work/times"
    done
    transport=$(tr -d '\n\t ' <"$work/report" | sed -n 's/.*"transport":"\([a-z]*\)".*/\1/p')
    line=$(sort -n "$work/times" | sed -n "$(((runs + 1) / 2))p")
    seconds=${line% *} exposed=${line#* }
}

# one N: the solve on one GPU, kept
one() {
    [ -f "$work/one.$type.$1" ] || { solve 1 "$1" "$RUNS" && echo "$seconds" >"$work/one.$type.$1"; }
    base=$(cat "$work/one.$type.$1")
}

row() {
    awk -v name="$1" -v g="$count" -v n="$n" -v t="$transport" -v one="$base" -v s="$seconds" -v e="$exposed" -v bar="$2" -v scale="${3:-1}" 'BEGIN {
        printf "%-34s %4d %7d %-5s %9.4f %9.4f %7.3f %6s %8.2f %% %7.2f\n", name, g, n, t, one, s, scale * one / s, bar, 100 * e / s, n * n * n / s / g / 1e12 }'
}

# compare NAME GPUS N BAR [OPTIONS]
compare() {
    name=$1 with=$2 vertices=$3 bar=$4
    shift 4
    one "$vertices"
    solve "$with" "$vertices" "$RUNS" "$@"
    row "$name" "$bar"
}

echo "# $gpus GPUs; speed-up over one GPU, its bar, exposed communication, 10^12 relaxations/s per GPU"
printf '%-34s %4s %7s %-5s %9s %9s %7s %6s %10s %7s\n' '# case' GPUs n via one/s solve/s ratio bar exposed T/GPU
compare "peer" 2 20000 1.93
compare "peer" 2 40000 1.97
compare "peer" 2 10000 1.75
compare "host forced" 2 40000 1.85 --transport host
type=u16
compare "peer, u16" 2 40000 1.93
type=i32
if [ "$gpus" -ge 4 ]; then
    compare "peer" 4 40000 3.8
    compare "two nodes of two" 4 40000 3.6 --ranks-per-node 2
    one 40000
    solve 4 63496 "$RUNS"
    row "weak scaling from 40,000" 0.95 "$(awk 'BEGIN { print (63496 / 40000) ^ 3 / 4 }')"
fi
if [ "$gpus" -ge 4 ] && [ "$size" = all ]; then
    RUNS=1
    compare "peer" 4 80000 3.9
    one 90000
    solve 4 180000 1 --verify
    row "rate per GPU against n = 90,000" 0.97 2
fi
