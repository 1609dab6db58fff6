#!/bin/sh
# The formats end to end: MatrixMarket graphs, distances as .npy.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

same() {
    [ -n "$1" ] && [ "$1" = "$2" ]
}

# .npy: a head, then the same bytes as a raw file.
for n in 1 3 200; do
    graph=$scratch/graph-$n.gr
    "$BUILD/apsp-gen" random -n $n -d 4 -s 2 -o "$graph"
    "$BUILD/apsp" --quiet "$graph" "$scratch/raw"
    for ranks in 1 2 5; do
        rm -f "$scratch/d.npy"
        mpi $ranks "$BUILD/apsp" --quiet "$graph" "$scratch/d.npy"
        head -c 10 "$scratch/d.npy" | od -An -t x1 | tr -d ' ' >"$scratch/start"
        dict="{'descr': '<i4', 'fortran_order': False, 'shape': ($n, $n), }"
        check "formats: head of .npy, $n vertices on $ranks ranks" grep \
            -q '^934e554d505901007600$' "$scratch/start"
        check "formats: type and shape" grep -aqF "$dict" "$scratch/d.npy"
        tail -c +129 "$scratch/d.npy" | cmp - "$scratch/raw"
        check "formats: values of .npy" [ $? -eq 0 ]
    done
    check "formats: apsp-verify takes .npy, $n vertices" "$BUILD/apsp-verify" --quiet "$graph" \
        "$scratch/d.npy"
    rm -f "$scratch/raw"
done
if "${PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
    "$BUILD/apsp" --quiet "$graph" "$scratch/raw"
    check "formats: NumPy reads .npy" "${PYTHON:-python3}" -c '
import numpy, sys
d, raw = numpy.load(sys.argv[1]), numpy.fromfile(sys.argv[2], "<i4")
sys.exit(not (d.dtype == "<i4" and d.shape == (200, 200) and (d.ravel() == raw).all()))' \
    "$scratch/d.npy" "$scratch/raw"
    rm -f "$scratch/raw"
else
    echo "skip formats: NumPy is not installed"
fi

# Distances of every type that a file may have: a path of two edges, in integers and reals, of
# weights of either sign. path_is NAME FIELD WEIGHT WEIGHT DTYPE TYPE SIZE D: apsp-query finds the
# way from 1 to 3 of length D, but for rounding; SIZE bytes of .npy.
path_is() {
    name=$1
    printf '%%%%MatrixMarket matrix coordinate %s general\n3 3 2\n1 2 %s\n2 3 %s\n' "$2" "$3" \
        "$4" >"$scratch/two.mtx"
    for ranks in 1 3; do
        rm -f "$scratch/two.npy"
        mpi $ranks "$BUILD/apsp" --quiet --verify=all --dtype "$5" "$scratch/two.mtx" \
            "$scratch/two.npy"
        check "formats: $name on $ranks ranks" grep -aqF "'descr': '$6'" "$scratch/two.npy"
        check "formats: $name, size" same "$7" "$(wc -c <"$scratch/two.npy")"
        "$BUILD/apsp-query" --path "$scratch/two.mtx" "$scratch/two.npy" 1 3 >"$scratch/answer"
        check "formats: $name, distance" awk -v d="$8" \
            '{ e = ($3 - d) / d; if (e * e < 1e-18) $3 = d } END {
            exit $0 != "1 3 " d " : 1 2 3" }' "$scratch/answer"
        check "formats: $name, unreachable" same "3 1 unreachable" \
            "$("$BUILD/apsp-query" "$scratch/two.mtx" "$scratch/two.npy" 3 1)"
        check "formats: $name, proved again" "$BUILD/apsp-verify" --quiet "$scratch/two.mtx" \
            "$scratch/two.npy"
    done
}
path_is "i32" integer 5 -3 auto '<i4' 164 2
path_is "i64" integer 4000000000 -3 auto '<i8' 200 3999999997
path_is "f64" real 0.1 0.2 auto '<f8' 200 0.3
path_is "negative f64" real -0.5 -1e20 auto '<f8' 200 -1e+20
path_is "f32" real 0.25 0.1 f32 '<f4' 164 0.35

