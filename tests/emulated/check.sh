#!/bin/sh
# What needs a GPU, on emulated ones (emulated.h), as far as they are fast enough:
# EMULATED=build/emulated sh tests/emulated/check.sh. CUDA's build with every transport and every
# call of the runtime failing once; HIP's with wavefronts of 64 lanes and ROCm's last error. The
# argument 32: HIP's with wavefronts of 32 lanes alone.
set -u
export MANY=30 SEQUENCES=40 SEQUENCES_DEVICE=gpu
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# all COMMAND...: a script of tests, whatever ends it.
all() {
    timeout 900 "$@" || echo "FAIL emulated: $*, exit status $?"
}

# Events of other processes are not waited for: what peer copies give then is refuted. Seldom they
# are there in time.
refuted() {
    "$EMULATED/cuda/apsp-gen" grid -n 777 -w 1:9 -o "$scratch/grid"
    for try in 1 2 3; do
        IMITATE=events mpi 2 "$EMULATED/cuda/apsp" --quiet --device gpu --method dense \
            --transport peer --verify=all "$scratch/grid" "$scratch/out$try" 2>/dev/null
        [ $? -ne 8 ] || [ ! -f "$scratch/out$try.refuted" ] || return 0
    done
    return 1
}

# build NAME SCRIPT...: these tests with that build, whose name stands before each.
build() {
    name=$1
    shift
    for script in "$@"; do
        BUILD="$EMULATED/$name" all sh "$script"
    done 2>&1 | sed -u "s/^\(ok\|FAIL\|skip\|#\) /&$name: /"
}

# python NAME: graphs and distances of Python in the memory of that build's GPUs.
python() {
    APSP_LIBRARY=$EMULATED/$1/libapsp.so PYTHONPATH=python "${PYTHON:-python3}" -B \
        python/tests/device_gpu.py sparse
}

tests() {
    own="tests/gpu/run.sh tests/gpu/sssp.sh tests/gpu/betweenness.sh tests/gpu/algebras.sh"
    own="$own tests/gpu/access.sh"
    if [ "${1:-}" = 32 ]; then
        EMULATED_GPUS=2 IMITATE=last build hip32 $own
        return
    fi
    EMULATED_GPUS=4 build cuda $own tests/gpu/several.sh tests/library/sequences.sh &
    EMULATED_GPUS=4 IMITATE=last build hip $own tests/gpu/several.sh tests/hip/ranks.sh \
        tests/library/sequences.sh &
    wait
    export BUILD="$EMULATED/cuda"
    . tests/common.sh
    check "emulated: peer copies whose events do not order devices are refuted" refuted
    if "${PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
        for name in cuda hip; do
            check "emulated: $name: arrays of Python on the GPU" python "$name"
        done
    else
        echo "skip emulated: arrays of Python: no NumPy"
    fi
    JOBS=$(nproc) all sh tests/gpu/faults.sh
}

tests "$@" 2>&1 | tee "$log"
passed=$(grep -c '^ok' "$log") failed=$(grep -c '^FAIL' "$log")
echo "emulated GPUs: $passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
