#!/bin/sh
# Whether the kernels for NVIDIA's GPUs have the same machine code as at another revision:
# sh tests/gpu/same_code.sh REVISION. By name, for sm_90 and with the compiler that is here; needs
# no GPU. The lines of same_code.py tell which have other code. FILES: some of them. In
# build/same_code.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/build/same_code
own="src/kernels/gpu/launch.cu src/sparse/gpu/launch.cu"
own="$own src/sssp/gpu/waves.cu src/sssp/gpu/labels.cu src/sssp/gpu/label_counts.cu"
own="$own src/sssp/gpu/levels.cu"

# cubins ROOT NAME: of the files, in a folder of that name.
cubins() {
    mkdir -p "$folder/$2"
    (
        cd "$1"
        for file in ${FILES:-$own}; do
            echo "$file -o $folder/$2/$(echo "$file" | tr / -).cubin"
        done | xargs -L 1 -P "$(nproc)" "${NVCC:-nvcc}" -std=c++20 -O3 -D_GNU_SOURCE -DAPSP_GPU \
            -Iinclude -Isrc -arch=sm_90 -cubin
    )
}

rm -rf "$folder"
mkdir -p "$folder/source"
git archive "$1" include src | tar -x -C "$folder/source"
cubins "$folder/source" before
cubins . after
python3 tests/gpu/same_code.py "$folder/before" "$folder/after"
