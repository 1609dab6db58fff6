#!/bin/sh
# --nearest and --within by searches that stop early: the files are those of the other engines,
# byte for byte.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graph=$scratch/graph.gr

pairs() { # METHOD RANKS FILE OPTION...
    method=$1 ranks=$2 file=$3
    shift 3
    "$BUILD/apsp" --device cpu --method "$method" --ranks "$ranks" --threads 1 --quiet \
        --no-progress --force "$@" "$graph" "$file"
}

# same NAME OPTION...: by the sssp engine, on 1 and 3 ranks, with and without a probe, and by the
# others.
same() {
    name=$1
    shift
    pairs dense 1 "$scratch/right.csv" "$@"
    pairs sparse 1 "$scratch/found.csv" "$@"
    check "near: $name by sparse" cmp "$scratch/right.csv" "$scratch/found.csv"
    for ranks in 1 3; do
        pairs sssp $ranks "$scratch/found.csv" "$@"
        check "near: $name by sssp on $ranks ranks" cmp "$scratch/right.csv" "$scratch/found.csv"
    done
    APSP_PROBE=none pairs sssp 1 "$scratch/found.csv" "$@"
    check "near: $name by sssp, side by side" cmp "$scratch/right.csv" "$scratch/found.csv"
}

# all NAME [OPTION...]: what is near, to all vertices and to some in any order.
all() {
    name=$1
    shift
    same "$name, within 0" --within 0 "$@"
    same "$name, within 17.5" --within 17.5 "$@"
    same "$name, nearest 3" --nearest 3 "$@"
    same "$name, nearest 4 within 20" --nearest 4 --within 20 "$@"
    same "$name, nearest 2 of some" --nearest 2 --targets 90,3,40-60,0 "$@"
    same "$name, within 30 of some" --within 30 --targets 90,3,40-60,0 --sources 5,99,1-20 "$@"
}

"$BUILD/apsp-gen" grid -n 144 -s 1 -w 1:9 --force -o "$graph"
all grid
all "grid in f64" --dtype f64
all "grid as f64" --output-type f64
"$BUILD/apsp-gen" random -n 150 -d 3 -s 2 -w 0:30 --force -o "$graph"
all "weights of 0"
"$BUILD/apsp-gen" rmat -n 256 -d 4 -s 3 --force -o "$graph"
all "equal weights" --unweighted
graph=$scratch/graph.mtx
"$BUILD/apsp-gen" grid -n 120 -s 4 -w 0:9 --potential 5 --force -o "$graph"
all "negative weights"

# The search of a source ends early: each vertex of a path of 20,000 has its neighbours alone.
graph=$scratch/graph.gr
"$BUILD/apsp-gen" path -n 20000 -s 1 --force -o "$graph"
pairs sssp 1 "$scratch/found.csv" --nearest 2 --json "$scratch/report"
check "near: a path by searches alone" grep -q '"search":.*"alone"' "$scratch/report"
finish
