#!/bin/sh
# Ranks that share a GPU, by every transport and strip: small enough that a strip is only the next
# pivot. BUILD=build sh tests/hip/ranks.sh
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
export OMPI_MCA_rmaps_base_oversubscribe=1

# alike RANKS TRANSPORT GRAPH: gives what the CPU gives.
alike() {
    rm -f "$scratch/out.npy"
    timeout 60 mpirun --quiet -n "$1" "$BUILD/apsp" --quiet --device gpu --dtype i32 --share-gpus \
        --transport "$2" --verify=all "$3" "$scratch/out.npy" &&
        cmp -s "$scratch/out.npy" "$3.npy"
}

sizes='2 127 257 1000 3000'
[ -z "${EMULATED-}" ] || sizes='2 127 257' # tests/emulated/
for n in $sizes; do
    graph=$scratch/$n.bin
    "$BUILD/apsp-gen" random -n $n -d 8 -w 1:9 -o "$graph"
    "$BUILD/apsp" --quiet --device cpu --dtype i32 "$graph" "$graph.npy"
    for ranks in 2 4; do
        for transport in auto host; do
            check "hip: $ranks ranks on one GPU, $transport, n = $n" alike $ranks $transport \
                "$graph"
        done
    done
done
finish
