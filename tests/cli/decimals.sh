#!/bin/sh
# Decimal weights as whole numbers: small graphs against exact rationals, the same bytes everywhere, scaled files. DECIMALS graphs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

rationals() {
    "${PYTHON:-python3}" tests/cli/decimals.py "$BUILD/apsp" "$scratch" "$@"
}
check "decimals: exact rationals, dense" rationals "${DECIMALS:-150}" --method dense
check "decimals: exact rationals, sparse" rationals "${DECIMALS:-150}" --method sparse
check "decimals: exact rationals, two ranks" rationals 10 --ranks 2

# The quarters of a network with negative weights: the sums are exact, and so is every digit.
awk 'BEGIN {
    n = 500; srand(7)
    print "%%MatrixMarket matrix coordinate real general\n" n, n, 6 * n
    for (e = 0; e < 6 * n; e++) {
        u = int(rand() * n); v = int(rand() * n)
        w = int(rand() * 100) + (u < v ? -10 : 10 * (u - v) + 10)
        print u + 1, v + 1, u == v ? 1 : w / 4
    } }' >"$scratch/quarters.mtx"
awk 'NR == 1 { sub("real", "integer") } NR > 2 { $3 *= 4 } { print }' "$scratch/quarters.mtx" >"$scratch/whole.mtx"
"$BUILD/apsp" --quiet --output-type i32 "$scratch/whole.mtx" "$scratch/whole.i32"

