#!/bin/sh
# The solve beside a loop that never ends, and on the idle machine: BUILD=build sh
# bench/shared_machine.sh. Dense, on two cores: one thread, one rank of two, the same with threads
# that spin as libgomp's do by default, and two ranks of one thread, all by turns; the median of
# RUNS (5) counts. The share beside the loop is two thirds of what the idle machine does: two of
# three that want to run. Exit 1 if two threads or two ranks get less than that by more than 1.3
# times, or if on the idle machine spinning threads are faster by more than 3 %. Needs 2 idle cores.
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-5} VERTICES=${VERTICES:-4000}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset OMP_WAIT_POLICY OMP_NUM_THREADS GOMP_SPINCOUNT

mkdir -p "$BUILD/bench"
work=$(mktemp -d "$BUILD/bench/shared.XXXXXX")
loop=
trap 'kill $loop 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$BUILD/apsp-gen" random -n "$VERTICES" -s 1 -o "$work/graph"

# solve NAME COMMAND...: one more run; G relaxations/s into a file.
solve() {
    name=$1
    shift
    "$@" --device cpu --method dense --dtype i32 --quiet --force --json "$work/report" "$work/graph"
    tr ',{}' '\n\n\n' <"$work/report" | awk -F: '/"relaxations_per_second"/ {
        printf "%.2f\n", $2 / 1e9 }' >>"$work/$name"
}

# solve_all MACHINE: each case once.
solve_all() {
    solve "$1-one" "$BUILD/apsp" --threads 1
    solve "$1-threads" "$BUILD/apsp" --threads 2
    solve "$1-spinning" env GOMP_SPINCOUNT=300000 "$BUILD/apsp" --threads 2
    solve "$1-ranks" "$BUILD/apsp" --ranks 2 --threads 1
}

median() { # FILE
    sort -n "$1" |
        awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

run=0
while [ $run -lt "$RUNS" ]; do
    solve_all idle
    sh -c 'while :; do :; done' &
    loop=$!
    solve_all busy
    kill $loop
    wait $loop 2>/dev/null || :
    loop=
    run=$((run + 1))
done

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/'); n = $VERTICES, medians of $RUNS runs"
echo \
    "# G relaxations/s; share is two thirds of idle, what two of three get on two cores; times too slow is share / beside the loop"
printf '%-36s %8s %12s %8s %14s\n' '#' idle 'beside a loop' share 'times too slow'
show() { # FILE NAME
    idle=$(median "$work/idle-$1") busy=$(median "$work/busy-$1")
    echo "$idle $busy" | awk -v name="$2" -v parts="$3" \
        '{ share = parts * $1; printf "%-36s %8.1f %12.1f %8.1f %14.2f\n", name, $1, $2, share,
        share / $2 }'
}
show one "one thread" 1
show threads "one rank, two threads" 0.6667
show spinning "the same, threads that spin" 0.6667
show ranks "two ranks" 0.6667
echo "$(median "$work/idle-threads") $(median "$work/idle-spinning") $(median \
    "$work/busy-threads") $(median "$work/idle-ranks") $(median "$work/busy-ranks")" |
    awk '{
        bad = 2 / 3 * $1 > 1.3 * $3 || 2 / 3 * $4 > 1.3 * $5 || $1 < 0.97 * $2
        printf "# idle, sleeping / spinning: %.3f: %s\n", $1 / $2, bad ? "BELOW" : "ok"
        exit bad
    }'
