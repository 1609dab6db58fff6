#!/bin/sh
# Searches of the sssp engine on one GPU, statistics of all pairs of undirected graphs: seconds of
# the search and of the whole process, the least of RUNS, by the width of a row; then with all
# counts, and with weights of 1 to 100. Beside each graph the lines of REFERENCE, a command that
# takes the options -s FILE 0 WIDTH, if it is given.
# Usage: [RUNS=3] [SIZES="65536 262144 1048576"] [WIDTHS="1024 2048 4096"] [REFERENCE=command]
# [BUILD=build] bench/sssp_gpu.sh [GRAPH...]
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-3} SIZES=${SIZES-65536 262144 1048576} \
    WIDTHS=${WIDTHS:-1024 2048 4096}
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
work=$(mktemp -d /dev/shm/bench-sssp.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# best NAME OPTIONS...: a line of the best run.
best() {
    name=$1
    shift
    for _ in $(seq "$RUNS"); do
        from=$(date +%s.%N)
        "$BUILD/apsp" --no-progress --force --device gpu --undirected "$@" \
            --stats "$work/stats.json" "$graph" >"$work/log" 2>&1 ||
            { sed 's/^/# /' "$work/log" && return 0; }
        awk -v whole="$(echo "$from $(date +%s.%N)" | awk '{ print $2 - $1 }')" \
            '{ second[$1] = $2 } END { print second["search"] + 0, whole, second["prepare"] + 0,
            second["read"] + 0 }' "$work/log"
    done | sort -n | awk -v name="$name" '
        /^#/ { print; next }
        { search = NR == 1 || $1 < search ? $1 : search; whole = NR == 1 ||
            $2 < whole ? $2 : whole }
        { prepare = NR == 1 || $3 < prepare ? $3 : prepare; read = NR == 1 ||
            $4 < read ? $4 : read }
        END { printf "%-26s search %8.4f s, whole %8.4f s, prepare %7.4f s, read %7.4f s\n", name,
            search, whole, prepare, read }'
}

measure() {
    printf '# %s: ' "$graph"
    "$BUILD/apsp" --estimate --device gpu --undirected --unweighted --method sssp "$graph" 2>&1 |
        grep vertices | head -n 1
    for width in $WIDTHS; do
        [ -z "${REFERENCE-}" ] || $REFERENCE -s "$graph" 0 "$width" | sed -n 's/^W /reference: W /p'
        APSP_SSSP_WIDTH=$width best "bits, $width a row" --unweighted --method sssp
    done
    best "bits" --unweighted --method sssp
    best "bits, all counts" --unweighted --method sssp --count all
    best "bits, auto" --unweighted
    [ -z "${WEIGHTED-}" ] || best "labels" --method sssp
}

for graph in "$@"; do
    measure
done
for size in $SIZES; do
    degree=16
    [ "$size" -gt 65536 ] || degree=8
    graph=$work/rmat.bin
    "$BUILD/apsp-gen" rmat -n "$size" -d $degree -s 1 -w 1:100 -o "$graph" --force
    measure
done