# One byte a distance, in files alone: up to 254, and 255 for unreachable.
# fits LAST RANKS: the types that --output-type narrow and u8 come to for a path of that length.
fits() {
    printf 'p sp 3 2\na 1 2 %s\na 2 3 4\n' $(($1 - 4)) >"$scratch/two.gr"
    rm -f "$scratch"/byte*
    mpi "$2" "$BUILD/apsp" --quiet --verify=all --output-type narrow "$scratch/two.gr" \
        "$scratch/byte.npy" || return 1
    mpi "$2" "$BUILD/apsp" --quiet --output-type u8 "$scratch/two.gr" \
        "$scratch/byte.u8" 2>"$scratch/stderr"
    status=$?
    mpi "$2" "$BUILD/apsp" --quiet --output-type u8 --sources 1,3 --targets 3,1 "$scratch/two.gr" \
        "$scratch/byte2.npy" 2>/dev/null
    mpi "$2" "$BUILD/apsp" --quiet --output-type u8 --targets 2-3 "$scratch/two.gr" \
        "$scratch/byte.npz" 2>/dev/null
    case $status in
    0) od -An -v -t u1 "$scratch/byte.u8" | tr -s ' ' ;;
    3) grep -q 'u8 is exact below 255, and distances may reach 255' "$scratch/stderr" &&
        ls "$scratch" | grep '^byte' ;;
    esac
}
for ranks in 1 3; do
    check "formats: u8 holds 254, $ranks ranks" same "$(fits 254 $ranks)" \
        " 0 250 254 255 0 4 255 255 0"
    check "formats: narrow is u8, $ranks ranks" grep -aqF "'descr': '|u1'" "$scratch/byte.npy"
    check "formats: u8 of some columns, $ranks ranks" same \
        "$(tail -c 4 "$scratch/byte2.npy" | od -An -t u1)" " 254   0   0 255"
    check "formats: u8 in .npz, $ranks ranks" grep -aqF "'descr': '|u1'" "$scratch/byte.npz"
    for name in byte.npy byte.u8; do
        check "formats: apsp-verify takes $name" "$BUILD/apsp-verify" --quiet "$scratch/two.gr" \
            "$scratch/$name"
        check "formats: apsp-query takes $name" same \
            "$("$BUILD/apsp-query" --path "$scratch/two.gr" "$scratch/$name" 1 3)" "1 3 254 : 1 2 3"
        check "formats: unreachable in $name" same \
            "$("$BUILD/apsp-query" "$scratch/two.gr" "$scratch/$name" 3 2)" "3 2 unreachable"
    done
    check "formats: u8 does not hold 255, $ranks ranks" same "$(fits 255 $ranks)" byte.npy
    check "formats: narrow is u16, $ranks ranks" grep -aqF "'descr': '<u2'" "$scratch/byte.npy"
done
printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 -3\n' \
    >"$scratch/two.mtx"
check "formats: u8 holds nothing below 0" sh \
    -c \
    '"$1/apsp" --output-type u8 "$2/two.mtx" "$2/none.npy" 2>&1 | grep -q "distances may be negative"' \
    sh "$BUILD" "$scratch"
check "formats: nothing is computed in u8" sh \
    -c '"$1/apsp" --dtype u8 "$2/two.mtx" 2>&1 | grep -q "not one of auto, u16, i32"' \
    sh "$BUILD" "$scratch"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.25\n2 3 0.1\n' \
    >"$scratch/two.mtx"

