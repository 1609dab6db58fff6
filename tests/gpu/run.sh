#!/bin/sh
# Everything that needs a GPU: BUILD=build sh tests/gpu/run.sh. Kernels against the CPU backend, the
# named cases and many tiles through the command, many small graphs, errors, and compute-sanitizer
# where it is installed. Needs no compiler.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
. tests/gpu/alike.sh
kernels=$BUILD/tests/gpu/kernels
if [ -z "${EMULATED-}" ]; then
    tiles='1 2 31 32 33 63 64 65 100 127 128' cases=60 wide=3001 widest=9001 \
        sizes='1 2 65 1000 3001' apart=2500 long=60000 too_large=1200000
else # tests/emulated/
    tiles='31 64 65 127' cases=6 wide=301 widest=901 sizes='1 2 65 400' apart=500 long=3000 \
        too_large=60000
fi

"$kernels" 1 >"$scratch/log" 2>&1
if [ $? -eq 77 ]; then
    cat "$scratch/log"
    exit 77
fi

# gives SUM OPTIONS...: the GPU's distances have this checksum.
gives() {
    wanted=$1
    shift
    rm -f "$scratch/out"
    apsp --quiet --device gpu "$@" "$scratch/out" </dev/null &&
        [ "$(checksum "$scratch/out")" = "$wanted" ]
}

# fails CODE TEXT COMMAND...: exits with the code, says the text, leaves no output.
fails() {
    code=$1
    text=$2
    shift 2
    "$@" >"$scratch/log" 2>&1 </dev/null
    found=$?
    [ "$found" -eq "$code" ] && grep -q "$text" "$scratch/log" &&
        [ -z "$(find "$scratch" -name 'none*' -o -name '.none*')" ] && return
    echo "# exit status $found, not $code, or not '$text':"
    cat "$scratch/log"
    return 1
}

for seed in 1 2 3; do
    check "gpu: kernels, seed $seed" "$kernels" $cases "$seed"
done
check "gpu: a fault names call, file and line" fails 6 'gpuSetDevice(1 << 20).*kernels.cu:[0-9]' \
    "$kernels" fault

while read -r name family n m weights seed right; do
    case $name in
    c[01]*) ;;
    *) continue ;;
    esac
    graph=$scratch/$name.bin
    sh testcases/make.sh "$name" "$graph"
    check "gpu: $name ($family, $n vertices)" gives "$right" "$graph"
    if [ "$name" = c13 ]; then
        for tile in $tiles; do
            check "gpu: $name in tiles of $tile" gives "$right" --tile "$tile" "$graph"
        done
    fi
done <testcases/cases.txt

for family in random grid rmat dense zero disconnected star path; do
    graph=$scratch/graph.bin
    "$BUILD/apsp-gen" "$family" -n $wide -s 9 -o "$graph" --force
    check "gpu: $family, $wide vertices, certified" apsp --quiet --device gpu --verify=all "$graph"
done
"$BUILD/apsp-gen" random -n $widest -s 4 -o "$scratch/graph.bin" --force
check "gpu: $widest vertices, certified" apsp --quiet --device gpu --verify=500 "$scratch/graph.bin"

# alike NAME GRAPH OPTIONS...: the same distances and predecessors from GPU and CPU.
alike() {
    graph=$1
    shift
    for device in cpu gpu; do
        apsp --quiet --verify=all --device $device "$@" --predecessors "$scratch/$device-tree.npy" \
            "$graph" "$scratch/$device.npy" || return 1
    done
    cmp "$scratch/cpu.npy" "$scratch/gpu.npy" && cmp "$scratch/cpu-tree.npy" "$scratch/gpu-tree.npy"
}

"$BUILD/apsp-gen" grid -n 777 -w 1:9 -s 3 -o "$scratch/graph.bin" --force
for type in u16 i32 i64 f32 f64; do
    check "gpu: $type as on the CPU" alike "$scratch/graph.bin" --dtype $type
done

