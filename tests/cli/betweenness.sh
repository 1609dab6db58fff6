#!/bin/sh
# --betweenness: what is known of chains and squares, files and refusals; then betweenness.py, with
# the Python PYTHON (default python3). Every path of small graphs is walked in
# tests/rows/test_betweenness.c.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# gives RANKS OPTIONS...: those of $scratch/graph.mtx are $scratch/right.csv.
gives() {
    ranks=$1
    shift
    rm -f "$scratch/values.csv"
    mpi "$ranks" "$BUILD/apsp" --quiet --device cpu --betweenness "$scratch/values.csv" "$@" \
        "$scratch/graph.mtx" &&
        cmp "$scratch/values.csv" "$scratch/right.csv"
}

# refuses CODE TEXT GRAPH OPTIONS...
refuses() {
    code=$1 text=$2 graph=$3
    shift 3
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --betweenness "$scratch/none.csv" "$@" \
            "$graph" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" && [ ! -e "$scratch/none.csv" ] ||
            return 1
    done
}

# more_memory OPTIONS...: every worker of a search has its memory in the estimate.
more_memory() {
    for threads in 1 4; do
        "$BUILD/apsp" --device cpu --threads $threads --estimate --betweenness-edges \
            --betweenness "$scratch/none.csv" "$@" 2>/dev/null |
            awk '/^memory of a rank/ { print $(NF - 1) }'
    done | tr '\n' ' ' | awk '{ exit !($2 > $1 + 10) }'
}

head='%%MatrixMarket matrix coordinate integer general'
# A chain of 90: (i - 1) (90 - i) pairs have vertex i between them; an edge that is too long, and a
# parallel one, change nothing.
{ echo "$head" && echo '90 90 91' && seq 89 | awk '{ print $1, $1 + 1, 3 } END { print 1, 90, 900;
    print 7, 8, 3 }'; } >"$scratch/graph.mtx"
awk 'BEGIN { print "vertex,betweenness,normalized";
    for (i = 1; i <= 90; i++) printf "%d,%d,%.15g\n", i, (i - 1) * (90 - i),
    (i - 1) * (90 - i) / 89 / 88 }' >"$scratch/right.csv"
methods="dense sssp sparse"
if "$BUILD/apsp" --quiet --method sparse "$scratch/graph.mtx" 2>&1 | grep -q METIS; then
    echo "skip betweenness, sparse: built without METIS"
    methods="dense sssp"
fi
for ranks in 1 2 3; do
    for method in $methods; do
        check "betweenness: a chain, $method on $ranks ranks" gives $ranks --method $method
    done
done
check "betweenness: beside all others" gives 2 --verify=all --stats "$scratch/stats" \
    --predecessors "$scratch/trees"
for type in u16 i32 i64 f64; do
    check "betweenness: a chain in $type" gives 1 --dtype $type
done
check "betweenness: rows of u16" gives 2 --output-type u16

# A square, both ways: two paths between opposite corners; a pair counts once.
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '4 4 4' '2 1 0.1' '3 2 0.2' \
    '4 1 0.2' '4 3 0.1' >"$scratch/graph.mtx"
printf '%s\n' vertex,betweenness,normalized 1,0.5,0.166666666666667 2,0.5,0.166666666666667 \
    3,0.5,0.166666666666667 4,0.5,0.166666666666667 >"$scratch/right.csv"
check "betweenness: a square of decimals" gives 1
json() { # PATTERN OPTION...
    pattern=$1
    shift
    "$BUILD/apsp" --quiet --device cpu --force --sources 1,2 --betweenness "$scratch/values.json" \
        "$@" "$scratch/graph.mtx" &&
        [ "$(tr -d '\t\n ' <"$scratch/values.json")" = "$pattern" ]
}
right='{"vertices":4,"sources":2,"directed":false,"vertex":[1,2,3,4],"betweenness":[0.25,0.25,'
right=$right'0.25,0.25],"normalized":[0.0833333333333333,0.0833333333333333,0.0833333333333333,'
right=$right'0.0833333333333333]'
check "betweenness: .json of two sources" json "$right}"
right=$right',"edges":[[1,2,1.5,0.25],[1,4,1,0.166666666666667],[2,3,1,0.166666666666667],'
check "betweenness: .json with edges" json "$right[3,4,0.5,0.0833333333333333]]}" \
    --betweenness-edges