# A raw file holds int32 and nothing else.
raw_fails() {
    mpi $1 "$BUILD/apsp" --quiet "$scratch/two.mtx" "$scratch/none" 2>"$scratch/stderr"
    [ $? -eq 3 ] && [ ! -e "$scratch/none" ] && grep -q "none: .*int32.*are $2.*\.npy" \
        "$scratch/stderr"
}
for ranks in 1 3; do
    check "formats: real distances do not fit a raw file, $ranks ranks" raw_fails $ranks f64
done
"$BUILD/apsp" --quiet "$scratch/graph-3.gr" "$scratch/raw"
check "formats: raw distances of real weights" sh -c \
    '"$1/apsp-verify" "$2/two.mtx" "$2/raw" 2>&1 | grep -q "holds integers, which the weights of .* are not"' \
    sh "$BUILD" "$scratch"
rm -f "$scratch/raw"
printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 4000000000\n2 3 1\n' \
    >"$scratch/two.mtx"
check "formats: i64 does not fit a raw file" raw_fails 1 i64

# verify_fails CODE WORDS FILE.
verify_fails() {
    "$BUILD/apsp-verify" "$graph" "$3" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ $status -eq "$1" ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q "$2" "$scratch/stderr" && return
    echo "# exit code $status, wanted $1 with '$2':"
    sed 's/^/# /' "$scratch/stderr"
    return 1
}

# damaged NAME SED: the file after a change by sed.
damaged() {
    LC_ALL=C sed "$2" "$scratch/d.npy" >"$scratch/$1.npy"
}
damaged order '1s/False/ True/'
check "formats: .npy that is another matrix by columns" verify_fails 8 'row 1: ' \
    "$scratch/order.npy"
damaged type '1s/<i4/>i4/'
check "formats: .npy that is another matrix in the other byte order" verify_fails 8 'row 1: ' \
    "$scratch/type.npy"
damaged wide '1s/<i4/<i8/'
check "formats: .npy too short for its type" verify_fails 3 \
    '40000 values of 8 bytes.* 160000 bytes' "$scratch/wide.npy"
damaged shape '1s/(200/(201/'
check "formats: .npy of another shape" verify_fails 3 '201 x 200' "$scratch/shape.npy"
damaged magic '1s/NUMPY/NUMPX/'
check "formats: no .npy" verify_fails 3 'not a .npy' "$scratch/magic.npy"
cp "$scratch/d.npy" "$scratch/wrong.npy"
printf '\001' | dd of="$scratch/wrong.npy" bs=1 seek=128 conv=notrunc status=none
check "formats: a wrong distance in .npy" verify_fails 8 'row 1: ' "$scratch/wrong.npy"

# MatrixMarket: the same distances as from .gr, whatever the number of parts.
to_matrix() {
    awk -v field="$1" -v symmetry="$2" '
        $1 == "p" { printf "%%%%MatrixMarket matrix coordinate %s %s\n%% a comment\n%d %d %d\n",
            field, symmetry, $3, $3, $4 }
        $1 == "a" { print $2, $3, field == "pattern" ? "" : $4 }' "$3"
}
# Coordinates that are no edges, as of other sparse matrices: inf and nan, or those of --no-edge.
# absent_is FIELD ENTRIES EXPECTED [OPTION...]: of three vertices the largest distance and the
# reach.
absent_is() {
    printf '%%%%MatrixMarket matrix coordinate %s general\n3 3 4\n%b' "$1" \
        "$2" >"$scratch/absent.mtx"
    expected=$3
    shift 3
    for ranks in 1 3; do
        mpi $ranks "$BUILD/apsp" --quiet --force --verify=all "$@" --stats "$scratch/absent.csv" \
            "$scratch/absent.mtx" || return 1
        same "$expected" "$(tail -n +2 "$scratch/absent.csv" | cut -d , -f 1,2,4 | tr '\n' ' ')" ||
            return 1
    done
}
entries='1 2 1.5\n2 1 -Infinity\n1 3 nan\n2 3 0\n'
check "formats: coordinates without infinities and NaN" absent_is real "$entries" \
    "1,1.5,3 2,0,2 3,0,1 "
