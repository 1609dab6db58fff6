#!/bin/sh
# Other values of a path on a GPU: BUILD=build sh tests/gpu/algebras.sh. The engines in all types
# against cores, and GRAPHS small graphs for each algebra against Floyd and Warshall's algorithm
# (tests/cli/algebras.py, by Python with numpy).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
. tests/gpu/alike.sh
if [ -z "${EMULATED-}" ]; then
    sizes='65 1000 3001' few=0 star=9001 graphs=${GRAPHS:-35} # for each of three algebras
else # tests/emulated/
    sizes='65 300' few=300 star=1200 graphs=${GRAPHS:-10}
fi
export APSP_PROBE=none counted=in

sparse=
! "$BUILD/apsp" --quiet --method sparse testcases/stored/c09.bin >/dev/null 2>&1 || sparse=sparse
for method in dense $sparse sssp; do
    for n in $sizes; do
        "$BUILD/apsp-gen" random -n "$n" -w 0:200 -s "$n" -o "$scratch/graph.bin" --force
        for type in u16 $([ "$n" -eq $few ] || echo i32 i64 f32) f64; do
            check "gpu: $method, bottleneck of $n vertices, $type" by_either $method \
                "$scratch/graph.bin" --paths bottleneck --dtype $type
        done
    done
    check "gpu: $method, widest" by_either $method "$scratch/graph.bin" --paths widest
    "$BUILD/apsp-gen" random -n 300 -w -50:90 -s 3 -o "$scratch/graph.mtx" --force
    check "gpu: $method, bottleneck of negative weights" by_either $method "$scratch/graph.mtx" \
        --paths bottleneck
    "$BUILD/apsp-gen" random -n 300 -w 0.05:1.00 -s 3 -o "$scratch/graph.mtx" --force
    check "gpu: $method, widest of decimals" by_either $method "$scratch/graph.mtx" --paths widest
    check "gpu: $method, bottleneck of decimals" by_either $method "$scratch/graph.mtx" \
        --paths bottleneck $([ $method = dense ] && echo --tile 31 --paranoid)
done
"$BUILD/apsp-gen" star -n $star -w 1:9 -o "$scratch/graph.bin" --force
check "gpu: sssp, bottleneck of a vertex in segments" by_either sssp "$scratch/graph.bin" \
    --paths bottleneck

if ! [ "$sparse" ]; then
    echo "skip gpu: algebras of small graphs: built without METIS"
elif "${PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
    check "gpu: algebras as Floyd and Warshall on values" env ALGEBRAS_DEVICE=gpu \
        "${PYTHON:-python3}" tests/cli/algebras.py "$BUILD/apsp" "$BUILD/apsp-verify" "$scratch" \
        "$graphs"
else
    echo "skip gpu: algebras of small graphs: no numpy"
fi
finish
