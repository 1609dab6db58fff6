#!/bin/sh
# Searches of the sssp engine on a GPU against those on cores: BUILD=build sh tests/gpu/sssp.sh.
# Rows, counts, histograms and harmonic sums.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
. tests/gpu/alike.sh
if [ -z "${EMULATED-}" ]; then
    sizes='1 2 65 1000 3001' star=9001 chain=500 labels=1001 widths='1024 2048 4096' \
        graphs=1000 most=400
else # tests/emulated/
    sizes='1 65 300' star=1200 chain=150 labels=200 widths='1024 4096' graphs=90 most=90
fi

# searched OPTIONS...: with rows of each width; the report says that the GPU was at work.
searched() {
    for width in $widths; do
        export APSP_SSSP_WIDTH=$width
        by_either sssp "$scratch/graph.bin" "$@" || return 1
        for device in cpu gpu; do
            apsp --quiet --method sssp --device $device --count all \
                --stats "$scratch/$device.json" --json "$scratch/report.json" "$@" \
                "$scratch/graph.bin" || return 1
        done
        cmp "$scratch/cpu.json" "$scratch/gpu.json" || return 1
        # few are searched on cores
        [ "$n" -le 16 ] || grep -q '"device":[^,]*"gpu"' "$scratch/report.json" || return 1
    done
}

# graph FAMILY N OPTIONS...
graph() {
    "$BUILD/apsp-gen" "$@" -o "$scratch/graph.bin" --force 2>/dev/null
}

# two OPTIONS...: the same on two ranks that share the GPU.
two() {
    for device in cpu gpu; do
        mpi 2 "$BUILD/apsp" --no-progress --force --quiet --share-gpus --method sssp \
            --device $device --count "${counted:-all}" \
            --stats "$scratch/$device.json" "$@" "$scratch/graph.bin" || return 1
    done
    cmp "$scratch/cpu.json" "$scratch/gpu.json"
}

some() {
    for device in cpu gpu; do
        apsp --quiet --method sssp --device $device --sources 3-90 --targets 1,7,30-60 \
            "$scratch/graph.bin" "$scratch/$device.npy" || return 1
    done
    cmp "$scratch/cpu.npy" "$scratch/gpu.npy"
}

# Without other counts, labels are counted where they are.
counted() {
    for device in cpu gpu; do
        apsp --quiet --method sssp --device $device --stats "$scratch/$device.csv" "$@" \
            "$scratch/graph.bin" || return 1
    done
    cmp "$scratch/cpu.csv" "$scratch/gpu.csv"
}

check "gpu: sssp, $graphs graphs of all families and types as on the CPU" \
    env EMULATED_LEAKS=1 "$BUILD/tests/gpu/equal_cores" $graphs 1 $most

for family in random grid rmat disconnected; do
    for n in $sizes; do
        graph $family -n "$n" -w 3:3 -s "$n" || continue
        check "gpu: sssp, $family of $n vertices as on the CPU" searched
    done
done
if command -v mpirun >/dev/null; then
    check "gpu: sssp, two ranks as on the CPU" two
else
    echo "skip gpu: sssp, two ranks: no mpirun here"
fi
check "gpu: sssp, rows to some vertices from some as on the CPU" some
for type in i32 i64 f32 f64; do
    check "gpu: sssp, rows of $type as on the CPU" by_either sssp "$scratch/graph.bin" --dtype $type
done
# Labels, in every type: without a probe, which finds that those of an emulated GPU are slow.
export APSP_PROBE=none counted=in
for family in random grid rmat zero disconnected star; do
    for type in u16 i32 i64 f32 f64; do
        graph $family -n "$labels" -w 0:200 -s 7 || continue
        check "gpu: sssp, labels of $type, $family, as on the CPU" by_either sssp \
            "$scratch/graph.bin" --dtype $type
        check "gpu: sssp, counts of labels of $type, $family, as on the CPU" counted --dtype $type
    done
done
graph star -n "$star" -w 1:9
check "gpu: sssp, labels of a vertex in segments as on the CPU" by_either sssp "$scratch/graph.bin"
for weights in 0:90 0.25:90.00; do
    "$BUILD/apsp-gen" random -n "$labels" -w $weights --potential 50 -s 3 \
        -o "$scratch/negative.mtx" --force
    check "gpu: sssp, labels of negative weights ($weights) as on the CPU" by_either sssp \
        "$scratch/negative.mtx"
    cp "$scratch/negative.mtx" "$scratch/graph.bin"
    check "gpu: sssp, some of them as on the CPU" some
done
if command -v mpirun >/dev/null; then
    check "gpu: sssp, labels on two ranks as on the CPU" two
fi
unset APSP_PROBE counted

graph star -n "$star" -w 1:1
check "gpu: sssp, a vertex in segments as on the CPU" searched
graph path -n "$chain" -w 1:1
check "gpu: sssp, a long chain as on the CPU" searched
finish
