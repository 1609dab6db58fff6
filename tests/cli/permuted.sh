#!/bin/sh
# --targets that are all vertices in another order: a file whose columns have that order passes, and
# one in the order of the numbers is refuted. Columns that a file lacks need not fit its type.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

order=4,1,5,2,3
back=5,4,3,2,1

# Distances differ both ways: no two columns are alike.
cat >"$scratch/whole.mtx" <<'END'
%%MatrixMarket matrix coordinate integer general
5 5 7
1 2 3
2 3 11
3 4 2
4 5 7
5 1 1
3 1 20
2 5 9
END
# divided BY FILE: the same with real weights, the integral ones divided by that.
divided() {
    awk -v by="$1" 'NR == 1 { sub("integer", "real") }
        NR > 2 { $3 = sprintf("%.17g", $3 / by) } { print }' "$scratch/whole.mtx" >"$2"
}
divided 4 "$scratch/decimal.mtx"
divided 3.7 "$scratch/real.mtx"
# A negative weight in a column that only the whole matrix has.
sed 's/^2 3 11$/2 3 -1/' "$scratch/whole.mtx" >"$scratch/negative.mtx"

# verdict CODE ARGUMENTS...: apsp-verify ends so.
verdict() {
    code=$1
    shift
    "$BUILD/apsp-verify" --quiet "$@" >"$scratch/log" 2>&1
    status=$?
    [ "$status" -eq "$code" ] && return
    echo "# apsp-verify $*: exit status $status"
    sed 's/^/# /' "$scratch/log"
    return 1
}

suffixes="npy i64 f32 f64"
ldconfig -p 2>/dev/null | grep -q 'libhdf5\(_serial\)\?\.so\.' && suffixes="$suffixes h5"
for graph in whole decimal real negative; do
    file=$scratch/$graph.mtx
    for suffix in $suffixes; do
        case $graph-$suffix in real-i64) continue ;; esac # reals without a scale
        out=$scratch/$graph
        "$BUILD/apsp" --quiet "$file" "$out.all.$suffix" 2>"$scratch/log" || cat "$scratch/log"
        check "permuted: apsp --verify, $graph, $suffix" \
            "$BUILD/apsp" --quiet --verify=all --targets "$order" "$file" "$out.some.$suffix"
        check "permuted: the right order passes, $graph, $suffix" \
            verdict 0 --targets "$order" "$file" "$out.some.$suffix"
        check "permuted: the order of the numbers passes as such, $graph, $suffix" \
            verdict 0 --targets 1-5 "$file" "$out.all.$suffix"
        check "permuted: columns in natural order are refuted, $graph, $suffix" \
            verdict 8 --targets "$order" "$file" "$out.all.$suffix"
        check "permuted: another order is refuted, $graph, $suffix" \
            verdict 8 --targets "$back" "$file" "$out.some.$suffix"
        "$BUILD/apsp-query" --path "$file" "$out.all.$suffix" 1 5 >"$scratch/right"
        check "permuted: apsp-query --path, $graph, $suffix" sh -c '
            "$1" --path --targets "$2" "$3" "$4" 1 5 >"$5/path" && cmp "$5/right" "$5/path"' sh \
            "$BUILD/apsp-query" "$order" "$file" "$out.some.$suffix" "$scratch"
        check "permuted: apsp-query --path of another order, $graph, $suffix" sh -c '
            "$1" --path --targets "$2" "$3" "$4" 1 5 >"$5/path" 2>&1; [ $? -eq 8 ]' sh \
            "$BUILD/apsp-query" "$back" "$file" "$out.some.$suffix" "$scratch"
    done
done
check "permuted: apsp --verify on 2 ranks" mpirun --oversubscribe -n 2 \
    "$BUILD/apsp" --quiet --force --verify=all --targets "$order" "$scratch/whole.mtx" \
    "$scratch/two.npy"

# narrow TYPE FAR VALUE: vertex 3 is so far that its column does not fit; the others do.
narrow() {
    printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n2 3 %s\n1 3 %s\n' \
        "$2" $(($2 + 100)) >"$scratch/far.mtx"
    "${PYTHON:-python3}" - "$scratch/far.npy" "$1" "$3" <<'END'
import struct, sys
path, kind, far = sys.argv[1:]
code = {"<u2": "H", "<i4": "i"}[kind]
head = "{'descr': '%s', 'fortran_order': False, 'shape': (3, 2), }" % kind
head += " " * (-(len(head) + 11) % 64) + "\n"
rows = [0, 5, int(far), 0, int(far), int(far)]
with open(path, "wb") as out:
    out.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
    out.write(struct.pack("<6" + code, *rows))
END
}
narrow '<u2' 70000 65535
check "permuted: a column that does not fit u16" verdict 0 --targets 1,2 "$scratch/far.mtx" \
    "$scratch/far.npy"
check "permuted: and does not pass as one that is there" verdict 8 --targets 1,3 \
    "$scratch/far.mtx" "$scratch/far.npy"
narrow '<u2' -3 65535
check "permuted: a negative column beside u16" verdict 0 --targets 1,2 "$scratch/far.mtx" \
    "$scratch/far.npy"
narrow '<i4' 1073741830 1073741823
check "permuted: a column that does not fit i32" verdict 0 --targets 1,2 "$scratch/far.mtx" \
    "$scratch/far.npy"
narrow '<u2' 70000 65535

# Pairs, in which a vertex reaches itself at 0 unless they say otherwise.
printf 'from,to,distance\n1,2,5\n1,3,70005\n' >"$scratch/pairs.csv"
check "permuted: pairs without the vertex itself" \
    verdict 0 --sources 1 "$scratch/far.mtx" "$scratch/pairs.csv"
sed -i '2i 1,1,inf' "$scratch/pairs.csv"
check "permuted: a vertex that does not reach itself" \
    verdict 8 --sources 1 "$scratch/far.mtx" "$scratch/pairs.csv"
sed -i '2s/inf/0/' "$scratch/pairs.csv"
check "permuted: a vertex that reaches itself" \
    verdict 0 --sources 1 "$scratch/far.mtx" "$scratch/pairs.csv"
finish
