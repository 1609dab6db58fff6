#!/bin/sh
# Decimal weights as integers: small graphs against exact rationals, the same bytes everywhere,
# scaled files. DECIMALS graphs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

check "decimals: exact rationals, dense" compare decimals "${DECIMALS:-150}" --method dense
check "decimals: exact rationals, sparse" compare decimals "${DECIMALS:-150}" --method sparse
check "decimals: exact rationals, two ranks" compare decimals 10 --ranks 2

# The quarters of a network with negative weights: the sums are exact, and so is every digit.
awk 'BEGIN {
    n = 500; srand(7)
    print "%%MatrixMarket matrix coordinate real general\n" n, n, 6 * n
    for (e = 0; e < 6 * n; e++) {
        u = int(rand() * n); v = int(rand() * n)
        w = int(rand() * 100) + (u < v ? -10 : 10 * (u - v) + 10)
        print u + 1, v + 1, u == v ? 1 : w / 4
    } }' >"$scratch/quarters.mtx"
awk 'NR == 1 { sub("real", "integer") } NR > 2 { $3 *= 4 } { print }' \
    "$scratch/quarters.mtx" >"$scratch/whole.mtx"
"$BUILD/apsp" --quiet --output-type i32 "$scratch/whole.mtx" "$scratch/whole.i32"

"$BUILD/apsp" --quiet "$scratch/quarters.mtx" "$scratch/first.f64"
alike() {
    for run in "1 dense" "2 dense" "3 dense" "4 dense" "1 sparse" "3 sparse" "4 sparse"; do
        mpi ${run% *} "$BUILD/apsp" --quiet --force --method ${run#* } --verify=all "$@" \
            "$scratch/quarters.mtx" "$scratch/out.f64" &&
            cmp "$scratch/first.f64" "$scratch/out.f64" || return 1
    done
}
check "decimals: the same bytes on 1 to 4 ranks, dense and sparse" alike
check "decimals: and in floating point" alike --dtype f64
tiles() {
    for tile in 1 17 64; do
        "$BUILD/apsp" --quiet --force --dtype f64 --tile $tile "$scratch/quarters.mtx" \
            "$scratch/out.f64" &&
            cmp "$scratch/first.f64" "$scratch/out.f64" || return 1
    done
}
check "decimals: in tiles of any width" tiles
floats() {
    "$BUILD/apsp" --force --dtype f64 "$scratch/quarters.mtx" >"$scratch/log" &&
        grep -q '^# type       f64, proved' "$scratch/log" &&
        "$BUILD/apsp" --quiet --force --dtype f32 "$scratch/quarters.mtx" "$scratch/narrow.f32" &&
        "$BUILD/apsp" --quiet --force --output-type f32 "$scratch/quarters.mtx" \
            "$scratch/out.f32" &&
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
    "$BUILD/apsp" --quiet --force "$scratch/quarters.mtx" "$scratch/out.i32.npy" &&
        [ "$(cat "$scratch/out.i32.npy.scale")" = 1 ]
}
check "decimals: a .scale that is no longer true is corrected" stale
# What is too far for a real type of files is not written as unreachable. far WORDS GRAPH TYPE
# ARGUMENTS...
far() {
    words=$1 graph=$2 type=$3
    shift 3
    rm -f "$scratch/far.$type"
    mpi 2 "$BUILD/apsp" --quiet "$@" "$scratch/$graph" "$scratch/far.$type" 2>"$scratch/log"
    [ $? -eq 3 ] && grep -q "$words" "$scratch/log" && [ ! -e "$scratch/far.$type" ]
}
printf 's,a,1.0e39\na,b,1.5e38\n' >"$scratch/far.csv"
printf 's,a,0.5e38\na,b,1.5e38\n' >"$scratch/near.csv"
"${PYTHON:-python3}" - "$scratch" <<'END'
import array, struct, sys
inf = float("inf")
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }"
# far FILE TYPE A B: the path of these two edges, and its distances where those too far for the type are infinite.
def far(name, code, a, b):
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as out:
        out.write(b"\x93NUMPY\1\0" + struct.pack("<H", 118) + head.ljust(117).encode() + b"\n")
        out.write(struct.pack("<9d", 0, a, inf, inf, 0, b, inf, inf, 0))
    most = 3.4e38 if code == "f" else 1.7e308
    rows = [x if x < most else inf for x in (0, a, a + b, inf, 0, b, inf, inf, 0)]
    with open(f"{sys.argv[1]}/{name}.inf.{'f32' if code == 'f' else 'f64'}", "wb") as out:
        array.array(code, rows).tofile(out)
