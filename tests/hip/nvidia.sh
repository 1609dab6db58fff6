#!/bin/sh
# The HIP build on an NVIDIA GPU: the code that AMD's GPUs run, but for their own instructions.
# HIP_NVIDIA names a folder with HIP's headers for NVIDIA (hip/hip_runtime.h). Twice: plainly, and
# with habits of ROCm's runtime imitated (imitate.h).
#   HIP_NVIDIA=folder sh tests/hip/nvidia.sh build   needs nvcc
#   sh tests/hip/nvidia.sh run                       needs a GPU and what `build` made; the last
#   line counts
set -u
cd "$(dirname "$0")/../.."
plain=${BUILD:-build/hip-nvidia} imitated=${BUILD:-build/hip-nvidia}-imitated

# make_with FOLDER LIBRARIES: the programs of the tests.
make_with() {
    cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
    make -s -j"$(nproc)" GPU=hip HIPCC="$PWD/tests/hip/hipcc-nvidia" ARCH=nvidia BUILD="$1" \
        GPU_LIBS="$2 -L$cuda/lib64 -L$cuda/lib -l:libcudart_static.a -lstdc++ -ldl -lrt -lpthread" \
        gpu-programs
}

if [ "${1-}" = build ]; then
    make_with "$plain" "" || exit
    mkdir -p "$imitated"
    IMITATE=1 tests/hip/hipcc-nvidia -x hip -std=c++20 -O2 -fPIC -c tests/hip/imitate.cu \
        -o "$imitated/imitate.o" || exit
    IMITATE=1 make_with "$imitated" \
        "$PWD/$imitated/imitate.o -Wl,--wrap=__cudaPushCallConfiguration"
    exit
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
    BUILD=$plain sh tests/gpu/run.sh
    BUILD=$plain sh tests/gpu/sssp.sh
    BUILD=$plain sh tests/gpu/algebras.sh
    BUILD=$plain sh tests/gpu/several.sh
    for habit in last events "last events"; do
        export IMITATE="$habit"
        echo "# imitated: $habit"
        BUILD=$imitated sh tests/gpu/several.sh
        BUILD=$imitated sh tests/hip/ranks.sh
    done
} 2>&1 | tee "$log"
echo "HIP on NVIDIA: $(grep -c '^ok' "$log") passed, $(grep -c '^FAIL' "$log") failed"
! grep -q '^FAIL' "$log"
