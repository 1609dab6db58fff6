#!/bin/sh
# The sparse engine and searches behind the command: the bytes of the dense one on any number of
# ranks, and the facts of real graphs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graphs=${APSP_GRAPHS:-../shared/graphs}

solve() { # METHOD RANKS OPTIONS...
    method=$1 ranks=$2
    shift 2
    "$BUILD/apsp" --device cpu --threads 2 --ranks "$ranks" --method "$method" --quiet \
        --no-progress --force "$@"
}

printf 'p sp 1 0\n' >"$scratch/one.gr"
if ! solve sparse 1 "$scratch/one.gr" "$scratch/out" 2>"$scratch/log"; then
    grep -q METIS "$scratch/log" && echo "skip sparse: built without METIS" && exit 0
fi

# same NAME GRAPH [OPTION...]: one and three ranks, all rows and some, statistics, certificate and
# predecessors.
engines="sparse sssp"
same() {
    name=$1 file=$2
    shift 2
    solve dense 1 "$@" --stats "$scratch/dense.csv" "$file" "$scratch/dense.npy" || return
    for ranks in 1 3; do
        for engine in $engines; do
            solve $engine $ranks --verify=all --predecessors "$scratch/trees.npy" \
                --stats "$scratch/rows.csv" "$@" "$file" "$scratch/rows.npy" ||
                return
            check "$engine: $name, $ranks ranks" cmp "$scratch/dense.npy" "$scratch/rows.npy"
            check "$engine: $name, $ranks ranks, statistics" cmp "$scratch/dense.csv" \
                "$scratch/rows.csv"
            solve $engine $ranks --stats "$scratch/alone.csv" "$@" "$file" || return
            check "$engine: $name, $ranks ranks, statistics alone" cmp "$scratch/dense.csv" \
                "$scratch/alone.csv"
        done
    done
}

# graph NAME.FORMAT FAMILY OPTION...
graph() {
    name=${1%.*} file=$scratch/$1
    shift
    "$BUILD/apsp-gen" "$@" -s 3 -o "$file" && same "$name" "$file"
    check "sparse: $name" [ $? -eq 0 ]
}
graph random.gr random -n 300 -d 3
graph equal.gr rmat -n 700 -d 4 -w 6:6
graph rmat.gr rmat -n 500 -d 4 -w 0:5
graph grid.gr grid -n 900
graph negative.mtx random -n 200 -d 3 -w 0:50 --potential 100
graph large.gr random -n 200 -d 3 -w 1000000:2000000
printf 'p sp 7 0\n' >"$scratch/none.gr"
check "sparse: no edges" same none "$scratch/none.gr"
check "sparse: one vertex" same one "$scratch/one.gr"
# A hub, in a form that ranks get from rank 0.
awk 'BEGIN { print "p sp 401 400"; for (v = 2; v < 402; v++) print "a 1", v, v % 7 }' |
    gzip >"$scratch/hub.gr.gz"
check "sparse: a hub both ways" same hub "$scratch/hub.gr.gz" --undirected
# by FORM GRAPH OPTION...: what statistics alone are counted by.
by() {
    form=$1
    shift
    solve sparse 2 --stats "$scratch/alone.csv" --json "$scratch/report.json" "$@" &&
        grep -q "\"rows\":[[:space:]]*\"$form\"" "$scratch/report.json"
}
check "sparse: halves of a grid" by halves "$scratch/grid.gr"
check "sparse: halves where all edges lead back" by halves "$scratch/random.gr" --undirected
check "sparse: no halves where they do not" by counts "$scratch/random.gr"
check "sparse: no halves of some rows" by counts "$scratch/grid.gr" --sources 1-899
check "sparse: no halves for other counts" by counts "$scratch/grid.gr" --count in
check "sparse: no halves beside a checkpoint" by counts "$scratch/grid.gr" \
    --checkpoint "$scratch/checkpoint"
check "sparse: some rows" same sources "$scratch/grid.gr" --sources 900,80,1-70
export APSP_KAPPA=6
engines=sparse
check "sparse: a core" same core "$scratch/rmat.gr"
check "sparse: a core, reals" same core-f64 "$scratch/rmat.gr" --dtype f64
check "sparse: a core, potentials" same core-negative "$scratch/negative.mtx"
check "sparse: a core, some rows" same core-sources "$scratch/grid.gr" --sources 900,80,1-70
unset APSP_KAPPA
engines="sparse sssp"
check "sparse: f64" same f64 "$scratch/rmat.gr" --dtype f64
check "sparse: f64, equal weights" same f64-equal "$scratch/equal.gr" --dtype f64
# Distances to some vertices alone, from all sources and from few.
columns() { # METHOD GRAPH OPTIONS...
    method=$1 file=$2
    shift 2
    solve dense 1 --targets 700,3,10-80 "$@" "$file" "$scratch/dense.npy" &&
        solve "$method" 2 --targets 700,3,10-80 --verify=all "$@" "$file" "$scratch/rows.npy" &&
            cmp "$scratch/dense.npy" "$scratch/rows.npy"
}
"$BUILD/apsp-gen" rmat -n 700 -d 4 -w 0:9 -s 3 -o "$scratch/labels.gr"
for engine in $engines; do
    for name in equal labels; do
        check "$engine: some columns, $name" columns $engine "$scratch/$name.gr"
        check "$engine: some columns of few rows, $name" columns $engine "$scratch/$name.gr" \
            --sources 1,699
    done
