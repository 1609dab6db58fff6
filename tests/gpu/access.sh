#!/bin/sh
# Accessibility on a GPU: BUILD=build sh tests/gpu/access.sh. Dense and sparse rows of all types
# against cores, which tests/cli/access.sh and python/tests/test_access.py hold against other
# programs.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
if [ -z "${EMULATED-}" ]; then
    n=3001 some=4,17,2900
else # tests/emulated/
    n=300 some=4,17,290
fi
"$BUILD/apsp-gen" grid -n $n -w 1:100 -s 3 -o "$scratch/grid.bin" --force
"$BUILD/apsp-gen" random -n $n -w 0.05:1.00 -s 3 -o "$scratch/real.mtx" --force

# places FIRST: amounts of vertices from that number on.
places() {
    awk -v n=$n -v first="$1" 'BEGIN {
        srand(1)
        print "vertex,a,b,c,d,e"
        for (v = 0; v < n; v++)
            print v + first "," int(99 * rand()) "," (v % 3) "," int(rand() + 0.1) ",7," rand()
    }' >"$scratch/places.csv"
}
printf '%s\n' 0,1 200,0.5 900,0 >"$scratch/table.csv"
cutoffs=10,50,100,150,200,300,400,500,800,77.5
decays=exponential:30,logistic:200:20,linear:99,exponential:3000,table:$scratch/table.csv

# weigh FILE DEVICE OPTIONS...
weigh() {
    file=$1 device=$2
    shift 2
    "$BUILD/apsp" --quiet --force --device "$device" --opportunities "$scratch/places.csv" \
        --cutoffs $cutoffs --decays "$decays" --access "$scratch/$file.csv" "$@"
}

# alike OPTIONS...: sums within cutoffs are the same, but of reals; all others to 1e-12.
alike() {
    weigh cpu cpu "$@" && weigh gpu gpu "$@" && awk -F, '
        FNR == 1 { for (k = 2; k <= NF; k++) exact[k] = $k ~ /^[a-d]_[0-9]/ }
        NR == FNR { line[FNR] = $0; next }
        FNR > 1 {
            split(line[FNR], other, ",")
            for (k = 2; k <= NF; k++) {
                off = $k - other[k]
                off = off < 0 ? -off : off
                if (other[1] != $1 || exact[k] && off || off > 1e-12 * $k + 1e-285) {
                    print "# line " FNR ", field " k ": " other[k] " and " $k
                    exit 1
                }
            }
        }' "$scratch/cpu.csv" "$scratch/gpu.csv"
}

# same OPTIONS...: the bytes of the last table of a GPU.
same() {
    cp "$scratch/gpu.csv" "$scratch/right.csv" && weigh gpu gpu "$@" &&
        cmp "$scratch/gpu.csv" "$scratch/right.csv"
}

# has_lines OPTIONS...: those of some sources are those of the last table.
has_lines() {
    cp "$scratch/gpu.csv" "$scratch/right.csv" && weigh gpu gpu "$@" &&
        ! grep -qvxFf "$scratch/right.csv" "$scratch/gpu.csv"
}

sparse=
! "$BUILD/apsp" --quiet --method sparse testcases/stored/c09.bin >/dev/null 2>&1 || sparse=sparse
for method in dense $sparse; do
    places 0
    for type in u16 i32 i64 f32 f64; do
        check "gpu: access, $method, $type" alike --method $method --dtype $type "$scratch/grid.bin"
    done
    check "gpu: access, $method, on two ranks" same --method $method --dtype f64 --gpus 2 \
        --share-gpus "$scratch/grid.bin"
    check "gpu: access, $method, some sources" has_lines --method $method --dtype f64 \
        --sources $some "$scratch/grid.bin"
    check "gpu: access, $method, some targets" alike --method $method --targets $some \
        "$scratch/grid.bin"
    check "gpu: access, $method, beside other results" alike --method $method --verify=all \
        --access-nearest 3 --stats "$scratch/stats.csv" "$scratch/grid.bin"
    places 1
    check "gpu: access, $method, decimals" alike --method $method "$scratch/real.mtx"
done
# More targets than a block of threads takes.
n=20000
"$BUILD/apsp-gen" grid -n $n -w 1:100 -s 3 -o "$scratch/wide.bin" --force
places 0
[ -z "$sparse" ] || check "gpu: access, sparse, $n targets" alike --method sparse \
    --sources 4,17,2900 "$scratch/wide.bin"
finish
