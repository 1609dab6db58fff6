#!/bin/sh
# Each kind of DISTANCES with each of --sources, --targets, --nearest and --within: what it holds,
# from the whole matrix by another way, or a refusal before GRAPH is looked for.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

n=40
graph=$scratch/graph.gr
"$BUILD/apsp-gen" random -n $n -d 2 -s 5 -w 1:9 -o "$graph"
"$BUILD/apsp" --quiet "$graph" "$scratch/whole.i32"
od -An -v -t d4 -w$((4 * n)) "$scratch/whole.i32" >"$scratch/whole"
sources=7,30,1,22
targets=5,40,2,9,11,30

# wanted SOURCES TARGETS NEAREST WITHIN MATRIX: lines from,to,distance, or all distances in lines of
# a row; - is none.
wanted() {
    awk -v sources="$1" -v targets="$2" -v nearest="$3" -v within="$4" -v matrix="$5" '
        { for (j = 1; j <= NF; j++) d[NR, j] = $j }
        function list(text, into, k) {
            if (text != "-")
                return split(text, into, ",")
            for (k = 1; k <= NR; k++)
                into[k] = k
            return NR
        }
        function before(a, b) { return d[i, a] != d[i, b] ? d[i, a] < d[i, b] : a < b }
        END {
            rows = list(sources, s)
            columns = list(targets, t)
            for (r = 1; r <= rows; r++) {
                i = s[r]
                kept = 0
                for (c = 1; c <= columns; c++) {
                    j = t[c]
                    if (matrix) printf("%s%d", (c > 1 ? " " : ""),
                        (d[i, j] == 1073741823 ? -1 : d[i, j]))
                    if (d[i, j] == 1073741823 || (within != "-" && d[i, j] > within) ||
                        (targets == "-" && i == j)) continue
                    k = ++kept
                    if (nearest != "-")
                        for (; k > 1 && before(j, list_of[k - 1]); k--) list_of[k] = list_of[k - 1]
                    list_of[k] = j
                }
                if (matrix) print ""
                if (nearest != "-" && kept > nearest) kept = nearest
                for (k = 1; !matrix && k <= kept; k++) print i "," list_of[k] "," d[i, list_of[k]]
            }
        }' "$scratch/whole"
}

# read_matrix FILE SUFFIX COLUMNS: its numbers, -1 for unreachable.
read_matrix() {
    case $2 in
    .u8) type=u1 infinity=255 ;;
    .u16) type=u2 infinity=65535 ;;
    .i64) type=d8 infinity=4611686018427387903 ;;
    .f32) type=f4 infinity=inf ;;
    .f64) type=f8 infinity=inf ;;
    *) type=d4 infinity=1073741823 ;;
    esac
    skip=0
    [ "$2" = .npy ] && skip=128
    tail -c +$((skip + 1)) "$1" | od -An -v -t $type -w$((${type#?} * $3)) |
        awk -v infinity=$infinity '
        { for (j = 1; j <= NF; j++) printf("%s%s", (j > 1 ? " " : ""), ($j == infinity ? -1 : $j));
            print "" }'
}

# read_pairs FILE SUFFIX: how many, and of .csv all of them.
read_pairs() {
    case $2 in
    .csv) tail -n +2 "$1" ;;
    .mtx) tail -n +3 "$1" | tr ' ' , ;;
    .npz) "$BUILD/apsp" --quiet --json "$scratch/json" --force "$1" "$scratch/again" 2>/dev/null
        sed -n 's/.*"edges":[^0-9]*\([0-9]*\).*/\1/p' "$scratch/json" ;;
    esac
}

for bits in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    s=- t=- k=- w=- options=
    [ $((bits & 1)) -eq 0 ] || { s=$sources && options="$options --sources $s"; }
    [ $((bits & 2)) -eq 0 ] || { t=$targets && options="$options --targets $t"; }
    [ $((bits & 4)) -eq 0 ] || { k=3 && options="$options --nearest $k"; }
    [ $((bits & 8)) -eq 0 ] || { w=11 && options="$options --within $w"; }
    columns=$n
    [ $t = - ] || columns=$(echo $t | tr , '\n' | wc -l)
    wanted $s $t - - 1 >"$scratch/right.matrix"
    wanted $s $t $k $w 0 >"$scratch/right.csv"
    for suffix in '' .npy .u8 .u16 .i32 .i64 .f32 .f64 .h5 .hdf5 .csv .mtx .npz; do
        out=$scratch/out$suffix
        rm -f "$scratch"/out*
        case $suffix in
        .csv | .tsv | .txt | .mtx | .npz) kind=pairs ;;
        *) kind=matrix ;;
        esac
        if [ $kind = matrix ] && [ "$k$w" != -- ]; then
            "$BUILD/apsp" --quiet $options "$scratch/none.gr" "$out" 2>"$scratch/log"
            check "subsets:$options, $suffix is refused" sh \
                -c '[ "$1" -eq 2 ] && grep -q "is a matrix: name it one of" "$2"' sh $? \
                "$scratch/log"
            continue
        fi
        if ! "$BUILD/apsp" --quiet $options "$graph" "$out" 2>"$scratch/log"; then
            if grep -q 'install the package libhdf5' "$scratch/log"; then
                echo "skip subsets:$options, $suffix: the library is not installed"
            else
                check "subsets:$options, $suffix" false
                sed 's/^/# /' "$scratch/log"
            fi
            continue
        fi
        case $suffix in
        # tests/cli/hdf5.sh reads them
        .h5 | .hdf5) check "subsets:$options, $suffix" [ -s "$out" ] ;;
        .npz) check "subsets:$options, $suffix" [ "$(read_pairs "$out" .npz)" = \
            "$(wc -l <"$scratch/right.csv")" ] ;;
        .csv | .mtx) read_pairs "$out" $suffix | cmp -s - "$scratch/right.csv"
            check "subsets:$options, $suffix" [ $? -eq 0 ] ;;
        *) read_matrix "$out" "$suffix" "$columns" | cmp -s - "$scratch/right.matrix"
            check "subsets:$options, $suffix" [ $? -eq 0 ] ;;
        esac
    done
done
"$BUILD/apsp" --quiet --output-type u16 "$scratch/none.gr" "$scratch/out.i64" 2>"$scratch/log"
check "subsets: two types" sh \
    -c '[ "$1" -eq 2 ] && grep -q "out.i64. holds i64, as its name says" "$2"' sh $? "$scratch/log"
"$BUILD/apsp-gen" path -n 300 -w 1:1 -o "$scratch/long.gr"
"$BUILD/apsp" --quiet "$scratch/long.gr" "$scratch/out.u8" 2>"$scratch/log"
check "subsets: a name that does not hold the distances" sh \
    -c \
    '[ "$1" -eq 3 ] && grep -q "a file .u8 is exact below 255, and distances may reach 299" "$2"' \
    sh $? "$scratch/log"
finish
