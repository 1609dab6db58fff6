#!/bin/sh
# What needs a GPU, on emulated ones (emulated.h), as far as they are fast enough: EMULATED=build/emulated sh tests/emulated/check.sh. CUDA's
# build with every transport and every call of the runtime failing once; HIP's with wavefronts of 64 lanes and ROCm's last error.
set -u
export MANY=30
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# all COMMAND...: a script of tests, whatever ends it.
all() {
    timeout 900 "$@" || echo "FAIL emulated: $*, exit status $?"
}

# Events of other processes are not waited for: what peer copies give then is refuted. Seldom they are there in time.
refuted() {
    "$EMULATED/cuda/apsp-gen" grid -n 777 -w 1:9 -o "$scratch/grid"
    for try in 1 2 3; do
        IMITATE=events "$EMULATED/cuda/apsp" --quiet --gpus 2 --method dense --transport peer --verify=all "$scratch/grid" "$scratch/out$try" 2>/dev/null
        [ $? -ne 8 ] || [ ! -f "$scratch/out$try.refuted" ] || return 0
    done
    return 1
}

{
    export EMULATED_GPUS=4 BUILD="$EMULATED/cuda"
    echo "# emulated: CUDA's build"
    all sh tests/gpu/run.sh
    all sh tests/gpu/several.sh
    export IMITATE=last BUILD="$EMULATED/hip"
    echo "# emulated: HIP's build, with ROCm's last error"
    all sh tests/gpu/run.sh
    all sh tests/gpu/several.sh
    all sh tests/hip/ranks.sh
    unset IMITATE EMULATED_GPUS
    export BUILD="$EMULATED/cuda"
    . tests/common.sh
    check "emulated: peer copies whose events do not order devices are refuted" refuted
    JOBS=$(nproc) all sh tests/gpu/faults.sh
} 2>&1 | tee "$log"
passed=$(grep -c '^ok' "$log") failed=$(grep -c '^FAIL' "$log")
echo "emulated GPUs: $passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
