#!/bin/sh
# The transports that CPU ranks can use, on one node and on several played ones: the bytes of one
# rank.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
unset OMPI_MCA_pml HWLOC_PLUGINS_PATH # here MPI looks for networks, as it does by default

"$BUILD/apsp-gen" random -n 301 -d 5 -o "$scratch/graph.bin"
"$BUILD/apsp" --device cpu --quiet "$scratch/graph.bin" "$scratch/right"

# several HOW RANKS ARGUMENTS...: as processes or as threads.
several() {
    how=$1 ranks=$2
    shift 2
    case $how in
    mpirun) mpi "$ranks" "$BUILD/apsp" --device cpu --threads 1 --quiet "$@" ;;
    threads) "$BUILD/apsp" --ranks "$ranks" --threads 1 --quiet "$@" ;;
    esac
}

# try HOW RANKS OPTIONS...
try() {
    rm -f "$scratch/out"
    several "$@" --verify=all "$scratch/graph.bin" "$scratch/out"
    check "transport: $*" cmp -s "$scratch/out" "$scratch/right"
}

for way in "mpirun mpi" "mpirun host" "threads direct" "threads host"; do
    how=${way% *} transport=${way#* }
    for ranks in 2 3 5; do
        try "$how" "$ranks" --transport "$transport" --tile 7
    done
    try "$how" 4 --transport "$transport" --ranks-per-node 2
    try "$how" 5 --transport "$transport" --ranks-per-node 2 --tile 1
    try "$how" 5 --transport "$transport" --ranks-per-node 1
done

# refused HOW TRANSPORT WORDS
refused() {
    several "$1" 2 --transport "$2" "$scratch/graph.bin" 2>"$scratch/text"
    [ $? -eq 7 ] && grep -q "transport $2: $3" "$scratch/text"
}
check "transport: no MPI between threads" refused threads mpi 'the ranks are threads of one process'
check "transport: no direct copies between processes" refused mpirun direct \
    'the ranks are processes of their own'

mpi 2 "$BUILD/apsp" --device cpu --transport nonsense "$scratch/graph.bin" 2>"$scratch/text"
check "transport: an unknown name is exit 2" [ $? -eq 2 ]
"$BUILD/apsp" --device cpu --transport nonsense "$scratch/graph.bin" 2>/dev/null
check "transport: an unknown name is exit 2 with one rank too" [ $? -eq 2 ]
mpi 2 "$BUILD/apsp" --device cpu --ranks 3 "$scratch/graph.bin" 2>/dev/null
check "transport: another number of ranks than asked for is exit 2" [ $? -eq 2 ]
check "transport: an unknown name is named" grep -q nonsense "$scratch/text"
if "$BUILD/apsp" --help | grep -q peer && mpi 2 "$BUILD/apsp" --device cpu --transport peer \
    "$scratch/graph.bin" 2>"$scratch/text"; then
    echo "FAIL transport: peer copies between CPU ranks"
    failures=$((failures + 1))
fi
finish
