# For scripts of tests on a GPU: the command, and the same from GPU and CPU.
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"

apsp() {
    "$BUILD/apsp" --no-progress --force "$@"
}

# by_either METHOD GRAPH OPTIONS...: rows of that engine, and counts, $counted among them.
by_either() {
    method=$1
    graph=$2
    shift 2
    for device in cpu gpu; do
        apsp --quiet --method "$method" --device $device ${counted:+--count $counted} \
            --stats "$scratch/$device.csv" "$@" "$graph" || return 1
        apsp --quiet --method "$method" --device $device --verify "$@" "$graph" \
            "$scratch/$device.npy" || return 1
    done
    cmp "$scratch/cpu.csv" "$scratch/gpu.csv" && cmp "$scratch/cpu.npy" "$scratch/gpu.npy"
}
