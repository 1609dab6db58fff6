#!/bin/sh
# --path-counts: squares one after the other, ranks, files and refusals; then path_counts.py with
# PATH_COUNTS graphs (default 40), with the Python PYTHON (default python3).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# squares K: each with two paths of equal length from its first vertex, 3 i, to the next one.
squares() {
    awk -v k="$1" 'BEGIN { print "from,to"; for (i = 0; i < 3 * k; i += 3)
        printf "%d,%d\n%d,%d\n%d,%d\n%d,%d\n", i, i + 1, i, i + 2, i + 1, i + 3, i + 2, i + 3 }' \
        >"$scratch/graph.csv"
}

# refuses CODE TEXT OPTIONS...
refuses() {
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --directed "$@" "$scratch/graph.csv" \
            2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" &&
            [ -z "$(ls "$scratch" | grep none)" ] || return 1
    done
}

# 2^1023 has room in a float64, and 2^1024 has not.
largest() {
    "$BUILD/apsp" --quiet --directed --force --path-counts "$scratch/out.csv" --sources 0 \
        --targets "$1" "$scratch/graph.csv" && tail -n 1 "$scratch/out.csv" | grep -qx "0,$1,$2"
}
squares 1024
check "path counts: 2^50 is exact" largest 150 1125899906842624
check "path counts: 2^1023" largest 3069 8.9884656743115795e+307
check "path counts: 2^1024 is an error" refuses 3 '2^1024 shortest paths or more lead from 0 to' \
    --sources 0 --path-counts "$scratch/none.csv"

same() { # FORMAT
    for ranks in 1 2 3 4; do
        for option in --method=dense --method=sssp --threads=2; do
            mpi $ranks "$BUILD/apsp" --quiet --device cpu --directed --force --path-counts \
                "$scratch/$ranks.$1" $option "$scratch/graph.csv" "$scratch/distances.npy" ||
                return 1
            cmp "$scratch/1.$1" "$scratch/$ranks.$1" || return 1
        done
    done
}
squares 30
for format in npy csv; do
    check "path counts: the same .$format on 1 to 4 ranks" same $format
done
check "path counts: no room for text in a matrix" refuses 2 '.h5 is not written' \
    --path-counts "$scratch/none.h5"
check "path counts: integers" refuses 2 '.i32 is not written' --path-counts "$scratch/none.i32"
for name in none none.bin -; do
    check "path counts: a file $name" refuses 2 'use one of .npy .f64 .csv' --path-counts $name
done
check "path counts: another value of a path" refuses 2 '--paths widest: has no --path-counts' \
    --paths widest --path-counts "$scratch/none.npy"
check "path counts: a checkpoint of rows" refuses 2 'none.npy' --checkpoint "$scratch/checkpoint" \
    --method sparse --path-counts "$scratch/none.npy"
check "path counts: f32" refuses 2 '--path-counts: f32 is too coarse' --dtype f32 \
    --path-counts "$scratch/none.npy"
printf '%s\n' from,to,weight a,b,0.5 b,c,0 >"$scratch/graph.csv"
check "path counts: weight 0" refuses 3 '--path-counts: the edge from b to c has weight 0,' \
    --path-counts "$scratch/none.npy"
printf '%s\n' from,to,weight a,b,0.5 b,c,-0.25 >"$scratch/graph.csv"
check "path counts: a weight below 0" refuses 3 'from b to c has weight -0.25,' \
    --path-counts "$scratch/none.npy"
check "path counts: beside betweenness" refuses 3 'weight -0.25,' --betweenness \
    "$scratch/none.csv" --path-counts "$scratch/none.npy"

"${PYTHON:-python3}" tests/cli/path_counts.py "$BUILD/apsp" "$scratch" "${PATH_COUNTS:-40}" \
    >"$scratch/log" 2>&1
status=$?
if [ $status -eq 77 ]; then
    echo "skip path counts: $(tail -n 1 "$scratch/log")"
else
    cat "$scratch/log"
    check "path counts: as integers" [ $status -eq 0 ]
fi
finish
