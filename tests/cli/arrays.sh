#!/bin/sh
# Matrices of NumPy and SciPy as graphs: the distances of the same edges as text, and those of
# SciPy.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

python=${PYTHON:-python3}
if ! "$python" -c 'import numpy, scipy' 2>/dev/null; then
    echo "skip arrays: $python has no NumPy and SciPy; PYTHON names another one"
    exit 77
fi
"$python" tests/cli/arrays.py "$scratch"

# gives RIGHT RANKS OPTIONS... FILE
gives() {
    right=$1
    ranks=$2
    shift 2
    rm -f "$scratch/out.npy"
    mpi "$ranks" "$BUILD/apsp" --quiet "$@" "$scratch/out.npy" </dev/null &&
        cmp -s "$right" "$scratch/out.npy"
}
while IFS='|' read -r name right options; do
    [ -f "$scratch/$right.npy" ] || "$BUILD/apsp" --quiet "$scratch/$right" "$scratch/$right.npy"
    check "arrays: $name $options" gives "$scratch/$right.npy" 1 $options "$scratch/$name"
done <"$scratch/cases"
for name in densef8F.npy:densef8.mtx densei41.npy:whole.gr rcsr_matrix0.npz:real.mtx \
    wcsc_array1.npz:whole.gr wcoo_array0.npz:whole.gr arraywhole.mtx:whole.gr \
    arrayboth.mtx:both.gr; do
    check "arrays: ${name%:*} on 3 ranks" gives "$scratch/${name#*:}.npy" 3 "$scratch/${name%:*}"
done

if without libz.so.1 true 2>/dev/null; then
    without libz.so.1 "$BUILD/apsp" --quiet --force "$scratch/wcsr_matrix0.npz" "$scratch/out.npy"
    check "arrays: a stored .npz without zlib" cmp -s "$scratch/whole.gr.npy" "$scratch/out.npy"
    without libz.so.1 "$BUILD/apsp" --quiet "$scratch/wcsr_matrix1.npz" 2>"$scratch/log"
    check "arrays: a deflated one names the package" [ $? -eq 5 -a \
        -n "$(grep 'install the package zlib1g$' "$scratch/log")" ]
else
    echo "skip arrays: without zlib: needs the right to mount"
fi

# Not by way of this program's own readers.
"$BUILD/apsp" --quiet "$scratch/rcsr_matrix1.npz" "$scratch/real.npy"
check "arrays: SciPy has the same distances" "$python" -c '
import numpy, scipy.sparse, sys
from scipy.sparse.csgraph import shortest_path
d = shortest_path(scipy.sparse.load_npz(sys.argv[1]))
sys.exit(not (numpy.isinf(d).any() and (numpy.load(sys.argv[2]) == d).all()))' \
    "$scratch/rcsr_matrix1.npz" "$scratch/real.npy"

# Refused with one line, in 600 MB of memory.
refuses() {
    (
        limit_memory 600000
        OMP_NUM_THREADS=2 timeout 60 "$BUILD/apsp" --quiet "$scratch/$1" </dev/null 2>"$scratch/log"
        [ $? -eq 3 ]
    ) && [ "$(wc -l <"$scratch/log")" -eq 1 ] && grep -q -e "$2" "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
while IFS='|' read -r name words; do
    check "arrays: $name is refused" refuses "$name" "$words"
done <"$scratch/refused"
"$BUILD/apsp" --quiet --no-edge nan "$scratch/zero.npz" 2>"$scratch/log"
check "arrays: an infinity that is to be a weight" grep -q "data.2.: inf is not a finite weight" \
    "$scratch/log"
"$BUILD/apsp" --quiet --no-edge 0,what "$scratch/zero.npz" 2>"$scratch/log"
check "arrays: --no-edge of something else" [ $? -eq 2 ]
finish
