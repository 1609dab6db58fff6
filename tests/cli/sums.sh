#!/bin/sh
# Reals whose sums are rounded: those along paths, from the first edge on, whoever has solved. SUMS
# graphs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

check "sums: the least of all paths, dense" compare sums "${SUMS:-60}" --method dense
check "sums: the same, sparse" compare sums "${SUMS:-60}" --method sparse
check "sums: the same, from f32" compare sums "${SUMS:-60}" --dtype f32
check "sums: the same, two ranks" compare sums 10 --ranks 2 --sums path

# Of a random graph, of one that is far too large for anybody not to notice, and with negative
# weights.
"$BUILD/apsp-gen" random -n 150 -d 5 -w 0.001:1 -o "$scratch/thousandths.mtx"
awk '/^%/ || !head++ { print; next } { printf "%d %d %.17g\n", $1, $2, $3 / 3 }' \
    "$scratch/thousandths.mtx" >"$scratch/thirds.mtx"
awk '/^%/ || !head++ { print; next } { printf "%d %d %.17g\n", $1, $2,
    $3 / 3 + ($1 % 7) / 3 - ($2 % 7) / 3 }' "$scratch/thousandths.mtx" >"$scratch/negative.mtx"
run() {
    ranks=$1
    shift
    mpi "$ranks" "$BUILD/apsp" --quiet --force --device cpu "$@"
}
alike() {
    run 1 --sums path --predecessors "$scratch/tree.npy" "$scratch/thirds.mtx" \
        "$scratch/first.npy" || return
    for way in "1 dense --tile 7" "2 dense" "3 dense" "4 dense" "1 sparse" "3 sparse"; do
        run ${way%% *} --sums path --verify=all --method ${way#* } \
            --predecessors "$scratch/other-tree.npy" "$scratch/thirds.mtx" "$scratch/other.npy" &&
            cmp "$scratch/first.npy" "$scratch/other.npy" &&
                cmp "$scratch/tree.npy" "$scratch/other-tree.npy" || return
    done
}
check "sums: the same bytes and trees on 1 to 4 ranks, dense and sparse" alike

# says WHICH GRAPH OPTIONS...: the report does.
says() {
    which=$1
    shift
    "$BUILD/apsp" --force --device cpu --json "$scratch/report.json" "$@" >"$scratch/log" &&
        grep -q "\"sums\":.\"$which\"" "$scratch/report.json" || return
    case $which in
    exact) ! grep -q 'sums' "$scratch/log" ;;
    path) grep -q 'sums along shortest paths' "$scratch/log" &&
        grep -q '^path sums' "$scratch/log" ;;
    solver) grep -q "the solver's sums" "$scratch/log" && ! grep -q '^path sums' "$scratch/log" ;;
    esac
}
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d,%d,%.17g\n", i % 1000, int(i / 300),
    (i % 997 + 1) / 7 }' >"$scratch/many.csv"
check "sums: of few edges along paths" says path "$scratch/thirds.mtx" "$scratch/none.npy"
check "sums: of many the solver's" says solver "$scratch/many.csv" "$scratch/none.npy"
check "sums: or as the options say" says path --sums path "$scratch/many.csv" "$scratch/none.npy"
check "sums: either way" says solver --sums solver "$scratch/thirds.mtx" "$scratch/none.npy"
check "sums: integers are exact" says exact --sums path "$scratch/thousandths.mtx" \
    "$scratch/none.npy"

# Decimals with a scale by which no distance fits are reals again, after the proof; each rank wants
# the edges then.
for v in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
    echo "v$v,v$((v + 1)),$((99999999999990 + v)).$v"
done >"$scratch/unfit.csv"
unfit() {
    for ranks in 1 2 3; do
        run $ranks --verify=all --json "$scratch/report.json" "$scratch/unfit.csv" \
            "$scratch/unfit.$ranks.npy" && grep -q '"sums":."path"' "$scratch/report.json" &&
            cmp "$scratch/unfit.1.npy" "$scratch/unfit.$ranks.npy" || return
    done
}
check "sums: decimals that do not fit" unfit

# Every sink has these rows: some of them, some columns, pairs and statistics.
sinks() {
    "$BUILD/apsp" --quiet --force --device cpu --method "$1" --sums path --sources 5,140,17 \
        --targets 3,149,4-9 --count all --stats "$scratch/stats.csv" "$scratch/thirds.mtx" \
        "$scratch/part.npy" &&
        "$BUILD/apsp" --quiet --force --device cpu --method "$1" --sums path --sources 5,140,17 \
            --targets 3,149,4-9 "$scratch/thirds.mtx" "$scratch/alone.npy" &&
        "$BUILD/apsp" --quiet --force --device cpu --method "$1" --sums path --sources 5,140,17 \
            --targets 3 --nearest 1 "$scratch/thirds.mtx" "$scratch/part.csv" &&
        cmp "$scratch/part.npy" "$scratch/alone.npy" && [ "$(wc -l <"$scratch/part.csv")" -eq 4 ] &&
            cp "$scratch/part.npy" "$scratch/$1.part" &&
        cp "$scratch/part.csv" "$scratch/$1.csv" && cp "$scratch/stats.csv" "$scratch/$1.stats"
}
check "sums: some rows, columns and pairs, dense" sinks dense
check "sums: the same, sparse" sinks sparse
check "sums: of either engine alike" cmp "$scratch/dense.part" "$scratch/sparse.part"
check "sums: and pairs" cmp "$scratch/dense.csv" "$scratch/sparse.csv"
check "sums: and statistics" cmp "$scratch/dense.stats" "$scratch/sparse.stats"
negative() {
    "$BUILD/apsp" --quiet --force --device cpu --sums path --verify=all \
        --predecessors "$scratch/tree.npy" "$scratch/negative.mtx" "$scratch/negative.npy"
}
check "sums: negative weights, certified" negative
unknown() {
    "$BUILD/apsp" --quiet --sums pth "$scratch/thirds.mtx" 2>"$scratch/log"
    [ $? -eq 2 ] && grep -q 'sums' "$scratch/log"
}
check "sums: a word that is none" unknown
finish