check "gpu: --paranoid" sh tests/cli/paranoid.sh gpu

sparse_without_core() {
    (export APSP_KAPPA=1000000 && by_either sparse "$@")
}

for type in u16 i32 i64 f32 f64; do
    check "gpu: sparse, $type as on the CPU" by_either sparse "$scratch/graph.bin" --dtype $type
done
for family in random grid rmat dense zero disconnected star path; do
    for n in $sizes; do
        "$BUILD/apsp-gen" "$family" -n $n -w 1:200 -s $n -o "$scratch/sparse.bin" \
            --force 2>/dev/null || continue
        check "gpu: sparse, $family of $n vertices as on the CPU" by_either sparse \
            "$scratch/sparse.bin"
    done
done
"$BUILD/apsp-gen" disconnected -n $apart -w 1000000:60000000 -s 3 -o "$scratch/sparse.bin" --force
check "gpu: sparse, long distances, and vertices that are not reached" by_either sparse \
    "$scratch/sparse.bin"
check "gpu: sparse, the same both ways" by_either sparse "$scratch/sparse.bin" --undirected
# The window does not hold a path of this one, and there are several batches of rows.
"$BUILD/apsp-gen" grid -n $long -s 2 -o "$scratch/sparse.bin" --force
seq 0 7 $((long - 1)) >"$scratch/sources"
check "gpu: sparse, some sources of $long vertices" by_either sparse "$scratch/sparse.bin" \
    --sources "$scratch/sources"
for ranks in 1 2; do
    check_many $ranks
done

# answers GRAPH OPTIONS...: pairs and betweenness, whose sums are rounded, as on the CPU.
answers() {
    for device in cpu gpu; do
        apsp --quiet --device $device --sources 5-99 --targets 1,7,30-60 --nearest 3 "$@" \
            "$scratch/$device.csv" || return 1
        apsp --quiet --device $device --betweenness "$scratch/$device-between.csv" "$@" || return 1
    done
    cmp "$scratch/cpu.csv" "$scratch/gpu.csv" && paste -d, "$scratch/cpu-between.csv" \
        "$scratch/gpu-between.csv" |
        awk -F, 'NR > 1 && ($1 != $4 || ($2 - $5)^2 > (1e-9 * $2)^2) { exit 1 }'
}
for method in dense sparse; do
    check "gpu: $method, pairs and betweenness as on the CPU" answers --method $method \
        "$scratch/graph.bin"
done

# Few wrong turns back: no negative cycle. Reals are multiples of 1/4, so that their sums are exact.
for field in integer real; do
    awk -v field=$field 'BEGIN {
        n = 500; srand(7)
        print "%%MatrixMarket matrix coordinate " field " general\n" n, n, 6 * n
        for (e = 0; e < 6 * n; e++) {
            u = int(rand() * n); v = int(rand() * n)
            w = int(rand() * 100) + (u < v ? -10 : 10 * (u - v) + 10)
            print u + 1, v + 1, u == v ? 1 : field == "real" ? w / 4 : w
        } }' >"$scratch/$field.mtx"
    check "gpu: negative $field weights as on the CPU" alike "$scratch/$field.mtx"
    check "gpu: sparse, negative $field weights as on the CPU" sparse_without_core \
        "$scratch/$field.mtx"
done
# Neither device has rounded anything, whatever its tiles and trees.
apsp --quiet --device cpu "$scratch/real.mtx" "$scratch/quarters.npy"
floats() {
    alike "$scratch/real.mtx" --dtype f64 "$@" && cmp "$scratch/quarters.npy" "$scratch/gpu.npy"
}
check "gpu: quarters with negative ones, in floating point" floats
check "gpu: the same in tiles of 17" floats --tile 17
check "gpu: the same, sparse" floats --method sparse
check "gpu: the same in f32" alike "$scratch/real.mtx" --dtype f32

# Sums that are rounded, from whichever device.
awk '/^%/ || !head++ { print; next } { printf "%d %d %.17g\n", $1, $2,
    ($1 * 31 + $2 * 17) % 1009 / 7 }' "$scratch/real.mtx" >"$scratch/sevenths.mtx"
