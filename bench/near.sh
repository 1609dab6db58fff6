#!/bin/sh
# Pairs that are near: whole runs of --within and --nearest by each engine, seconds, the best of
# RUNS (default 2); make bench-near. APSP_GRAPHS: the folder of Luxembourg's and New York's roads.
# The files are compared. Needs 2 idle cores.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} RUNS=${RUNS:-2} graphs=${APSP_GRAPHS:-../shared/graphs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

best() { # METHOD GRAPH OPTION...
    method=$1 graph=$2
    shift 2
    for _ in $(seq "$RUNS"); do
        begin=$(date +%s%N)
        "$BUILD/apsp" --device cpu --method "$method" --quiet --no-progress --force "$@" "$graph" \
            "$work/$method.csv"
        echo $((($(date +%s%N) - begin) / 1000))
    done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e6 }'
}

compare() { # NAME GRAPH OPTION...
    name=$1 graph=$2
    shift 2
    [ -r "$graph" ] || { echo "skip $name: $graph is not there" && return 0; }
    sparse=$(best sparse "$graph" "$@") sssp=$(best sssp "$graph" "$@")
    auto=$(best auto "$graph" "$@")
    cmp "$work/sparse.csv" "$work/sssp.csv"
    cmp "$work/sparse.csv" "$work/auto.csv"
    printf '%-12s %-22s %10d %9s %9s %9s\n' "$name" "$*" "$(($(wc -l <"$work/auto.csv") - 1))" \
        "$sparse" "$sssp" "$auto"
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores;" \
    "$(uptime | sed 's/.*load/load/')"
printf '%-12s %-22s %10s %9s %9s %9s\n' '# graph' options pairs sparse sssp auto
compare Luxembourg "$graphs/luxembourg.gr" --within 1000
compare Luxembourg "$graphs/luxembourg.gr" --nearest 10
compare 'New York' "$graphs/USA-road-d.NY.gr.gz" --within 5000
compare 'New York' "$graphs/USA-road-d.NY.gr.gz" --nearest 10
"$BUILD/apsp-gen" rmat -n 16384 -d 8 -s 1 -w 1:100 --force -o "$work/rmat.bin"
compare 'rmat 16384' "$work/rmat.bin" --nearest 10