"$BUILD/apsp" --quiet "$scratch/quarters.mtx" "$scratch/first.f64"
alike() {
    for run in "1 dense" "2 dense" "3 dense" "4 dense" "1 sparse" "3 sparse" "4 sparse"; do
        mpi ${run% *} "$BUILD/apsp" --quiet --force --method ${run#* } --verify=all "$@" "$scratch/quarters.mtx" "$scratch/out.f64" &&
            cmp "$scratch/first.f64" "$scratch/out.f64" || return 1
    done
}
check "decimals: the same bytes on 1 to 4 ranks, dense and sparse" alike
check "decimals: and in floating point" alike --dtype f64
tiles() {
    for tile in 1 17 64; do
        "$BUILD/apsp" --quiet --force --dtype f64 --tile $tile "$scratch/quarters.mtx" "$scratch/out.f64" &&
            cmp "$scratch/first.f64" "$scratch/out.f64" || return 1
    done
}
check "decimals: in tiles of any width" tiles
floats() {
    "$BUILD/apsp" --force --dtype f64 "$scratch/quarters.mtx" >"$scratch/log" && grep -q '^# type       f64, proved' "$scratch/log" &&
        "$BUILD/apsp" --quiet --force --dtype f32 "$scratch/quarters.mtx" "$scratch/narrow.f32" &&
        "$BUILD/apsp" --quiet --force --output-type f32 "$scratch/quarters.mtx" "$scratch/out.f32" &&
        cmp "$scratch/narrow.f32" "$scratch/out.f32"
}
check "decimals: what is not rounded is said to be exact, and is in f32 too" floats

scaled() {
    "$BUILD/apsp" --quiet --force --output-type i32 "$scratch/quarters.mtx" "$scratch/out.i32" &&
        cmp "$scratch/whole.i32" "$scratch/out.i32" && [ "$(cat "$scratch/out.i32.scale")" = 4 ]
}
check "decimals: whole files hold multiples, and .scale beside them says of what" scaled
refused() {
    "$BUILD/apsp" --quiet --output-type i32 "$scratch/quarters.mtx" "$scratch/other.i32"
    [ $? -eq 2 ] && [ ! -e "$scratch/other.i32" ]
}
echo 1 >"$scratch/other.i32.scale"
check "decimals: a .scale that is there is not replaced without --force" refused

stale() {
    "$BUILD/apsp" --quiet --force "$scratch/quarters.mtx" "$scratch/out.i32.npy" || return 1
    echo 4 >"$scratch/out.i32.npy.scale"
    "$BUILD/apsp" --quiet --force "$scratch/quarters.mtx" "$scratch/out.i32.npy" && [ "$(cat "$scratch/out.i32.npy.scale")" = 1 ]
}
check "decimals: a .scale that is no longer true is corrected" stale
multiples() {
    for program in "apsp-verify" "apsp-query --pairs $scratch/sum"; do
        "$BUILD"/${program%% *} $([ "$program" = apsp-verify ] || echo "${program#* }") "$scratch/sums.csv" "$scratch/multiples.csv" 2>"$scratch/log"
        [ $? -eq 3 ] && grep -q 'holds multiples of 1/10 of the distances' "$scratch/log" || return 1
    done
}
printf 's,a,0.1\na,b,0.2\ns,c,0.3\n' >"$scratch/sums.csv"
echo s b >"$scratch/sum"
"$BUILD/apsp" --quiet --output-type narrow "$scratch/sums.csv" "$scratch/multiples.csv"
check "decimals: multiples are not taken for distances" multiples
tiny() {
    printf 'a,b,1.1e-305\nb,c,3.3e-305\n' >"$scratch/tiny.csv"
    "$BUILD/apsp" --quiet --force --count exact --stats "$scratch/tiny.json" "$scratch/tiny.csv" &&
        grep -q '"0.5": 3.3e-305' "$scratch/tiny.json"
}
check "decimals: quantiles of tiny numbers" tiny
units() {
    printf 'a,b,70000.5\nb,c,1.25\n' >"$scratch/wide.csv"
    "$BUILD/apsp" --quiet --dtype u16 "$scratch/wide.csv" 2>"$scratch/log"
    [ $? -eq 3 ] && grep -q 'holds distances below 8191.75, but they may reach 70001.75' "$scratch/log"
}
check "decimals: refusals are in the file's units" units

# The same numbers as reals: everything but the files is as of whole weights.
sed '1s/integer/real/' "$scratch/whole.mtx" >"$scratch/real.mtx"
same() {
    "$BUILD/apsp" --quiet --force --output-type i32 --stats "$scratch/real.csv" "$scratch/real.mtx" "$scratch/out.i32" &&
        "$BUILD/apsp" --quiet --force --stats "$scratch/whole.csv" "$scratch/whole.mtx" &&
        cmp "$scratch/whole.i32" "$scratch/out.i32" && cmp "$scratch/real.csv" "$scratch/whole.csv"
}
check "decimals: reals that are whole are solved as whole numbers" same

# within LIMIT COUNT: so many lines of pairs.
within() {
    "$BUILD/apsp" --quiet --force --within "$1" "$scratch/sums.csv" "$scratch/pairs.csv" && [ "$(wc -l <"$scratch/pairs.csv")" -eq "$2" ]
}
check "decimals: 0.1 + 0.2 is within 0.3" within 0.3 5
check "decimals: and not within less" within 0.2999999999999999 3
# adds WEIGHT COUNT SUM [OPTION ...]: so many parallel edges of that weight, and one of 0.2 beside them.
adds() {
    weight=$1
    count=$2
    right=$3
    shift 3
    awk -v w="$weight" -v n="$count" 'BEGIN { print "from,to,weight\nb,c,0.2"; for (i = 0; i < n; i++) print "a,b," w }' >"$scratch/parallel.csv"
    "$BUILD/apsp" --quiet --force --parallel sum "$@" "$scratch/parallel.csv" "$scratch/pairs.csv" && grep -qx "a,b,$right" "$scratch/pairs.csv"
}
check "decimals: parallel edges have exact sums" adds 0.1 10000 1000
check "decimals: and as floats" adds 0.1 10000 1000 --dtype f64
check "decimals: of opposite signs" adds -0.001 1000 -1
check "decimals: sums beyond 15 digits are those of doubles" adds 99999999999999.9 11 1099999999999998.9
check "decimals: and beyond 64 bits too" adds 99999999999999.9 100000 9.999999999999998e+18
negative() {
    printf 'a,b,0.1\nb,c,0.2\nc,a,-0.4\n' >"$scratch/cycle.csv"
    "$BUILD/apsp" --quiet "$scratch/cycle.csv" 2>"$scratch/log"
    [ $? -eq 9 ] && grep -q 'total weight -0.1: ' "$scratch/log"
}
check "decimals: the weight of a negative cycle is exact" negative
finish