far("far32", "f", 1e39, 2.0**127)
far("far64", "d", 2.0**1000 * (2**23 + 1), 2.0**1000 * (2**23 + 1))
far("farther", "d", 1e308, 1e308)
END
check "decimals: too far for f32: binary fractions" far \
    'f32 holds distances up to 3.4.*e+38, but they may reach' far32.npy f32 --output-type f32
check "decimals: too far for f32: decimals" far \
    'f32 holds distances up to 3.4.*e+38, but they may reach' far.csv f32 --output-type f32
check "decimals: too far for f64" far \
    'f64 holds distances up to 1.79.*e+308, but they may reach inf' far64.npy f64
near() {
    "$BUILD/apsp" --quiet --force --output-type f32 --verify=all "$scratch/near.csv" \
        "$scratch/near.f32" &&
        "$BUILD/apsp-verify" "$scratch/near.csv" "$scratch/near.f32"
}
check "decimals: nearly too far for f32" near
# infinite GRAPH TYPE: rows with inf for what is too far are refuted.
infinite() {
    ! "$BUILD/apsp-verify" "$scratch/$1.npy" "$scratch/$1.inf.$2" 2>"$scratch/log" &&
        grep -q 'FAILED: row 0: ' "$scratch/log"
}
check "decimals: inf for what is too far is refuted: f32" infinite far32 f32
check "decimals: inf for what is too far is refuted: f64" infinite far64 f64
check "decimals: inf for what is too far is refuted: f64, no scale" infinite farther f64
# Multiples are divided by what the file beside them says, or HDF5 itself.
printf 's,a,0.1\na,b,0.2\ns,c,0.3\n' >"$scratch/sums.csv"
printf 's b\ns c\nb s\n' >"$scratch/pairs"
printf 's b 0.3 : s a b\ns c 0.3 : s c\nb s unreachable\n' >"$scratch/answers"
multiples() {
    "$BUILD/apsp" --quiet --force --output-type narrow "$scratch/sums.csv" "$scratch/$1" || return 1
    [ "$2" = beside ] || rm "$scratch/$1.scale"
    [ "$("$BUILD/apsp-verify" "$scratch/sums.csv" "$scratch/$1")" = "PASSED, all 4 rows" ] &&
        "$BUILD/apsp-query" --path --pairs "$scratch/pairs" "$scratch/sums.csv" "$scratch/$1" |
            cmp - "$scratch/answers" &&
        [ "$("$BUILD/apsp-query" "$scratch/sums.csv" "$scratch/$1" s b)" = "s b 0.3" ]
}
for file in multiples.csv multiples.u8 multiples.npy; do
    check "decimals: multiples are divided: $file" multiples "$file" beside
done
if "$BUILD/apsp" --quiet --force "$scratch/sums.csv" "$scratch/probe.h5" 2>/dev/null; then
    check "decimals: multiples are divided: HDF5" multiples multiples.h5 inside
else
    echo "skip decimals: HDF5: libhdf5 is not there"
fi
# divided TEXT WORDS FILE: exit 3 and the words, with the text as the scale; empty: without a scale.
divided() {
    rm -f "$scratch/multiples.u8.scale"
    [ -z "$1" ] || printf '%s\n' "$1" >"$scratch/multiples.u8.scale"
    for program in "apsp-verify" "apsp-query --pairs $scratch/pairs"; do
        "$BUILD"/$program "$scratch/$3" "$scratch/multiples.u8" >/dev/null 2>"$scratch/log"
        [ $? -eq 3 ] && grep -q "$2" "$scratch/log" || return 1
    done
}
check "decimals: a scale that is none" divided 3 "'3' is not a power of ten or of two" sums.csv
check "decimals: a scale with more after it" divided 10x "'10x' is not a power" sums.csv
for text in 0xa 10.0 1e1 ' 10' +10 '10 ' inf; do
    check "decimals: a scale as apsp does not write it: '$text'" divided "$text" \
        "is not a power of ten or of two" sums.csv
done
for text in "$(printf '10\n20')" "$(printf '10\n\n\n ')" "$(printf '10\n%060d' 0)"; do
    check "decimals: a scale with more behind its line" divided "$text" \
        'has more than the line\|expected one line' sums.csv
