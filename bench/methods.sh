#!/bin/sh
# Whole runs by each engine and by the one that --method auto takes: seconds, the best of RUNS (default 3), with statistics
# as the result. BUILD=build sh bench/methods.sh [LARGEST]: graphs of at most so many vertices (default 4000).
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-3}
largest=${1:-4000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

best() { # METHOD: seconds of whole runs
    for _ in $(seq "$RUNS"); do
        begin=$(date +%s%N)
        "$BUILD/apsp" --device cpu --method "$1" --force --no-progress --stats "$work/stats.csv" "$work/graph" >"$work/log"
        echo $((($(date +%s%N) - begin) / 1000))
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
    echo "$dense $sparse $auto" | awk -v name="$name" -v taken="$taken" '{
        better = $1 < $2 ? $1 : $2; loss = $3 - better
        printf "%-28s %9.3f %9.3f %9.3f  %-6s %8.3f %7.1f %%%s\n", name, $1, $2, $3, taken, loss, 100 * loss / better,
            (loss > 0.05 && loss > better / 10) ? "  too much" : "" }'
}

printf '%-28s %9s %9s %9s  %-6s %8s %9s\n' '# graph' dense sparse auto taken 'loss, s' loss
for n in 500 1000 2000 4000 8000 20000; do
    graph grid $n
    graph rmat $n -d 8
    graph random $n -d 4
    graph random $n -d 40
done