check "formats: coordinates without zeros" absent_is real "$entries" "1,1.5,2 2,0,1 3,0,1 " \
    --no-edge 0,inf,nan
entries='1 2 7\n2 1 9223372036854775807\n2 3 -1\n3 2 4\n'
check "formats: whole coordinates" absent_is integer "$entries" "1,7,2 2,0,1 3,4,2 " --no-edge \
    -1,9223372036854775807

"$BUILD/apsp" --quiet --force "$graph" "$scratch/raw"
right=$(checksum "$scratch/raw")
to_matrix integer general "$graph" >"$scratch/graph.mtx"
for ranks in 1 2 3 7; do
    mpi $ranks "$BUILD/apsp" --quiet --force --verify=all "$scratch/graph.mtx" "$scratch/raw"
    check "formats: MatrixMarket on $ranks ranks" same "$right" "$(checksum "$scratch/raw")"
done
sed 's/$/\r/' "$scratch/graph.mtx" >"$scratch/other"
"$BUILD/apsp" --quiet --force --format mtx "$scratch/other" "$scratch/raw"
check "formats: MatrixMarket with CRLF, by --format" same "$right" "$(checksum "$scratch/raw")"

# A pipe, which one process reads.
cat "$scratch/graph.mtx" | "$BUILD/apsp" --quiet --force --format mtx /dev/stdin "$scratch/raw"
check "formats: a graph from a pipe" same "$right" "$(checksum "$scratch/raw")"
rm "$scratch/raw"
cat "$scratch/graph.mtx" | "$BUILD/apsp" --ranks 3 --quiet /dev/stdin "$scratch/raw"
check "formats: a graph from a pipe, to three ranks" same "$right" "$(checksum "$scratch/raw")"
cat "$graph" | "$BUILD/apsp-verify" --quiet --format gr /dev/stdin "$scratch/raw"
check "formats: apsp-verify, from a pipe" [ $? -eq 0 ]
check "formats: apsp-query, from a pipe" sh \
    -c 'cat "$2" | "$1/apsp-query" --path --format gr /dev/stdin "$3" 1 1 | grep -q "^1 1 0 : 1$"' \
    sh "$BUILD" "$graph" "$scratch/raw"

# A symmetric file is one with all edges in both directions; a pattern has weights of 1.
awk '$1 == "a" { print; if ($2 != $3) print "a", $3, $2, $4; next } $1 == "p" { print }' \
    "$graph" >"$scratch/both"
awk '$1 == "a" { m++ } { line[NR] = $0 } END { for (i = 1; i <= NR; i++) { split(line[i], f, " ")
    print f[1] == "p" ? "p sp " f[3] " " m : line[i] } }' "$scratch/both" >"$scratch/both.gr"
sed 's/^\(a .* \)[0-9]*$/\11/' "$graph" >"$scratch/ones.gr"
to_matrix integer symmetric "$graph" >"$scratch/both.mtx"
to_matrix pattern general "$graph" >"$scratch/ones.mtx"
for name in both ones; do
    "$BUILD/apsp" --quiet --force --json "$scratch/$name.gr.json" "$scratch/$name.gr" "$scratch/raw"
    right=$(checksum "$scratch/raw")
    for ranks in 1 3; do
        mpi $ranks "$BUILD/apsp" --quiet --force --json "$scratch/$name.mtx.json" \
            "$scratch/$name.mtx" "$scratch/raw"
        check "formats: MatrixMarket, $name, on $ranks ranks" same "$right" \
            "$(checksum "$scratch/raw")"
    done
    check "formats: MatrixMarket, $name, edges and loops in the report" same \
        "$(grep -E '"(edges|loops|parallel)"' "$scratch/$name.gr.json")" \
        "$(grep -E '"(edges|loops|parallel)"' "$scratch/$name.mtx.json")"
    check "formats: apsp-verify, $name" "$BUILD/apsp-verify" --quiet "$scratch/$name.mtx" \
        "$scratch/raw"