apsp --quiet --device cpu --sums path "$scratch/sevenths.mtx" "$scratch/sevenths.npy"
paths() {
    alike "$scratch/sevenths.mtx" --sums path "$@" && cmp "$scratch/sevenths.npy" "$scratch/gpu.npy"
}
check "gpu: sums along paths" paths
check "gpu: the same in tiles of 17" paths --tile 17
check "gpu: the same, sparse" paths --method sparse
check "gpu: the same beside f32" alike "$scratch/sevenths.mtx" --sums path --dtype f32

check "gpu: too wide a tile" fails 2 'at most 128' apsp --device gpu --tile 129 \
    "$scratch/graph.bin" "$scratch/none"
check "gpu: more GPUs than there are" fails 6 'GPU' apsp --gpus 63 "$scratch/graph.bin" \
    "$scratch/none"
"$BUILD/apsp-gen" random -n $too_large -m 10 -s 4 -o "$scratch/large.bin" --force
check "gpu: too little memory" fails 4 'GPU 0' apsp --device gpu --method dense "$scratch/large.bin"
CUDA_VISIBLE_DEVICES=
HIP_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES
check "gpu: none there" fails 6 'GPU' apsp --device gpu "$scratch/c01.bin" "$scratch/none"
check "gpu: none there, auto takes the CPU" sh -c '"$0" --no-progress "$1" | grep -q cpu' \
    "$BUILD/apsp" "$scratch/c01.bin"
unset CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES

# sanitized OPTIONS COMMAND...: compute-sanitizer finds nothing.
sanitized() {
    compute-sanitizer --error-exitcode 9 "$@" >"$scratch/log" 2>&1 && return
    tail -n 30 "$scratch/log"
    return 1
}

# sanitized_sparse NAME COMMAND TOOL OPTIONS: runs of the sparse engine, with rows and with counts,
# near and far, with a core and without.
sanitized_sparse() {
    name=$1
    apsp="$2 --no-progress --force --quiet --method sparse --device gpu"
    shift 2
    check "gpu: $name, sparse rows" sanitized "$@" $apsp --sources "$scratch/sources" \
        "$scratch/sparse.bin" "$scratch/out.npy"
    for type in u16 i64; do
        check "gpu: $name, sparse counts, $type" sanitized "$@" $apsp --dtype $type \
            --sources "$scratch/sources" \
            --stats "$scratch/out.csv" "$scratch/sparse.bin"
    done
    check "gpu: $name, sparse counts with a core" sanitized "$@" env APSP_KAPPA=6 $apsp \
        --stats "$scratch/out.csv" "$scratch/graph.bin"
}

if [ -n "${EMULATED-}" ]; then
    echo "skip gpu: memcheck, racecheck: an emulated GPU"
elif command -v compute-sanitizer >/dev/null; then
    "$BUILD/apsp-gen" grid -n 60000 -w 1:9 -s 2 -o "$scratch/sparse.bin" --force
    seq 0 97 59999 >"$scratch/sources"
    for tool in memcheck racecheck; do
        check "gpu: $tool" sanitized --tool $tool "$kernels" 4 5
    done
    # No initcheck: kernels read ahead of what they use, also beyond the last panel.
    sanitized_sparse memcheck "$BUILD/apsp" --tool memcheck --target-processes all
    many=$BUILD/tests/sparse/test_many
    [ ! -x "$many" ] || check "gpu: memcheck, small graphs" sanitized --tool memcheck \
        --target-processes all env MANY=40 MANY_DEVICE=gpu "$many"
    # A walk's teams wait for each other without barriers, which racecheck does not follow: here
    # they go in step.
    sanitized_sparse racecheck "$BUILD/tests/gpu/apsp-lockstep" --tool racecheck \
        --target-processes all
else
    echo "skip gpu: memcheck, racecheck: no compute-sanitizer here"
fi
finish
