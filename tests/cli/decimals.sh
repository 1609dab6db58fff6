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

alike() {
    for run in "1 dense" "2 dense" "3 dense" "1 sparse" "4 sparse"; do
        mpi ${run% *} "$BUILD/apsp" --quiet --force --method ${run#* } --verify=all "$scratch/quarters.mtx" "$scratch/out.f64" || return 1
        [ -e "$scratch/first.f64" ] || cp "$scratch/out.f64" "$scratch/first.f64"
        cmp "$scratch/first.f64" "$scratch/out.f64" || return 1
    done
}
check "decimals: the same bytes on 1 to 4 ranks, dense and sparse" alike

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

# The same numbers as reals: everything but the files is as of whole weights.
sed '1s/integer/real/' "$scratch/whole.mtx" >"$scratch/real.mtx"
same() {
    "$BUILD/apsp" --quiet --force --output-type i32 --stats "$scratch/real.csv" "$scratch/real.mtx" "$scratch/out.i32" &&
        "$BUILD/apsp" --quiet --force --stats "$scratch/whole.csv" "$scratch/whole.mtx" &&
        cmp "$scratch/whole.i32" "$scratch/out.i32" && cmp "$scratch/real.csv" "$scratch/whole.csv"
}
check "decimals: reals that are whole are solved as whole numbers" same

# within LIMIT COUNT: so many lines of pairs.
printf 's,a,0.1\na,b,0.2\ns,c,0.3\n' >"$scratch/sums.csv"
within() {
    "$BUILD/apsp" --quiet --force --within "$1" "$scratch/sums.csv" "$scratch/pairs.csv" && [ "$(wc -l <"$scratch/pairs.csv")" -eq "$2" ]
}
check "decimals: 0.1 + 0.2 is within 0.3" within 0.3 5
check "decimals: and not within less" within 0.2999999999999999 3
negative() {
    printf 'a,b,0.1\nb,c,0.2\nc,a,-0.4\n' >"$scratch/cycle.csv"
    "$BUILD/apsp" --quiet "$scratch/cycle.csv" 2>"$scratch/log"
    [ $? -eq 9 ] && grep -q 'total weight -0.1: ' "$scratch/log"
}
check "decimals: the weight of a negative cycle is exact" negative
finish
