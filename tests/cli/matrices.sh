#!/bin/sh
# apsp-verify and apsp-query on distances that NumPy, SciPy, networkx, igraph, networkit and pandas
# have computed and written: right ones pass, the same files with one distance changed do not, and
# files that are something else are refused.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

python=${PYTHON:-python3}
if ! "$python" -c 'import numpy, scipy' 2>/dev/null; then
    echo "skip matrices: $python has no NumPy and SciPy; PYTHON names another one"
    exit 77
fi
"$python" tests/cli/matrices.py "$scratch"
verify=$BUILD/apsp-verify

# answers FILE GRAPH OPTIONS: apsp-query says what SciPy has computed.
answers() {
    file=$1 graph=$2
    shift 2
    "$BUILD/apsp-query" --pairs "$scratch/pairs" "$@" "$graph" "$file" | cmp -s - "$scratch/answers"
}
refutes() {
    "$verify" "$@" >"$scratch/log" 2>&1
    [ $? -eq 8 ] && [ "$(wc -l <"$scratch/log")" -eq 1 ]
}
while IFS='|' read -r name graph options; do
    check "matrices: $name $options" "$verify" --quiet $options "$scratch/$graph" "$scratch/$name"
    check "matrices: $name changed" refutes $options "$scratch/$graph" "$scratch/wrong/$name"
    case "$graph $options" in
    *--targets*) continue ;;
    esac
    [ "$graph" != whole.mtx ] || check "matrices: apsp-query of $name" answers "$scratch/$name" \
        "$scratch/$graph" $options
done <"$scratch/cases"
check "matrices: some rows, some threads" "$verify" --quiet --rows 7 --threads 3 \
    "$scratch/whole.mtx" "$scratch/wf80F.npy"
check "matrices: one thread" "$verify" --quiet --threads 1 "$scratch/real.mtx" "$scratch/rf81F.npy"
check "matrices: a pipe" sh -c '"$1" --quiet "$2" - <"$3" && cat "$3" | "$1" --quiet "$2" -' sh \
    "$verify" "$scratch/whole.mtx" \
    "$scratch/packed.npz"
check "matrices: --distances-format" sh \
    -c 'cp "$3" "$3.else" && "$1" --quiet --distances-format table "$2" "$3.else"' sh "$verify" \
    "$scratch/whole.mtx" "$scratch/fmt.csv"

# refused CODE WORDS FILE GRAPH OPTIONS: with one line, in 600 MB of memory, by both programs where
# the file is at fault.
refused() {
    code=$1 words=$2 file=$3 graph=$4
    shift 4
    (
        limit_memory 600000
        OMP_NUM_THREADS=2 timeout 60 "$verify" "$@" "$graph" "$file" >"$scratch/log" 2>&1
        echo $? | grep -qx "$code"
    ) && [ "$(wc -l <"$scratch/log")" -eq 1 ] && grep -qE -e "$words" "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
while IFS='#' read -r line; do
    code=${line%%|*} rest=${line#*|}
    options=${rest##*|} rest=${rest%|*}
    graph=${rest##*|} rest=${rest%|*}
    name=${rest##*|} words=${rest%|*}
    check "matrices: $name $options is refused" refused "$code" "$words" "$scratch/$name" \
        "$scratch/$graph" $options
done <"$scratch/refused"

# Files without a name leave none; where they cannot grow, it is an error like any other.
full() {
    (ulimit -f 8 && TMPDIR="$scratch" "$1" "$2" "$3" >"$scratch/log" 2>&1)
    [ $? -eq 5 ] && grep -q 'File too large' "$scratch/log" &&
        [ -z "$(ls -A "$scratch" | grep '^apsp-')" ]
}
check "matrices: a copy that cannot grow, MatrixMarket" full "$verify" "$scratch/real.mtx" \
    "$scratch/real.array.mtx"
check "matrices: a copy that cannot grow, .npz" full "$verify" "$scratch/whole.mtx" \
    "$scratch/packed.npz"

# HDF5 as apsp writes it, of its own types; what else it is refused for.
if ldconfig -p 2>/dev/null | grep -q 'libhdf5\(_serial\)\?\.so\.'; then
    for type in u8 u16 i32 i64 f64; do
        "$BUILD/apsp" --quiet --output-type $type "$scratch/whole.mtx" "$scratch/own.$type.h5"
        check "matrices: apsp's $type as HDF5" "$verify" --quiet "$scratch/whole.mtx" \
            "$scratch/own.$type.h5"
        check "matrices: apsp-query of $type as HDF5" answers "$scratch/own.$type.h5" \
            "$scratch/whole.mtx"
    done
    check "matrices: HDF5 of another graph" refutes "$scratch/both.mtx" "$scratch/own.i32.h5"
    check "matrices: HDF5 of another shape" refused 3 \
        'a dataset of 60 x 60, where 2 x 60 are needed' "$scratch/own.i32.h5" "$scratch/whole.mtx" \
        --sources 1,2
    check "matrices: HDF5 of integers for real weights" refused 3 \
        'holds integers, which the weights of .* are not' "$scratch/own.i32.h5" "$scratch/real.mtx"
    gzip -k "$scratch/own.i32.h5"
    check "matrices: compressed HDF5" refused 3 'neither compressed nor from a pipe' \
        "$scratch/own.i32.h5.gz" "$scratch/whole.mtx"
    head -c 3000 "$scratch/own.i32.h5" >"$scratch/short.h5"
    check "matrices: HDF5 that ends early" refused '[35]' 'short.h5' "$scratch/short.h5" \
        "$scratch/whole.mtx"
else
    echo "skip matrices: HDF5: the library is not installed"
fi

# Pairs as apsp writes them are a matrix, with names too; of some targets too for single distances.
"$BUILD/apsp" --quiet "$scratch/whole.mtx" "$scratch/all.csv"
check "matrices: pairs" "$verify" --quiet "$scratch/whole.mtx" "$scratch/all.csv"
check "matrices: apsp-query of pairs" answers "$scratch/all.csv" "$scratch/whole.mtx"
"$BUILD/apsp" --quiet "$scratch/real.mtx" "$scratch/all.real.csv"
check "matrices: pairs of reals" "$verify" --quiet "$scratch/real.mtx" "$scratch/all.real.csv"
awk -F, 'NR == 12 { $3 += 1 } { print $1 "," $2 "," $3 }' "$scratch/all.csv" >"$scratch/wrong.csv"
check "matrices: a wrong pair" refutes "$scratch/whole.mtx" "$scratch/wrong.csv"
printf \
    'from,to,weight\n"New York",#1,3\n#1,"a ""b"", c",4\nLUX,"New York",5\n"a ""b"", c",LUX,6\n' \
    >"$scratch/named.csv"
"$BUILD/apsp" --quiet "$scratch/named.csv" "$scratch/named.pairs.csv"
check "matrices: pairs by name" "$verify" --quiet "$scratch/named.csv" "$scratch/named.pairs.csv"
"$BUILD/apsp" --quiet --sources "LUX,New York" --targets "#1,LUX" "$scratch/named.csv" \
    "$scratch/some.npy"
some_are() {
    [ "$("$BUILD/apsp-query" --sources "LUX,New York" --targets "#1,LUX" "$scratch/named.csv" \
        "$scratch/some.npy" "$@" 2>&1)" = "$words" ]
}
words='LUX #1 8'
check "matrices: an entry of some rows and columns" some_are LUX "#1"
words='apsp-query: vertex #1 is none of --sources'
check "matrices: no such row" some_are "#1" LUX
words='apsp-query: vertex New York is none of --targets'
check "matrices: no such column" some_are LUX "New York"
finish
