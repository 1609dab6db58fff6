#!/bin/sh
# The road network of Rome by each engine, from 1, 2, 3 and 5 ranks: the distances' checksum. The
# graph is not part of the project.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
graph=${APSP_GRAPHS:-../shared/graphs}/rome99.gr
right=14b2118968e126dffa5e08f7300bb32824198bfcaf6de757ebc26a913c837cb2

if [ ! -f "$graph" ]; then
    echo "skip rome: $graph is not there (APSP_GRAPHS names its folder)"
    exit 0
fi
for method in dense sparse sssp; do
    for ranks in 1 2 3 5; do
        rm -f "$scratch/out"
        mpi "$ranks" "$BUILD/apsp" --quiet --method $method "$graph" "$scratch/out" 2>"$scratch/log"
        if grep -q METIS "$scratch/log"; then
            echo "skip rome: the sparse engine was built without METIS"
            break
        fi
        check "rome, $method, on $ranks ranks" [ "$(checksum "$scratch/out")" = "$right" ]
    done
done
finish
