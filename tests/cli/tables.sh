#!/bin/sh
# Matrices as text (--format table): the distances of Floyd and Warshall in NumPy, names, lists that
# are none, and what is refused.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac

python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skip tables: $python has no NumPy; PYTHON names another one"
    exit 77
fi
"$python" tests/cli/tables.py "$scratch"

# gives FILE RIGHT NAMES RANKS OPTIONS...
gives() {
    file=$1
    right=$2
    names=$3
    ranks=$4
    shift 4
    "$BUILD/apsp" --quiet --force --ranks "$ranks" --output-type f64 --names "$scratch/called" \
        "$@" "$scratch/$file" "$scratch/out.npy" &&
        cmp -s "$scratch/$names" "$scratch/called" && "$python" -c '
import numpy, sys
found, right = (numpy.load(path) for path in sys.argv[1:])
sys.exit(not (found.shape == right.shape and numpy.allclose(found, right, rtol=1e-14)))' \
    "$scratch/out.npy" "$scratch/$right"
}
while IFS='|' read -r file right names options; do
    [ "$options" != - ] || options=
    check "tables: $file $options" gives "$file" "$right" "$names" 1 $options
done <"$scratch/cases"
check "tables: on 3 ranks" gives whole10-300-44.csv \
    "$(sed -n 's/^whole10-300-44.csv|\([^|]*\).*/\1/p' "$scratch/cases")" \
    "$(sed -n 's/^whole10-300-44.csv|[^|]*|\([^|]*\).*/\1/p' "$scratch/cases")" 3

cd "$scratch" || exit 1
# Lists of edges stay lists.
for list in '0 1 5\n1 0 2\n2 3 1\n' 'x,a,3\na,b,4\nb,x,1\n' \
    'from,to,weight\n0,1,2\n1,0,3\n2,2,0\n' '1 2\n2 1\n' 's 2 5\n2 7 4\n7 s 1\n' \
    'u v w\n0 1 2\n1 0 3\n3 2 0\n'; do
    printf "$list" >list.txt
    "$BUILD/apsp" --force list.txt >report 2>&1
    check "tables: a list: $list" grep -q "columns FROM=1" report
done

# refuses WORDS TEXT OPTIONS...
refuses() {
    words=$1
    printf "$2" >bad.csv
    shift 2
    "$BUILD/apsp" --quiet --format table "$@" bad.csv 2>log </dev/null
    status=$?
    [ $status -eq 3 ] && [ "$(wc -l <log)" -eq 1 ] && grep -qF -e "$words" log && return
    sed "s/^/# $status: /" log
    return 1
}
check "tables: no square" refuses "bad.csv: 4 lines of 2 fields are not a square matrix" \
    '0,1\n1,0\n2,2\n3,3\n'
check "tables: a short line" refuses "bad.csv:3: 2 fields, where 3 are needed: 3 numbers" \
    '0,1,2\n1,0,2\n2,2\n'
check "tables: a word" refuses "bad.csv:2: the entry of column 1, 'x' is not a number" \
    '0,1,2\nx,0,2\n2,2,0\n'
check "tables: a decimal comma" refuses "is it a decimal comma" '0;1,5;2\n1,5;0;2\n2;2;0\n'
check "tables: a name twice" refuses "bad.csv:1: the name 'a' is that of two columns or rows" \
    ',a,a\na,0,1\nb,1,0\n'
check "tables: a row twice" refuses "bad.csv:3: the name 'a' is that of two rows" \
    ',a,b\na,0,1\na,1,0\n'
check "tables: a row that is no column" refuses \
    "bad.csv:3: the name of the row 'c' is that of no column" ',a,b\na,0,1\nc,1,0\n'
check "tables: no name" refuses "bad.csv:1: a vertex '' has no name" ',a,\na,0,1\nb,1,0\n'
check "tables: an infinity that is to be a weight" refuses "is not a finite weight" '0,inf\n1,0\n' \
    --no-edge 0
check "tables: a quote" refuses "bad.csv:2: a quote does not end" '0,1\n"1,0\n'
check "tables: a large integer" refuses "is not a finite weight of at most 62 bits" \
    '0,4611686018427387904\n1,0\n'
printf '0,1,2,3\n1,1,2,3\n1,2,0,1\n1,2,3,0\n' >loop.csv
"$BUILD/apsp" loop.csv 2>log
check "tables: where it is not known the message names the format" grep -q \
    -e "--format table reads a matrix" log
finish
