#!/bin/sh
# Statistics of all pairs by this program and by others: PYTHON=FOLDER/bin/python [FULL=1] make
# bench-peers
#
# Of apsp the whole process counts, from the file to the table of statistics, the best of three; of
# SciPy and networkit, Dijkstra's algorithm from every vertex, only the distances and their
# statistics. They start from SAMPLE vertices (default 1024), scaled to all, unless FULL is set. All
# statistics are compared. PYTHON is one that has scipy and networkit:
#     python3 -m venv FOLDER && FOLDER/bin/pip install numpy scipy networkit
# Needs 2 idle cores.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} PYTHON=${PYTHON:-python3}
sample=${SAMPLE:-1024}
[ -z "${FULL:-}" ] || sample=0
if ! \
    versions=$("$PYTHON" \
    -c \
    'import networkit, scipy; print("SciPy", scipy.__version__ + ", networkit", networkit.__version__)' \
    2>/dev/null); then
    echo "skip peers: $PYTHON has no scipy and networkit (see the head of bench/peers.sh)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

solve() { # GRAPH: seconds of the whole process, the best of three
    for _ in 1 2 3; do
        begin=$(date +%s%N)
        "$BUILD/apsp" --device cpu --threads 2 --quiet --no-progress --force --json "$work/report" \
            --stats "$work/stats.csv" "$1"
        echo $(($(date +%s%N) - begin))
    done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e9 }'
}

# number KEY: of the report.
number() {
    tr ',{}' '\n\n\n' <"$work/report" |
        sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\"*\([a-z0-9]*\)\"*\$/\1/p"
}

compare() { # NAME GRAPH
    seconds=$(solve "$2")
    others=$("$PYTHON" bench/peers.py "$2" "$work/stats.csv" "$sample")
    echo "$seconds $others" | awk -v name="$1" -v n="$(number vertices)" -v m="$(number edges)" \
        -v how="$(number method), $(number dtype)" '
        { printf "%-24s %7d %8d  %-12s %8.3f %10.2f %7.0f %10.2f %7.0f %8d\n", name, n, m, how, $1,
            $2, $2 / $1, $3, $3 / $1, $4 }'
}

ceiling() { # TYPE
    "$BUILD/bench/ceiling_cpu" avx512 2 "$1" 2>/dev/null || "$BUILD/bench/ceiling_cpu" plain 2 "$1"
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/'); $versions"
echo "# ceiling, 2 threads: i32 $(ceiling i32), u16 $(ceiling u16) G relaxations/s"
printf '%-24s %7s %8s  %-12s %8s %10s %7s %10s %7s %8s\n' '# seconds' n edges 'engine, type' apsp \
    SciPy ratio networkit ratio sources
roads=${APSP_GRAPHS:-../shared/graphs}/luxembourg.gr
if [ -r "$roads" ]; then
    compare Luxembourg "$roads"
else
    echo "skip Luxembourg: $roads is not there (APSP_GRAPHS names its folder)"
fi
for family in "rmat -d 8" "random -d 4"; do
    # shellcheck disable=SC2086 # words
    "$BUILD/apsp-gen" $family -n 16384 -s 1 --force -o "$work/graph.gr"
    compare "$family" "$work/graph.gr"
done
