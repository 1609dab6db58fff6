#!/bin/sh
# What compilers for AMD make of the kernels, without a GPU: no scratch memory, and a table of
# instructions. sh tests/hip/assembly.sh [FOLDER] (default: build/assembly, where the assembly
# stays). gfx90a by hipcc; gfx942 by clang-19 where it is installed, with the device library of
# gfx940 in the place of the one that Debian lacks. SOURCES: other files, such as the lab's, which
# only have to compile.
set -u
cd "$(dirname "$0")/../.."
folder=${1:-build/assembly}
mkdir -p "$folder"
own="src/kernels/gpu/launch.cu src/sparse/gpu/launch.cu"
own="$own src/sssp/gpu/waves.cu src/sssp/gpu/labels.cu src/sssp/gpu/levels.cu"
sources=${SOURCES:-$own}
level=${SOURCES:+-O1}
flags="-x hip -std=c++20 ${level:--O3} -D_GNU_SOURCE -DAPSP_GPU -DAPSP_HIP"
flags="$flags -Iinclude -Isrc -Ilab -Ibench --cuda-device-only -S -w"
libraries=${DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}

# assemble ARCH COMPILER...: the sources, and their table.
assemble() {
    arch=$1
    shift
    for source in $sources; do
        echo "$source -o $folder/$arch-$(echo "$source" | tr / -).s"
    done >"$folder/$arch"
    xargs -L 1 -P "$(nproc)" "$@" $flags --offload-arch="$arch" <"$folder/$arch" || return 1
    [ -n "${SOURCES-}" ] || python3 tests/hip/assembly.py $(sed "s/.* -o //" "$folder/$arch")
}

status=0
if command -v hipcc >/dev/null; then
    assemble gfx90a hipcc || status=1
else
    echo "skip gfx90a: no hipcc"
fi
if command -v clang-19 >/dev/null && [ -e "$libraries/oclc_isa_version_940.bc" ]; then
    mkdir -p "$folder/bitcode"
    cp "$libraries"/*.bc "$folder/bitcode"
    cp "$libraries/oclc_isa_version_940.bc" "$folder/bitcode/oclc_isa_version_942.bc"
    # What hipcc adds for these headers and libraries, which are older than this compiler.
    assemble gfx942 clang-19 --rocm-path=/usr --rocm-device-lib-path="$folder/bitcode" \
        -mcode-object-version=4 -D__AMDGCN_WAVEFRONT_SIZE=64 \
        -mllvm -amdgpu-early-inline-all=true -mllvm -amdgpu-function-calls=false || status=1
else
    echo "skip gfx942: no clang-19, or no device libraries"
fi
exit $status