done

# Ranks of different processors: groups and cores are cut alike on both.
mixed() { # KAPPA GRAPH [METHOD]
    solve dense 1 --stats "$scratch/dense.csv" "$2" "$scratch/dense.npy" || return
    APSP_KAPPA=$1 mpirun --oversubscribe -n 1 -x APSP_KAPPA "$BUILD/apsp" --device cpu \
        --method "${3:-sparse}" --quiet --no-progress --force --verify=all \
        --stats "$scratch/mixed.csv" "$2" "$scratch/mixed.npy" : \
        -n 1 -x APSP_KAPPA -x APSP_ISA=plain "$BUILD/apsp" --device cpu --method "${3:-sparse}" \
        --quiet --no-progress --force --verify=all \
        --stats "$scratch/mixed.csv" "$2" "$scratch/mixed.npy" &&
        cmp "$scratch/dense.npy" "$scratch/mixed.npy" &&
            cmp "$scratch/dense.csv" "$scratch/mixed.csv"
}
check "sparse: ranks of different processors" mixed 1000 "$scratch/grid.gr"
check "sparse: ranks of different processors, a core" mixed 6 "$scratch/rmat.gr"
check "sssp: ranks of different processors, labels" mixed 6 "$scratch/rmat.gr" sssp
check "sssp: ranks of different processors, bits" mixed 6 "$scratch/equal.gr" sssp

refuses() { # STATUS TEXT OPTION...
    status=$1 text=$2
    shift 2
    "$BUILD/apsp" --method sparse "$@" "$scratch/one.gr" 2>"$scratch/log" >&2
    [ $? -eq "$status" ] && grep -q -- "$text" "$scratch/log"
}
check "sparse: a tile is refused" refuses 2 tile --device cpu --tile 8
check "sparse: a transport is refused" refuses 2 transport --device cpu --transport mpi
check "sssp: a tile is refused" refuses 2 "--method sssp: has no tile" --device cpu --method sssp \
    --tile 8
check "sssp: a transport is refused" refuses 2 "--method sssp: has no transport" --device cpu \
    --method sssp --transport mpi
check "sssp: an order is refused" refuses 2 "--method sssp: has no order" --device cpu \
    --method sssp --save-order "$scratch/order"
"$BUILD/apsp-gen" random -n 300 -d 3 -s 1 -w -9:9 -o "$scratch/cycle.mtx"
solve sparse 1 "$scratch/cycle.mtx" 2>/dev/null
check "sparse: a negative cycle" [ $? -eq 9 ]

# number KEY: of the whole graph.
number() {
    sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\([0-9]*\),*\$/\1/p" "$scratch/all.json" | head -n 1
}
if [ -r $graphs/luxembourg.gr ]; then
    solve sparse 1 --verify=200 --stats "$scratch/all.json" $graphs/luxembourg.gr
    check "sparse: Luxembourg's certificate" [ $? -eq 0 ]
    check "sparse: Luxembourg's longest" [ "$(number diameter)" = 108183 ]
    check "sparse: Luxembourg's sum" [ "$(number sum)" = 191109069388616 ]
    check "sparse: Luxembourg's pairs" [ "$(number pairs)" = 5556075249 ]
else
    echo "skip sparse: Luxembourg's graph is not there"
fi

"$BUILD/apsp-gen" grid -n 20000 -s 1 -o "$scratch/roads.gr"
"$BUILD/apsp-gen" random -n 2000 -m 1000000 -s 1 -o "$scratch/full.bin"
same_stats() { # GRAPH
    solve auto 1 --stats "$scratch/auto.csv" "$1" &&
        solve dense 1 --stats "$scratch/dense.csv" "$1" &&
        cmp "$scratch/auto.csv" "$scratch/dense.csv"
}
takes() { # METHOD GRAPH
    "$BUILD/apsp" --device cpu --no-progress "$2" | grep -q "^# solver     $1"
}
check "sparse: auto takes it for roads" takes sparse "$scratch/roads.gr"
# Of such graphs auto looks at the order, and takes the dense engine on most machines.
for degree in 15 30 40; do
    "$BUILD/apsp-gen" random -n 2000 -d $degree -s 1 -o "$scratch/near.bin" --force
    check "sparse: auto after a look at both, degree $degree" same_stats "$scratch/near.bin"
done
check "sparse: auto does not for a full graph" takes dense "$scratch/full.bin"
memory() { # OPTION...
    "$BUILD/apsp" --device cpu --method sparse --dtype i64 --estimate --threads 2 --json - "$@" \
        "$scratch/roads.gr" 2>/dev/null | sed -nE 's/.*"rank":[[:space:]]*([0-9]+).*/\1/p'
}
# By more than 3 MB, whatever the process itself takes.
check "sparse: the estimate counts lanes that have rows to certify" sh \
    -c 'echo "$1 $2" | awk "{ exit !(\$1 > 0 && \$1 + 3000000 < \$2) }"' - \
    "$(memory --verify=8 --sources 1-400)" "$(memory --verify=all --sources 1-400)"
check "sparse: the estimate names both" sh \
    -c \
    '"$0" --device cpu --estimate "$1" | grep -c "^method \\(dense\\|sparse\\), about .* a node" | grep -qx 2' \
    "$BUILD/apsp" "$scratch/roads.gr"
finish