# Sums do not depend on their order: the same bytes on any threads, ranks and engines, with rows for
# others or without.
same() { # GENERATOR OPTIONS...
    "$BUILD/apsp-gen" "$@" -s 3 --force -o "$scratch/graph.bin" >/dev/null || return 1
    set -- --threads=1 --threads=2 --ranks=2 --ranks=3 --stats="$scratch/stats.csv" \
        --output-type=u16
    for method in $methods; do set -- "$@" --method=$method; done
    for option in "$@"; do
        "$BUILD/apsp" --quiet --device cpu --force --betweenness "$scratch/values.csv" $option \
            "$scratch/graph.bin" || return 1
        [ "$option" != --threads=1 ] || cp "$scratch/values.csv" "$scratch/right.csv"
        cmp "$scratch/values.csv" "$scratch/right.csv" || return 1
    done
}
check "betweenness: equal weights, the same bytes" same rmat -n 500 -d 6 -w 1:1
check "betweenness: weights, the same bytes" same rmat -n 300 -d 6 -w 1:5
kind() { # STRESS|LOAD GENERATOR OPTIONS...
    name=$1
    shift
    "$BUILD/apsp-gen" "$@" -s 3 --force -o "$scratch/graph.bin" >/dev/null || return 1
    for option in --threads=1 --threads=2 --ranks=2 --ranks=3 --method=dense --method=sssp; do
        "$BUILD/apsp" --quiet --device cpu --force --betweenness "$scratch/values.csv" \
            "--betweenness-$name" $option "$scratch/graph.bin" || return 1
        [ "$option" != --threads=1 ] || cp "$scratch/values.csv" "$scratch/right.csv"
        cmp "$scratch/values.csv" "$scratch/right.csv" || return 1
    done
    head -n 1 "$scratch/right.csv" | grep -qx "vertex,$name,normalized" &&
        { [ $name = load ] || ! cut -d, -f2 "$scratch/right.csv" | grep -q '[.e].*[0-9]$'; }
}
check "betweenness: stress, the same bytes and whole numbers" kind stress rmat -n 500 -d 6 -w 1:1
check "betweenness: load, the same bytes" kind load rmat -n 500 -d 6 -w 1:1

# A square lattice turned by half looks the same, and so does its mirror image; a hypercube has one
# value. Both the batches of a shallow graph and the rows of a deep one.
symmetric() { # SIDE
    "$BUILD/apsp-gen" lattice -n $(($1 * $1)) -w 1:1 --force -o "$scratch/graph.bin" >/dev/null &&
        "$BUILD/apsp" --quiet --device cpu --force --betweenness "$scratch/values.csv" \
            "$scratch/graph.bin" && awk -F, -v side="$1" 'NR > 1 { at[NR - 2] = $2 } END { n = side * side
            for (v = 0; v < n; v++) for (k = 0; k < 2; k++) {
                gap = at[v] - at[k ? n - 1 - v : v - v % side + side - 1 - v % side]
                if (gap > 1e-9 * at[v] || gap < -1e-9 * at[v]) exit 1
            } exit at[n / 2 + side / 2] <= at[0] }' "$scratch/values.csv"
}
check "betweenness: a symmetric graph, shallow" symmetric 6
check "betweenness: a symmetric graph, deep" symmetric 30
cube() {
    awk 'BEGIN { for (u = 0; u < 256; u++) for (b = 1; b < 256; b *= 2)
        print u, int(u / b) % 2 ? u - b : u + b }' >"$scratch/cube.txt" &&
        "$BUILD/apsp" --quiet --device cpu --force --betweenness "$scratch/values.csv" \
            "$scratch/cube.txt" &&
        [ "$(awk -F, 'NR > 1 { printf "%.9g\n", $2 }' "$scratch/values.csv" | sort -u)" = 384.5 ]
}
check "betweenness: a hypercube" cube

# A sample of all vertices is all; of some it is scaled up, is the same for a seed, and tells its
# error.
sampled() {
    "$BUILD/apsp-gen" rmat -n 400 -d 6 -w 1:1 --force -o "$scratch/graph.bin" >/dev/null || return 1
    set -- "$BUILD/apsp" --quiet --device cpu --force --betweenness
    "$@" "$scratch/all.csv" "$scratch/graph.bin" &&
        "$@" "$scratch/values.csv" --sources random:400 "$scratch/graph.bin" &&
        cmp "$scratch/all.csv" "$scratch/values.csv" || return 1
    for ranks in 1 2; do
        "$@" "$scratch/$ranks.json" --sources random:100 --seed 5 --ranks $ranks \
            "$scratch/graph.bin" || return 1
    done
    "$@" "$scratch/part.csv" --sources random:100 --seed 5 "$scratch/graph.bin" || return 1
    cmp "$scratch/1.json" "$scratch/2.json" || return 1
    error=$(sed -n 's/.*"error":\t\(.*\),/\1/p' "$scratch/1.json")
    [ "$error" = 0.221 ] && paste -d, "$scratch/all.csv" "$scratch/part.csv" |
        awk -F, -v most="$error" '
        NR > 1 { gap = $3 > $6 ? $3 - $6 : $6 - $3; sum += $2; part += $5;
            if (gap > most) wrong = 1 }
        END { exit wrong || part < sum / 2 || part > 2 * sum }'
}
check "betweenness: a sample of the sources" sampled
without_error() {
    "$BUILD/apsp" --quiet --force --sources random:100 --betweenness "$scratch/1.json" \
        --betweenness-stress "$scratch/graph.bin" && grep -q '"seed"' "$scratch/1.json" &&
        ! grep -q 'error\|confidence' "$scratch/1.json"
}
check "betweenness: a sample of stress has no bound of its error" without_error
# bounds GRAPH BOUNDS: what the file tells of the error of a sample of one source.
bounds() {
    printf '%s\n' "$head" "$1" >"$scratch/small.mtx"
    "$BUILD/apsp" --quiet --force --sources random:1 --betweenness "$scratch/1.json" \
        --betweenness-edges "$scratch/small.mtx" &&
        "${PYTHON:-python3}" -c 'if True:
            import json, sys
            found = json.load(open(sys.argv[1]), parse_constant=lambda word: 1 / 0)
            print(*(found.get(name) for name in ("error", "edge_error")))' "$scratch/1.json" \
            >"$scratch/log" && [ "$(cat "$scratch/log")" = "$2" ]
}
check "betweenness: a sample without edges" bounds '2 2 0' '1 None'
check "betweenness: a sample of one vertex" bounds '1 1 0' 'None None'
check "betweenness: bounds that say nothing" bounds '3 3 2
1 2 1
2 3 1' '1 1'
check "betweenness: a sample of too many" refuses 2 'from 1 to 4' "$scratch/graph.mtx" \
    --sources random:5
