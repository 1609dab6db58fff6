#!/bin/sh
# MPI for those alone who need it: no program is linked with it, one rank runs where there is none,
# and the module that has it is found. And the libraries of formats for theirs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 100 -d 4 -s 1 -o "$graph"
"$BUILD/apsp" --device cpu --quiet "$graph" "$scratch/right"

# without_mpi PROGRAM
without_mpi() {
    ldd "$1" >"$scratch/libraries" && ! grep -E 'libmpi|open-rte|open-pal|mpich' \
        "$scratch/libraries"
}
for program in "$BUILD"/apsp "$BUILD"/apsp-*; do
    check "start: $(basename "$program") is not linked with MPI" without_mpi "$program"
done

# The programs as they are installed, but for the module.
mkdir -p "$scratch/bin" "$scratch/lib/apsp"
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
    [ "$status" -eq 7 ] && [ ! -e "$scratch/none" ] &&
        [ "$(grep -c '^apsp: ' "$scratch/text")" -eq 1 ] &&
        grep -q "^apsp: .*$words" "$scratch/text" && return
    echo "# exit status $status"
    sed 's/^/# /' "$scratch/text"
    return 1
}

# The libraries of formats are missing, all of them: only their formats need them, and say what to
# install.
libraries=$(late_libraries)
check "start: some libraries are loaded late" [ "$(echo "$libraries" | wc -l)" -ge 5 ]
for program in "$BUILD"/apsp "$BUILD"/apsp-*; do
    ldd "$program" >"$scratch/libraries"
    check "start: none by $(basename "$program") at once" sh -c '! echo "$1" | grep -qFf - "$2"' \
        sh "$libraries" "$scratch/libraries"
done
# names PACKAGE FILE
names() {
    without "$libraries" "$apsp" --quiet "$2" 2>"$scratch/text"
    [ $? -eq 5 ] && [ "$(wc -l <"$scratch/text")" -eq 1 ] &&
        grep -q "install the package $1\$" "$scratch/text" && return
    sed 's/^/# /' "$scratch/text"
    return 1
}
if without "$libraries" true 2>/dev/null; then
    check "start: without libraries, one rank" solves without "$libraries" "$apsp"
    for program in "$BUILD"/apsp "$BUILD"/apsp-*; do
        check "start: without libraries, $(basename "$program") --version" without "$libraries" \
            "$program" --version
    done
    for kind in 'zlib1g \037\213\010' 'libzstd1 \050\265\057\375' 'liblzma5 \375\067zXZ' \
        'libbz2-1.0 BZh' 'libexpat1 <graphml'; do
        printf "${kind#* }" >"$scratch/begin"
        check "start: without libraries, the name of ${kind%% *}" names "${kind%% *}" \
            "$scratch/begin"
    done
else
    echo "skip start: without libraries: needs the right to mount"
fi

check "start: one rank without the module" solves "$apsp"
check "start: --ranks 1 without the module" solves "$apsp" --ranks 1
check "start: --ranks 2 without the module" solves "$apsp" --ranks 2
check "start: --ranks 2 in a job of Slurm" solves env SLURM_NTASKS=2 "$apsp" --ranks 2
check "start: --ranks 1 in a job of Slurm" solves env SLURM_NTASKS=2 "$apsp" --ranks 1
check "start: one task of several is exit 7" refuses 'mpi=pmix' env SLURM_NTASKS=2 "$apsp"
if [ ! -e "$module" ]; then
    echo "skip start: no module, since this build found no MPI"
    finish
fi
# The others would speak after three seconds.
check "start: two ranks without the module are exit 7" refuses \
    'MPI cannot be loaded: /nonexistent' mpirun --oversubscribe -n 2 "$apsp"
echo "no module" >"$scratch/text.so"
check "start: a module that is none is exit 7" refuses 'text.so' env \
    APSP_MPI_MODULE="$scratch/text.so" mpirun --oversubscribe -n 2 "$apsp"
check "start: a library that is no module is exit 7" refuses 'apsp_mpi_module' \
    env APSP_MPI_MODULE="$(ldd "$apsp" | awk '$1 ~ /^libm\./ { print $3 }')" mpirun \
    --oversubscribe -n 2 "$apsp"
check "start: the module by its variable" solves env APSP_MPI_MODULE="$module" mpirun \
    --oversubscribe -n 2 "$apsp"
check "start: no module names its package" refuses 'the package apsp-mpi' env -u APSP_MPI_MODULE \
    mpirun --oversubscribe -n 2 "$apsp"
cp "$module" "$scratch/lib/apsp"
check "start: a module that is named is taken or none" refuses /nonexistent mpirun --oversubscribe \
    -n 2 "$apsp"
unset APSP_MPI_MODULE
check "start: the module in ../lib/apsp" solves mpi 2 "$apsp"
mkdir "$scratch/lib/triplet"
cp "$apsp" "$scratch/lib/triplet"
check "start: the module in ../apsp" solves mpi 2 "$scratch/lib/triplet/apsp"
mv "$scratch/lib/apsp/libapsp_mpi.so" "$scratch/bin"
check "start: the module beside the program" solves mpi 2 "$apsp"
mkdir "$scratch/elsewhere"
ln -s "$apsp" "$scratch/elsewhere/apsp"
check "start: the program by a link" solves mpi 2 "$scratch/elsewhere/apsp"
check "start: the program by its name alone" solves env PATH="$scratch/elsewhere:$PATH" mpirun \
    --oversubscribe -n 2 apsp
finish
