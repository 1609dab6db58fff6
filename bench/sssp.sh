#!/bin/sh
# Searches on two cores, statistics of all pairs of unweighted graphs with both directions: seconds
# of the search alone (bench/sssp) beside those of PEER, of the whole process, and of the search on
# one rank of one thread and on two, over threads and over mpirun: make bench-sssp
#
# The ceiling is what the machine gives two ranks: two processes of one rank search all at the same
# time, and each takes longer than alone. A rank has half of that to do. "times": one rank by two.
#
# PEER: a command that takes the options `bfs -t 2 -w 4 FILE` and tells "all pairs SECONDS s";
# without it there is a dash. Runs alternate, and the best of RUNS (default 3) counts. GRAPHS: names
# among brightkite, slashdot, 65536 and 262144 (R-MAT); APSP_GRAPHS: the folder of the first two.
# PYTHON has NumPy. Needs 2 idle cores.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} RUNS=${RUNS:-3} PEER=${PEER:-} PYTHON=${PYTHON:-python3}
graphs=${APSP_GRAPHS:-../shared/graphs}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# undirected FILE: edges of weight 1 in both directions, to $work/graph.bin.
undirected() {
    "$PYTHON" - "$1" "$work/graph.bin" <<'END'
import gzip
import sys

import numpy

name, out = sys.argv[1:]
if name.endswith(".bin"):
    numbers = numpy.fromfile(name, dtype="<i4")
    n, edges = numbers[0], numbers[2:].reshape(-1, 3)[:, :2]
else:
    with gzip.open(name, "rt") as file:
        edges = numpy.array([line.split()[:2] for line in file if line[0].isdigit()], dtype="i4")
    numbers, edges = numpy.unique(edges, return_inverse=True)
    n, edges = len(numbers), edges.reshape(-1, 2)
edges = numpy.unique(numpy.r_[edges, edges[:, ::-1]], axis=0)
edges = edges[edges[:, 0] != edges[:, 1]]
with open(out, "wb") as file:
    numpy.array([n, len(edges)], dtype="<i4").tofile(file)
    numpy.c_[edges, numpy.ones(len(edges), int)].astype("<i4").tofile(file)
END
}

least() {
    sort -n "$work/$1" | head -n 1
}

# searched NAME COMMAND...: the report of the search, to $work/NAME.json.
searched() {
    report=$work/$1
    shift
    "$@" --device cpu --method sssp --threads 1 --quiet --no-progress --force \
        --json "$report.json" --stats "$report.csv" "$work/graph.bin"
}

# seconds NAME: of the search in that report.
seconds() {
    tr ',{}' '\n\n\n' <"$work/$1.json" |
        awk -F'[":[:space:]]+' '$2 == "search" && $3 + 0 > 0 { print $3 }'
}

# ranks LINE COMMAND...: seconds of the search, to $work/LINE.
ranks() {
    line=$1
    shift
    searched report "$@"
    seconds report >>"$work/$line"
}

# ceiling: seconds of two ranks that have nothing in common, to $work/most.
ceiling() {
    searched other taskset -c 1 "$BUILD/apsp" &
    searched report taskset -c 0 "$BUILD/apsp"
    wait $!
    { seconds report && seconds other; } | sort -n | tail -n 1 | awk '{ print $1 / 2 }' \
        >>"$work/most"
}

measure() { # NAME
    rm -f "$work/own" "$work/peer" "$work/whole" "$work/one" "$work/two" "$work/mpi" "$work/most"
    for _ in $(seq "$RUNS"); do
        "$BUILD/bench/sssp" -t 2 -r 1 "$work/graph.bin" |
            sed -n 's/.*threads: \([0-9.]*\) s.*/\1/p' >>"$work/own"
        if [ -n "$PEER" ]; then
            $PEER bfs -t 2 -w 4 "$work/graph.bin" |
                sed -n 's/.*all pairs \([0-9.]*\) s.*/\1/p' >>"$work/peer"
        fi
        begin=$(date +%s%N)
        "$BUILD/apsp" --device cpu --threads 2 --quiet --no-progress --force \
            --stats "$work/stats.csv" "$work/graph.bin"
        echo $((($(date +%s%N) - begin) / 1000)) | awk '{ printf "%.3f\n", $1 / 1e6 }' \
            >>"$work/whole"
        ranks one "$BUILD/apsp"
        ranks two "$BUILD/apsp" --ranks 2
        ranks mpi mpirun --oversubscribe -n 2 "$BUILD/apsp"
        ceiling
    done
    [ -n "$PEER" ] || echo - >"$work/peer"
    echo "$1 $(least own) $(least peer) $(least whole) $(least one) $(least two) $(least mpi)" \
        "$(least most)" |
        awk '{ printf "| %-10s | %6.3f | %6s | %6.3f | %6.3f | %6.3f | %6.3f | %6.3f |" \
                   " %5.2f, %5.2f, %5.2f |\n", $1, $2, $3, $4, $5, $6, $7, $8, $5 / $6, $5 / $7,
                   $5 / $8 }'
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores;" \
    "$(uptime | sed 's/.*load/load/')"
echo "| graph | search | peer | process | one rank | two ranks | by mpirun | ceiling | times |"
echo "|---|---|---|---|---|---|---|---|---|"
for name in ${GRAPHS:-brightkite slashdot 65536 262144}; do
    case $name in
    brightkite) undirected "$graphs/brightkite.txt.gz" ;;
    slashdot) undirected "$graphs/soc-Slashdot0902.txt.gz" ;;
    *)
        degree=16
        [ "$name" -gt 65536 ] || degree=8
        "$BUILD/apsp-gen" rmat -n "$name" -d $degree -s 1 --force -o "$work/made.bin" >/dev/null
        undirected "$work/made.bin"
        ;;
    esac
    measure "$name"
done