check "betweenness: a sample of none" refuses 2 'from 1 to 4' "$scratch/graph.mtx" \
    --sources random:0
"$BUILD/apsp" --betweenness-ends "$scratch/graph.mtx" 2>"$scratch/log"
check "betweenness: ends of nothing" grep -q -e '--betweenness-ends requires --betweenness' \
    "$scratch/log"

check "betweenness: f32" refuses 2 'too coarse' "$scratch/graph.mtx" --dtype f32
printf '%s\n' "$head" '3 3 3' '1 2 1' '2 3 0' '3 1 1' >"$scratch/zero.mtx"
check "betweenness: weight 0" refuses 3 'from 2 to 3 has weight 0' "$scratch/zero.mtx"
printf '%s\n' "$head" '3 3 3' '1 2 1' '2 3 -1' '3 1 1' >"$scratch/below.mtx"
check "betweenness: a weight below 0" refuses 3 'from 2 to 3 has weight -1' "$scratch/below.mtx"
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '3 3 2' '2 1 1e9' \
    '3 2 1e-9' >"$scratch/hidden.mtx"
check "betweenness: weights that rounding hides" refuses 3 'rounding hides' "$scratch/hidden.mtx"
# From 1, the way to 3 by 2 is longer than the straight one, by what no double shows.
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 3' '1 2 1e-12' '2 3 1e12' \
    '1 3 1e12' >"$scratch/hidden.mtx"
check "betweenness: a distance that a weight hides" refuses 3 'rounding hides' "$scratch/hidden.mtx"
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 3' '1 2 1e12' '2 3 1e-12' \
    '1 3 1e12' >"$scratch/hidden.mtx"
check "betweenness: a weight that a distance hides" refuses 3 'rounding hides' "$scratch/hidden.mtx"
# From corner to corner of a lattice lead (148 over 74) paths, 2^144.
"$BUILD/apsp-gen" lattice -n 5625 -w 1:1 --force -o "$scratch/lattice.bin" >/dev/null
check "betweenness: stress without room" refuses 3 'more than 2^79 shortest paths lead from' \
    "$scratch/lattice.bin" --betweenness-stress
"$BUILD/apsp" --betweenness-stress "$scratch/graph.mtx" 2>"$scratch/log"
check "betweenness: stress of nothing" grep -q -e '--betweenness-stress requires --betweenness' \
    "$scratch/log"
check "betweenness: stress and load" refuses 2 'stress contradicts --betweenness-load' \
    "$scratch/graph.mtx" --betweenness-stress --betweenness-load
"$BUILD/apsp" --betweenness-load "$scratch/graph.mtx" 2>"$scratch/log"
check "betweenness: load of nothing" grep -q -e '--betweenness-load requires --betweenness' \
    "$scratch/log"
check "betweenness: the same file twice" refuses 2 'are the same file' "$scratch/graph.mtx" \
    --stats "$scratch/none.csv"

"$BUILD/apsp-gen" grid -n 100000 -w 1:1 -s 1 -o "$scratch/deep.bin"
check "betweenness: memory of every worker" more_memory "$scratch/deep.bin"

"${PYTHON:-python3}" tests/cli/betweenness.py "$BUILD/apsp" "$scratch" $methods >"$scratch/log" 2>&1
status=$?
if [ $status -eq 77 ]; then
    echo "skip betweenness: $(tail -n 1 "$scratch/log")"
else
    cat "$scratch/log"
    check "betweenness: as networkx and igraph" [ $status -eq 0 ]
    "${PYTHON:-python3}" tests/cli/betweenness_options.py "$BUILD/apsp" "$scratch" 12
fi
finish
