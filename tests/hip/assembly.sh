#!/bin/sh
# What compilers for AMD make of the kernels, without a GPU: no scratch memory, and tables of
# instructions. sh tests/hip/assembly.sh [FOLDER] (default: build/assembly, where the assembly
# stays). gfx90a by hipcc; gfx942, gfx1100 and gfx1201 by clang-19 where it is installed, with
# device libraries of older GPUs in the place of those that Debian lacks. ARCHES: some of these.
# SOURCES: other files, such as the lab's, which only have to compile.
set -u
cd "$(dirname "$0")/../.."
folder=${1:-build/assembly}
mkdir -p "$folder"
own=$(grep -lE '<<<|/launch\.cuh"' src/*/*.cu src/*/*/*.cu) # those that launch kernels
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

# by_clang ARCH LIBRARY LANES: with the device library of that version.
by_clang() {
    if ! command -v clang-19 >/dev/null || ! [ -e "$libraries/oclc_isa_version_$2.bc" ]; then
        echo "skip $1: no clang-19, or no device libraries"
        return
    fi
    mkdir -p "$folder/bitcode"
    cp "$libraries"/*.bc "$folder/bitcode"
    cp "$libraries/oclc_isa_version_$2.bc" "$folder/bitcode/oclc_isa_version_${1#gfx}.bc"
    # What hipcc adds for these headers and libraries, which are older than this compiler.
    assemble "$1" clang-19 --rocm-path=/usr --rocm-device-lib-path="$folder/bitcode" \
        -mcode-object-version=4 -D__AMDGCN_WAVEFRONT_SIZE="$3" \
        -mllvm -amdgpu-early-inline-all=true -mllvm -amdgpu-function-calls=false || status=1
}

status=0
for arch in ${ARCHES:-gfx90a gfx942 gfx1100 gfx1201}; do
    case $arch in
    gfx942) by_clang gfx942 940 64 ;;
    gfx1100 | gfx1201) by_clang "$arch" 1036 32 ;;
    *)
        if command -v hipcc >/dev/null; then
            assemble "$arch" hipcc || status=1
        else
            echo "skip $arch: no hipcc"
        fi
        ;;
    esac
done
exit $status
