#!/bin/sh
# 10,000 graphs by the sparse engine, on 1 to 4 ranks, held against the dense one and against
# Bellman and Ford's algorithm. `make check-sparse`; takes minutes.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
# There may be fewer cores than ranks.
export OMPI_MCA_mpi_yield_when_idle=1
for ranks in 1 2 3 4; do
    check "sparse: 2,500 graphs on $ranks ranks" mpi "$ranks" env MANY=2500 \
        "$BUILD/tests/sparse/test_many"
done
finish
