#!/bin/sh
# Whole runs by each engine and by the one that --method auto takes, with statistics as the result:
# seconds, the best of RUNS (default 3), or of fewer once SPENT seconds are over (default 10).
# BUILD=build sh bench/methods.sh [LARGEST]: graphs of at most so many vertices (default 20000,
# where the dense engine takes a minute a graph). Exit 1 if auto has lost more than 50 ms and a
# tenth.
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-3} SPENT=${SPENT:-10}
largest=${1:-20000}
graphs=0 lost=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

best() { # METHOD: seconds of whole runs
    first=$(date +%s)
    for _ in $(seq "$RUNS"); do
        begin=$(date +%s%N)
        "$BUILD/apsp" --device cpu --method "$1" --force --no-progress --stats "$work/stats.csv" \
            "$work/graph" >"$work/log"
        echo $((($(date +%s%N) - begin) / 1000))
        [ $(($(date +%s) - first)) -lt "$SPENT" ] || break
    done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e6 }'
}

# graph FAMILY N OPTION...: a line, with what auto has lost against the better of both
graph() {
    name="$*"
    [ "$2" -le "$largest" ] || return 0
    family=$1 n=$2
    shift 2
    "$BUILD/apsp-gen" "$family" -n "$n" "$@" -s 1 --force -o "$work/graph"
    dense=$(best dense) sparse=$(best sparse) auto=$(best auto)
    taken=$(sed -n 's/^# solver *\([a-z]*\).*/\1/p' "$work/log")
    graphs=$((graphs + 1))
    echo "$dense $sparse $auto" | awk -v name="$name" -v taken="$taken" '{
        better = $1 < $2 ? $1 : $2; loss = $3 - better; much = loss > 0.05 && loss > better / 10
        printf "%-28s %9.3f %9.3f %9.3f  %-6s %8.3f %7.1f %%%s\n", name, $1, $2, $3, taken, loss,
            100 * loss / better,
            much ? "  too much" : ""
        exit much }' || lost=$((lost + 1))
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/')"
printf '%-28s %9s %9s %9s  %-6s %8s %9s\n' '# graph' dense sparse auto taken 'loss, s' loss
for n in 500 1000 2000 4000 8000 20000; do
    graph grid $n
    graph rmat $n -d 8
    graph random $n -d 4
    graph random $n -d 40
done
graph lattice 4000
graph path 4000
graph star 4000
graph disconnected 4000 -d 8
graph zero 4000 -d 8
graph dense 2000
echo "# auto has lost too much on $lost of $graphs graphs"
[ "$lost" -eq 0 ]
