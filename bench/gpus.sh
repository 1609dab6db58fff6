#!/bin/sh
# Several GPUs of one host beside one of them, in one run.
# Usage: [RUNS=3] [BUILD=build] sh bench/gpus.sh [GPUS [PART...]]; parts are dense, large, engines,
# mpirun and whole; without one, all of them.
# A row has the median of RUNS runs on one GPU and on GPUS (2), their ratio, the least ratio that is
# asked for, and the exposed communication.
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-3}
gpus=${1:-2}
[ $# -eq 0 ] || shift
parts=${*:-dense large engines mpirun whole}
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d "${TMPDIR:-/dev/shm}/apsp-gpus.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
out='' several=''

# value KEY: a number of the last report's seconds.
value() {
    tr -d '\n\t ' <"$work/report" | sed 's/.*"seconds"//' |
        grep -o "\"$1\":[0-9.e+-]*" | head -n 1 | cut -d : -f 2
}

# median GPUS PHASE OPTIONS...: sets seconds and exposed. Ranks are threads, or with
# $how processes; several GPUs have the options $several, too.
median() {
    count=$1 phase=$2
    shift 2
    start="--gpus $count" with=
    if [ "$count" -gt 1 ]; then
        [ -z "$how" ] || { start="--device gpu" with="$how -n $count"; }
        start="$start $several"
    fi
    : >"$work/times"
    for _ in $(seq "$RUNS"); do
        # shellcheck disable=SC2086
        $with "$BUILD/apsp" $start --force --quiet --no-progress --json "$work/report" "$@" \
            "$graph" $out >"$work/log" 2>&1 || { cat "$work/log" && return 1; }
        echo "$(value "$phase") $(value communication_exposed)" >>"$work/times"
    done
    line=$(sort -n "$work/times" | sed -n "$(((RUNS + 1) / 2))p")
    seconds=${line% *} exposed=${line#* }
}

# compare NAME LEAST PHASE [OPTIONS...]: a row; what is measured on one GPU is kept.
compare() {
    name=$1 least=$2 phase=$3
    shift 3
    one=$work/one.$(echo "$graph $phase $*" | cksum | cut -d ' ' -f 1)
    [ -f "$one" ] || { median 1 "$phase" "$@" && echo "$seconds" >"$one"; } || return 0
    median "$gpus" "$phase" "$@" || return 0
    awk -v name="$name" -v one="$(cat "$one")" -v s="$seconds" -v e="$exposed" -v least="$least" \
        'BEGIN { printf "%-46s %10.4f %10.4f %7.3f %6s %7.2f %%\n", name, one, s, one / s, least,
                 100 * e / s }'
}

# make NAME FAMILY OPTIONS...: a graph, once.
make_graph() {
    graph=$work/$1.bin
    shift
    [ -f "$graph" ] || "$BUILD/apsp-gen" "$@" -o "$graph"
}

dense() {
    for n in 20000 40000; do
        make_graph "r$n" random -n $n -d 8 -w 1:1000 -s 7
        least=1.97
        [ $n -gt 20000 ] || least=1.93
        for type in i32 u16; do
            for transport in $1; do
                several="--transport $transport"
                compare "dense $n $type, $transport${how:+, mpirun}" $least solve \
                    --method dense --dtype $type
            done
        done
    done
}

large() {
    make_graph r80000 random -n 80000 -d 8 -w 1:1000 -s 7
    for type in i32 u16; do
        RUNS=1 compare "dense 80000 $type, peer" 1.98 solve --method dense --dtype $type
    done
    rm -f "$graph"
}

engines() {
    make_graph grid grid -n 1000000 -w 1:1000 -s 1
    "$BUILD/apsp" --quiet --no-progress --gpus 1 --method sparse --sources 0 \
        --save-order "$work/order" "$graph" "$work/row.npy"
    compare "sparse, grid 10^6, statistics" 1.95 expand \
        --method sparse --order "$work/order" --stats "$work/s.json"
    compare "sparse, grid 10^6, betweenness, 2,000 sources" 1.95 betweenness --method sparse \
        --order "$work/order" --sources random:2000 --betweenness "$work/b.json"
    rm -f "$graph" "$work/order"
    make_graph rmat rmat -n 1048576 -d 16 -s 1 -w 1:100
    compare "sssp, R-MAT 2^20, statistics" 1.95 search --method sssp --undirected --unweighted \
        --stats "$work/s.json"
    compare "sssp, R-MAT 2^20 1:100, 131,072 sources" 1.95 search --method sssp --undirected \
        --sources random:131072 --stats "$work/s.json"
    rm -f "$graph"
    make_graph rmat18 rmat -n 262144 -d 16 -s 1
    compare "sssp, R-MAT 2^18, betweenness" 1.95 betweenness --method sssp --undirected \
        --unweighted --betweenness "$work/b.json"
}

whole() {
    for n in 20000 40000; do
        make_graph "r$n" random -n $n -d 8 -w 1:1000 -s 7
        out=$work/out
        compare "whole process, $n i32, file to file" - total --method dense --dtype i32
        out=
    done
}

nvidia-smi -L 2>/dev/null | sed 's/^/# /; s/ (UUID.*//'
printf '%-46s %10s %10s %7s %6s %9s\n' "# $gpus GPUs" 'one, s' "$gpus, s" ratio least exposed
for part in $parts; do
    how='' several=''
    case $part in
    dense) dense "peer host" ;;
    mpirun) how="mpirun --oversubscribe" && dense peer ;;
    *) "$part" ;;
    esac
done
