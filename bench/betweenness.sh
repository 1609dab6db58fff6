#!/bin/sh
# What --betweenness costs beside the rows that it is made from: [PYTHON=FOLDER/bin/python] make
# bench-betweenness
#
# Seconds of the report, of the run of TRIES (default 3) whose betweenness took least: "rows" is
# solving and making rows, "floor" one look at every edge and at the distances of its ends for each
# source (bench/betweenness.c). Beside it igraph, if PYTHON has it: one thread, 300 sources scaled
# to as many.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} PYTHON=${PYTHON:-python3} THREADS=${THREADS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# "rows betweenness" of one run.
solve() { # METHOD
    "$BUILD/apsp" --device cpu --threads "$THREADS" --method "$1" --sources "1-$sources" --quiet \
        --no-progress --force --json "$work/report" \
        --betweenness "$work/values.csv" "$work/graph.gr"
    tr ',{}' '\n\n\n' <"$work/report" | awk -F: '{ gsub(/[\t "]/, "") }
        $1 == "solve" || $1 == "expand" { rows += $2 }
        $1 == "betweenness" && $2 > 0 { own = $2 }
        END { print rows, own }'
}

by_igraph() {
    "$PYTHON" - "$work/graph.gr" 2>/dev/null <<'P' || echo 0
import sys, time, igraph
lines = [line.split() for line in open(sys.argv[1])]
n = next(int(line[2]) for line in lines if line[0] == "p")
edges = [(int(line[1]) - 1, int(line[2]) - 1, int(line[3])) for line in lines if line[0] == "a"]
graph, weights = igraph.Graph(n, [edge[:2] for edge in edges], directed=True), [edge[2] for edge in edges]
begin = time.time()
graph.betweenness(weights=weights, sources=range(0, n, max(1, n // 300)))
print((time.time() - begin) / len(range(0, n, max(1, n // 300))))
P
}

compare() { # NAME SOURCES METHOD...
    name=$1 sources=$2
    shift 2
    floor=$("$BUILD/bench/betweenness" "$work/graph.gr" "$THREADS")
    others=$(by_igraph)
    for method in "$@"; do
        for _ in $(seq "${TRIES:-3}"); do
            solve "$method"
        done | sort -g -k 2 | head -n 1 | awk -v name="$name" -v method="$method" \
            -v floor="$floor" -v others="$others" \
            -v sources="$sources" '{ floor *= sources
            printf "%-30s %7d  %-7s %8.3f %12.3f %6.1f %8.3f %6.1f %10s\n", name, sources, method,
                $1, $2, $2 / $1, floor, $2 / floor,
                (others > 0 ? sprintf("%.1f", others * sources) : "-") }'
    done
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' \
    /proc/cpuinfo), $THREADS threads of $(nproc) cores; $(uptime | sed 's/.*load/load/')"
printf '%-30s %7s  %-7s %8s %12s %6s %8s %6s %10s\n' '# seconds' sources engine rows betweenness \
    ratio floor ratio igraph
while read -r sources methods family; do
    # shellcheck disable=SC2086 # words
    "$BUILD/apsp-gen" $family -s 1 --force -o "$work/graph.gr"
    # shellcheck disable=SC2086
    compare "$family" "$sources" $(echo "$methods" | tr , ' ')
done <<'GRAPHS'
20000 sparse grid -n 20000 -w 1:1000
16384 sparse rmat -n 16384 -d 8 -w 1:1000
16384 sparse rmat -n 16384 -d 8 -w 1:1
8000 sparse random -n 8000 -d 4 -w 1:1000
4000 sparse,dense random -n 4000 -d 8 -w 1:1000
2000 sparse,dense dense -n 2000 -w 1:1000
GRAPHS
roads=${APSP_GRAPHS:-../shared/graphs}/luxembourg.gr
if [ -r "$roads" ]; then
    # weights are to be above 0
    awk '/^a/ && $4 == 0 { $4 = 1 } { print }' "$roads" >"$work/graph.gr"
    compare Luxembourg 4000 sparse
fi
