#!/bin/sh
# What needs a GPU, on emulated ones (emulated.h), as far as they are fast enough: EMULATED=build/emulated sh tests/emulated/check.sh. CUDA's
# build with every transport and every call of the runtime failing once; HIP's with wavefronts of 64 lanes and with what ROCm does otherwise.
set -u
export MANY=60
cd "$(dirname "$0")/../.."
log=$(mktemp)

# Events of other processes are not waited for: what peer copies give then is refuted.
refuted() {
    "$EMULATED/cuda/apsp-gen" grid -n 777 -w 1:9 -o "$scratch/grid"
    IMITATE=events "$EMULATED/cuda/apsp" --quiet --gpus 2 --method dense --transport peer --verify=all "$scratch/grid" "$scratch/out" 2>/dev/null
    [ $? -eq 8 ] && [ -f "$scratch/out.refuted" ]
}

{
    for build in cuda hip; do
        echo "# emulated: $build"
        export BUILD="$EMULATED/$build"
        sh tests/gpu/run.sh
        EMULATED_GPUS=4 sh tests/gpu/several.sh
    done
    echo "# emulated: hip as ROCm is"
    export IMITATE="last events"
    sh tests/gpu/several.sh
    sh tests/hip/ranks.sh
    unset IMITATE
    export BUILD="$EMULATED/cuda"
    . tests/common.sh
    check "emulated: peer copies whose events do not order devices are refuted" refuted
    JOBS=$(nproc) sh tests/gpu/faults.sh
} 2>&1 | tee "$log"
passed=$(grep -c '^ok' "$log") failed=$(grep -c '^FAIL' "$log")
rm -f "$log"
echo "emulated GPUs: $passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
