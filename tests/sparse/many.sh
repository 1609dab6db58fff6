#!/bin/sh
# 10,000 graphs by the sparse engine and by searches, on 1 to 4 ranks, held against the dense one
# and against Bellman and Ford's algorithm. Ranks are threads: processes that wait for one another
# on fewer cores take ten times as long. 400 graphs are solved by processes as well.
# `make check-sparse`; takes minutes. many.sh RANKS...: these numbers of ranks alone.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
# There may be fewer cores than ranks.
export OMPI_MCA_mpi_yield_when_idle=1
[ $# -gt 0 ] || set -- 1 2 3 4
for ranks; do
    check "2,500 graphs on $ranks ranks, threads" env MANY=2500 MANY_RANKS="$ranks" \
        "$BUILD/tests/sparse/test_many"
    check "100 graphs on $ranks ranks, processes" mpi "$ranks" env MANY=100 \
        "$BUILD/tests/sparse/test_many"
done
finish