done
# Weights that apsp-gen writes to .mtx alone.
gen_fails() {
    words=$1
    shift
    rm -f "$scratch"/made*
    "$BUILD/apsp-gen" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? -eq 2 ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q "^apsp-gen: .*$words" "$scratch/stderr" &&
        ! ls "$scratch"/made* >/dev/null 2>&1 && return
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
check "formats: negative weights in .gr" gen_fails 'format gr .*\.mtx' path -n 9 -w -5:5 \
    -o "$scratch/made.gr"
check "formats: reals in edges32" gen_fails 'format edges32 .*\.mtx' path -n 9 -w 0.5:2 \
    -o "$scratch/made"
check "formats: a potential in .gr" gen_fails 'format gr .*\.mtx' path -n 9 --potential 5 \
    -o "$scratch/made.gr"
check "formats: a potential under negative weights" gen_fails '--potential 5: LO .* below 0' path \
    -n 9 -w -1:5 --potential 5 \
    -o "$scratch/made.mtx"
check "formats: a potential too large" gen_fails '--potential 215: P and HI' path -n 9 \
    -w 0:0.0000001 --potential 215 -o "$scratch/made.mtx"
check "formats: too many decimals" gen_fails "-w 0:0.0000000001: expected LO:HI" path -n 9 \
    -w 0:0.0000000001 -o "$scratch/made.mtx"
check "formats: no family" gen_fails 'FAMILY is missing; see apsp-gen --help' -n 9 \
    -o "$scratch/made"
check "formats: two families" gen_fails "'grid' is one argument too many" path grid -n 9 \
    -o "$scratch/made"
check "formats: no -n" gen_fails '-n N, the number of vertices, is missing' path -o "$scratch/made"
check "formats: no -o" gen_fails '-o FILE, the graph to write, is missing' path -n 9
check "formats: -n without a number" gen_fails "'-n' requires an argument" path -o "$scratch/made" \
    -n
check "formats: no vertices" gen_fails "-n: '0' is not an integer from 1 to 2147483647" path -n 0 \
    -o "$scratch/made"
check "formats: an unknown letter" gen_fails "unknown option '-x'" path -n 9 -x -o "$scratch/made"
check "formats: -m and -d" gen_fails '-m 5 and -d 2: give one of them' random -n 9 -m 5 -d 2 \
    -o "$scratch/made"
check "formats: no potential" gen_fails "'--potential' requires an argument" path -n 9 \
    -o "$scratch/made.mtx" --potential
"$BUILD/apsp-gen" path -n 4 -w -1.50:-1.25 -s 5 -o "$scratch/made.mtx"
check "formats: real weights of apsp-gen" [ "$(grep -cE '^[1-4] [1-4] -1\.[2-5][0-9]$' \
    "$scratch/made.mtx")" -eq 3 ]
check "formats: in a file of reals" grep -q '^%%MatrixMarket matrix coordinate real general$' \
    "$scratch/made.mtx"
"$BUILD/apsp-gen" path -n 4 -w -7:-7 -o "$scratch/made.mtx" --force
check "formats: negative weights of apsp-gen" [ "$(grep -c ' -7$' "$scratch/made.mtx")" -eq 3 ]
for weights in 0:100 0.000:1.000; do
    "$BUILD/apsp-gen" random -n 80 -w $weights --potential 200 -o "$scratch/made.mtx" --force
    check "formats: a potential, weights $weights" grep -q ' -[1-9][0-9.]*$' "$scratch/made.mtx"
    mpi 2 "$BUILD/apsp" --quiet --force --verify=all "$scratch/made.mtx" "$scratch/made.npy"
    check "formats: no negative cycle, weights $weights" [ $? -eq 0 ]
done
finish
