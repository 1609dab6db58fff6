#!/bin/sh
# The transports that CPU ranks can use, on one node and on several played ones: the bytes of one rank.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
unset OMPI_MCA_pml HWLOC_PLUGINS_PATH # here MPI looks for networks, as it does by default

"$BUILD/apsp-gen" random -n 301 -d 5 -o "$scratch/graph.bin"
"$BUILD/apsp" --device cpu --quiet "$scratch/graph.bin" "$scratch/right"

# try RANKS OPTIONS...
try() {
    ranks=$1
    shift
    rm -f "$scratch/out"
    mpi "$ranks" "$BUILD/apsp" --device cpu --threads 1 --quiet --verify=all "$@" "$scratch/graph.bin" "$scratch/out"
    check "transport: $ranks ranks, $*" cmp -s "$scratch/out" "$scratch/right"
}

for transport in mpi host; do
    for ranks in 2 3 5; do
        try "$ranks" --transport "$transport" --tile 7
    done
    try 4 --transport "$transport" --ranks-per-node 2
    try 5 --transport "$transport" --ranks-per-node 2 --tile 1
    try 5 --transport "$transport" --ranks-per-node 1
done

mpi 2 "$BUILD/apsp" --device cpu --transport nonsense "$scratch/graph.bin" 2>"$scratch/text"
check "transport: an unknown name is exit 2" [ $? -eq 2 ]
"$BUILD/apsp" --device cpu --transport nonsense "$scratch/graph.bin" 2>/dev/null
check "transport: an unknown name is exit 2 with one rank too" [ $? -eq 2 ]
mpi 2 "$BUILD/apsp" --device cpu --ranks 3 "$scratch/graph.bin" 2>/dev/null
check "transport: another number of ranks than asked for is exit 2" [ $? -eq 2 ]
check "transport: an unknown name is named" grep -q nonsense "$scratch/text"
if "$BUILD/apsp" --help | grep -q peer && mpi 2 "$BUILD/apsp" --device cpu --transport peer "$scratch/graph.bin" 2>"$scratch/text"; then
    echo "FAIL transport: peer copies between CPU ranks"
    failures=$((failures + 1))
fi
finish
