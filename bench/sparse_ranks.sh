#!/bin/sh
# What ranks gain the sparse engine, and what they could:
# [RANKS="2 4"] [THREADS=1] [RUNS=3] [BUILD=build] sh bench/sparse_ranks.sh [GRAPH...]
#
# Statistics of all pairs by one rank and by each of RANKS (default 2), of THREADS threads (default
# 1) each: the seconds of the parts of a run, the best of RUNS. Beside the total the model's
# (docs/scaling.md): the parts of one rank, of which the core and the expansion are shared out; its
# limit for any number of ranks, and the ranks that it keeps half busy. Without GRAPHs Luxembourg's
# roads and three generated ones. Needs as many idle cores as ranks and threads; --ranks starts them
# on this machine, LAUNCH="mpirun -n %P --hostfile hosts" elsewhere.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} RANKS=${RANKS:-2} THREADS=${THREADS:-1} RUNS=${RUNS:-3} LAUNCH=${LAUNCH:-}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# solve RANKS GRAPH: total, read, order, eliminate, core and expand, of one run.
solve() {
    if [ -n "$LAUNCH" ]; then
        start="$(echo "$LAUNCH" | sed "s/%P/$1/g") $BUILD/apsp"
    else
        start="$BUILD/apsp --ranks $1"
    fi
    # shellcheck disable=SC2086 # words
    $start --device cpu --method sparse --threads "$THREADS" --quiet --no-progress --force \
        --json "$work/report" --stats "$work/stats.csv" "$2"
    tr ',{}' '\n\n\n' <"$work/report" | awk -F'[":[:space:]]+' '
        { value[$2] = $3 }
        END { print value["total"], value["read"], value["order"], value["eliminate"],
            value["core"], value["expand"], value["vertices"] }'
}

measure() { # NAME GRAPH
    for ranks in 1 $RANKS; do
        for _ in $(seq "$RUNS"); do
            solve "$ranks" "$2"
        done | sort -n | head -n 1 | sed "s/^/$ranks /"
    done | awk -v name="$1" '
        NR == 1 { one = $2; shared = $6 + $7; rest = one - shared }
        { model = rest + shared / $1
          printf "%-20s %8d %5d %8.3f %8.3f %9.3f %8.3f %8.3f %8.3f %8.3f %8.2f %8.2f %8.1f " \
              "%8.0f\n",
              name, $8, $1, $3, $4, $5, $6, $7, $2, model,
              one / $2, one / model, one / rest, 2 + shared / rest }'
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/'); $THREADS thread(s) a rank"
printf '#%28s %5s %8s %8s %9s %8s %8s %8s %8s %17s %8s %8s\n' '' '' '' '' '' '' '' total total \
    speed-up '' half
printf '%-20s %8s %5s %8s %8s %9s %8s %8s %8s %8s %8s %8s %8s %8s\n' '# graph' n ranks read order \
    eliminate core expand measured model measured model limit busy
if [ $# -gt 0 ]; then
    for graph in "$@"; do
        measure "$(basename "$graph")" "$graph"
    done
    exit
fi
roads=${APSP_GRAPHS:-../shared/graphs}/luxembourg.gr
if [ -r "$roads" ]; then
    measure Luxembourg "$roads"
else
    echo "skip Luxembourg: $roads is not there (APSP_GRAPHS names its folder)"
fi
for graph in "grid -n 126025" "rmat -n 16384 -d 8" "random -n 16384 -d 4"; do
    # shellcheck disable=SC2086 # words
    "$BUILD/apsp-gen" $graph -s 1 --force -o "$work/graph.gr"
    measure "${graph%% *}" "$work/graph.gr"
done
