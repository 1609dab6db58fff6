#!/bin/sh
# Skims beside the table alone: whole runs of about 1,000 x 1,000 pairs as CSV, without and with two
# skims, RUNS (default 7) times in turn; the median of the ratios of seconds; make bench-skims.
# APSP_GRAPHS: the folder of Luxembourg's and New York's roads. Needs idle cores.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} RUNS=${RUNS:-7} graphs=${APSP_GRAPHS:-../shared/graphs}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

seconds() { # OPTION... GRAPH FILE
    begin=$(date +%s%N)
    "$BUILD/apsp" --device cpu --quiet --no-progress --force --sources "$work/from" \
        --targets "$work/to" "$@"
    echo $((($(date +%s%N) - begin) / 1000))
}

compare() { # NAME GRAPH
    [ -r "$2" ] || { echo "skip $1: $2 is not there" && return 0; }
    case $2 in *.gz) gunzip -c "$2" ;; *) cat "$2" ;; esac >"$work/graph.gr"
    n=$(awk '$1 == "p" { print $3; exit }' "$work/graph.gr")
    for seed in 1 2; do
        awk -v seed=$seed 'BEGIN { srand(seed) } $1 == "a" { $4 = int(rand() * 1000) } { print }' \
            "$work/graph.gr" >"$work/$seed.gr"
        awk -v seed=$seed -v n="$n" \
            'BEGIN { srand(seed + 2); for (; i < 1000; i++) print int(rand() * n) + 1 }' |
            sort -nu >"$work/list.$seed"
    done
    mv "$work/list.1" "$work/from"
    mv "$work/list.2" "$work/to"
    for _ in $(seq "$RUNS"); do
        alone=$(seconds "$work/graph.gr" "$work/alone.csv")
        skims=$(seconds --skim "a=$work/1.gr,b=$work/2.gr" "$work/graph.gr" "$work/skims.csv")
        echo "$alone $skims" | awk '{ printf "%.3f %.3f %.2f\n", $1 / 1e6, $2 / 1e6, $2 / $1 }'
    done | sort -n -k 3 | sed -n "$((RUNS / 2 + 1))p" >"$work/median"
    cut -d, -f1-3 "$work/skims.csv" | cmp - "$work/alone.csv"
    printf '%-12s %10d %s\n' "$1" "$(($(wc -l <"$work/alone.csv") - 1))" "$(cat "$work/median")"
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores;" \
    "$(uptime | sed 's/.*load/load/')"
echo "# graph pairs, seconds of the table alone, with two skims, and their ratio"
compare Luxembourg "$graphs/luxembourg.gr"
compare 'New York' "$graphs/USA-road-d.NY.gr.gz"