done
nul_scale() {
    printf '10\n\0\n' >"$scratch/multiples.u8.scale"
    "$BUILD/apsp-verify" "$scratch/sums.csv" "$scratch/multiples.u8" 2>"$scratch/log"
    [ $? -eq 3 ] && grep -q 'has more than\|expected one line' "$scratch/log"
}
check "decimals: a scale with a zero byte behind its line" nul_scale
check "decimals: multiples without a scale" divided "" \
    'holds integers, which the weights of .*sums.csv are not; give the divisor in .*/multiples.u8.scale or by --scale$' \
    sums.csv
check "decimals: multiples of what weights are not" divided 2 'holds multiples of 1/2^1, which' \
    sums.csv
check "decimals: multiples of too little" divided 1e+20 \
    'holds multiples of 1/100000000000000000000, which' sums.csv
wrong_unit() {
    echo 100 >"$scratch/multiples.u8.scale"
    "$BUILD/apsp-verify" "$scratch/sums.csv" "$scratch/multiples.u8" 2>"$scratch/log"
    [ $? -eq 8 ] && grep -q 'the distance 0.01 of vertex a' "$scratch/log"
}
check "decimals: multiples of another scale are refuted" wrong_unit
pipe_scale() {
    rm -f "$scratch/multiples.u8.scale"
    mkfifo "$scratch/multiples.u8.scale"
    timeout 20 "$BUILD/apsp-verify" "$scratch/sums.csv" "$scratch/multiples.u8" 2>"$scratch/log"
    [ $? -eq 5 ] && grep -q 'not a regular file' "$scratch/log"
}
check "decimals: a scale that is a pipe" pipe_scale
# The integers of a graph that says real have no scale beside them.
integers() {
    [ "$("$BUILD/apsp-verify" "$scratch/real.mtx" "$scratch/whole.i32")" = "PASSED, all 500 rows" ]
}

# 0.1 + 0.2 in double precision is a neighbour of 0.3: said to be that, and nothing further away is
# taken.
sum_of() {
    awk -v x="$1" 'BEGIN { print "from,to,distance\ns,a,0.1\ns,b," x "\ns,c,0.3\na,b,0.2" }' \
        >"$scratch/sum.csv"
    "$BUILD/apsp-verify" ${2-} "$scratch/sums.csv" "$scratch/sum.csv" 2>&1
}
rounded() {
    [ "$(sum_of 0.3)" = "PASSED, all 4 rows" ] &&
        [ "$(sum_of 0.30000000000000004)" = \
            "PASSED, all 4 rows; 1 of them within rounding, not correctly rounded" ] &&
        sum_of 0.3001 | grep -q 'verification FAILED: row s: '
}
check "decimals: what is only within rounding is called so" rounded
shared() {
    [ "$(sum_of 0.30000000000000004 "--ranks 3")" = \
        "PASSED, all 4 rows; 1 of them within rounding, not correctly rounded" ] &&
        [ "$(sum_of 0.3 "--ranks 3 --rows 2 --seed 7")" = "$(sum_of 0.3 "--rows 2 --seed 7")" ]
}
check "decimals: the same by three ranks" shared
tiny() {
    printf 'a,b,1.1e-305\nb,c,3.3e-305\n' >"$scratch/tiny.csv"
    "$BUILD/apsp" --quiet --force --count exact --stats "$scratch/tiny.json" "$scratch/tiny.csv" &&
        grep -q '"0.5": 3.3e-305' "$scratch/tiny.json"
}
check "decimals: quantiles of tiny numbers" tiny
units() {
    printf 'a,b,70000.5\nb,c,1.25\n' >"$scratch/wide.csv"
    "$BUILD/apsp" --quiet --dtype u16 "$scratch/wide.csv" 2>"$scratch/log"
    [ $? -eq 3 ] && grep -q 'holds distances below 8191.75, but they may reach 70001.75' \
        "$scratch/log"
}
check "decimals: refusals are in the file's units" units

# The same numbers as reals: everything but the files is as of whole weights.
sed '1s/integer/real/' "$scratch/whole.mtx" >"$scratch/real.mtx"
same() {
    "$BUILD/apsp" --quiet --force --output-type i32 --stats "$scratch/real.csv" \
        "$scratch/real.mtx" "$scratch/out.i32" &&
        "$BUILD/apsp" --quiet --force --stats "$scratch/whole.csv" "$scratch/whole.mtx" &&
        cmp "$scratch/whole.i32" "$scratch/out.i32" && cmp "$scratch/real.csv" "$scratch/whole.csv"
}
check "decimals: reals that are whole are solved as integers" same

