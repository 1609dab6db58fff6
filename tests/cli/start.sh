#!/bin/sh
# MPI for those alone who need it: no program is linked with it, one rank runs where there is none, and the module that has it is found.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 100 -d 4 -s 1 -o "$graph"
"$BUILD/apsp" --device cpu --quiet "$graph" "$scratch/right"

# without_mpi PROGRAM
without_mpi() {
    ldd "$1" >"$scratch/libraries" && ! grep -E 'libmpi|open-rte|open-pal|mpich' "$scratch/libraries"
}
for program in "$BUILD"/apsp "$BUILD"/apsp-*; do
    check "start: $(basename "$program") is not linked with MPI" without_mpi "$program"
done

# The programs as they are installed, but for the module.
mkdir "$scratch/bin" "$scratch/lib"
apsp=$scratch/bin/apsp
cp "$BUILD/apsp" "$apsp"
module=$APSP_MPI_MODULE
export APSP_MPI_MODULE=/nonexistent

# solves COMMAND...: with right distances.
solves() {
    rm -f "$scratch/out"
    "$@" --device cpu --quiet "$graph" "$scratch/out" && cmp -s "$scratch/out" "$scratch/right"
}

# refuses WORDS COMMAND...: exit 7, one line with the words, and nobody hangs.
refuses() {
    words=$1
    shift
    timeout 60 "$@" --device cpu --quiet "$graph" "$scratch/none" 2>"$scratch/text"
    status=$?
    [ "$status" -eq 7 ] && [ ! -e "$scratch/none" ] && [ "$(grep -c '^apsp: ' "$scratch/text")" -eq 1 ] &&
        grep -q "^apsp: .*$words" "$scratch/text" && return
    echo "# exit status $status"
    sed 's/^/# /' "$scratch/text"
    return 1
}

check "start: one rank without the module" solves "$apsp"
check "start: --ranks 1 without the module" solves "$apsp" --ranks 1
check "start: --ranks 1 in a job of Slurm" solves env SLURM_NTASKS=2 "$apsp" --ranks 1
check "start: one task of several is exit 7" refuses 'mpi=pmix' env SLURM_NTASKS=2 "$apsp"
if [ ! -e "$module" ]; then
    echo "skip start: no module, since this build found no MPI"
    finish
fi
# The others would speak after three seconds.
check "start: two ranks without the module are exit 7" refuses 'MPI cannot be loaded' mpirun --oversubscribe -n 2 "$apsp"
check "start: --ranks 2 without the module is exit 7" refuses 'MPI cannot be loaded: /nonexistent' "$apsp" --ranks 2
echo "no module" >"$scratch/text.so"
check "start: a module that is none is exit 7" refuses 'text.so' env APSP_MPI_MODULE="$scratch/text.so" "$apsp" --ranks 2
check "start: a library that is no module is exit 7" refuses 'apsp_mpi_module' \
    env APSP_MPI_MODULE="$(ldd "$apsp" | awk '$1 ~ /^libm\./ { print $3 }')" "$apsp" --ranks 2
check "start: the module by its variable" solves env APSP_MPI_MODULE="$module" "$apsp" --ranks 2
cp "$module" "$scratch/lib"
check "start: a module that is named is taken or none" refuses /nonexistent "$apsp" --ranks 2
unset APSP_MPI_MODULE
check "start: the module in ../lib" solves "$apsp" --ranks 2
mv "$scratch/lib/libapsp_mpi.so" "$scratch/bin"
check "start: the module beside the program" solves "$apsp" --ranks 2
mkdir "$scratch/elsewhere"
ln -s "$apsp" "$scratch/elsewhere/apsp"
check "start: the program by a link" solves "$scratch/elsewhere/apsp" --ranks 2
check "start: the program by its name alone" solves env PATH="$scratch/elsewhere:$PATH" apsp --ranks 2
finish