check "decimals: integers of a real file that holds integers" integers

# within LIMIT COUNT: so many lines of pairs.
within() {
    "$BUILD/apsp" --quiet --force --within "$1" "$scratch/sums.csv" "$scratch/pairs.csv" &&
        [ "$(wc -l <"$scratch/pairs.csv")" -eq "$2" ]
}
check "decimals: 0.1 + 0.2 is within 0.3" within 0.3 5
check "decimals: and not within less" within 0.2999999999999999 3
# as_npz TYPE: pairs as arrays are those of the text.
as_npz() {
    "$BUILD/apsp" --quiet --force --within 0.3 "$scratch/sums.csv" "$scratch/pairs.csv" &&
        "$BUILD/apsp" --quiet --force --within 0.3 --output-type "$1" "$scratch/sums.csv" \
            "$scratch/pairs.npz" &&
        "${PYTHON:-python3}" -c 'import array, sys, zipfile
right = [float(line.split(",")[2]) for line in open(sys.argv[1]).readlines()[1:]]
data = zipfile.ZipFile(sys.argv[2]).read("data.npy")
found = array.array("d" if sys.argv[3] == "f64" else "f")
found.frombytes(data[10 + int.from_bytes(data[8:10], "little"):])
sys.exit(not right or list(found) != list(array.array(found.typecode, right)))' \
    "$scratch/pairs.csv" "$scratch/pairs.npz" "$1"
}
check "decimals: pairs as arrays" as_npz f64
check "decimals: pairs as arrays of f32" as_npz f32
# adds WEIGHT COUNT SUM [OPTION ...]: so many parallel edges of that weight, and one of 0.2 beside
# them.
adds() {
    weight=$1
    count=$2
    right=$3
    shift 3
    awk -v w="$weight" -v n="$count" 'BEGIN { print "from,to,weight\nb,c,0.2";
        for (i = 0; i < n; i++) print "a,b," w }' >"$scratch/parallel.csv"
    "$BUILD/apsp" --quiet --force --parallel sum "$@" "$scratch/parallel.csv" \
        "$scratch/pairs.csv" && grep -qx "a,b,$right" "$scratch/pairs.csv"
}
check "decimals: parallel edges have exact sums" adds 0.1 10000 1000
check "decimals: and as floats" adds 0.1 10000 1000 --dtype f64
check "decimals: of opposite signs" adds -0.001 1000 -1
check "decimals: sums beyond 15 digits are those of doubles" adds 99999999999999.9 11 \
    1099999999999998.9
check "decimals: and beyond 64 bits too" adds 99999999999999.9 100000 9.999999999999998e+18
negative() {
    printf 'a,b,0.1\nb,c,0.2\nc,a,-0.4\n' >"$scratch/cycle.csv"
    "$BUILD/apsp" --quiet "$scratch/cycle.csv" 2>"$scratch/log"
    [ $? -eq 9 ] && grep -q 'total weight -0.1: ' "$scratch/log"
}
check "decimals: the weight of a negative cycle is exact" negative

# Each weight is a decimal of 15 digits, and the sums are none any more: doubles, each the one
# before and a weight.
long_path() {
    printf '%s' "$1" >"$scratch/long.csv"
    awk 'BEGIN { for (v = 1; v < 20; v++) printf "%d,%d,99999999.%06d\n", v, v + 1, v * 52631 }' \
        >>"$scratch/long.csv"
    awk -F, '$2 == $1 + 1 && $3 > 0 { sum += $3; printf "1 %d %.17g\n", $2, sum }' \
        "$scratch/long.csv" >"$scratch/right"
    for ranks in 1 3; do
        mpi $ranks "$BUILD/apsp" --quiet --force --sort-names --verify=all "$scratch/long.csv" \
            "$scratch/long.npy" &&
            mpi $ranks "$BUILD/apsp" --quiet --force --sort-names --dtype f64 "$scratch/long.csv" \
                "$scratch/f64.npy" &&
            cmp "$scratch/long.npy" "$scratch/f64.npy" || return
        "$BUILD/apsp-query" --sort-names --from 1 --all "$scratch/long.csv" "$scratch/long.npy" |
            awk '$1 == 1 && $2 > 1 { printf "1 %d %.17g\n", $2, $3 }' |
            sort -n -k 2 | cmp - "$scratch/right" || return
    done
}
check "decimals: sums that are none are those of doubles" long_path ''
check "decimals: of negative weights too" long_path '5,1,-0.5
'
finish
