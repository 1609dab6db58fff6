#!/bin/sh
# --verify looks at the file: bytes that change after they were written are seen, and the rows of a
# run are chosen by a seed.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

"$BUILD/apsp-gen" random -n 1500 -s 5 -w 1:50 -o "$scratch/graph.bin"
printf 's,a,0.1\na,b,0.2\ns,c,0.3\nc,b,0.05\n' >"$scratch/decimals.csv"
printf 's,a,0.1\na,b,0.2\ns,c,0.3\nc,b,-0.05\n' >"$scratch/negative.csv"

# Sets a byte of the temporary file again and again, from when it is there until it has gone: PATH
# OFFSET READY. It makes READY when it looks.
cat >"$scratch/spoil.py" <<'END'
import os, sys, time
path, offset, deadline = sys.argv[1], int(sys.argv[2]), time.time() + 60
open(sys.argv[3], "w").close()
while not os.path.exists(path) and time.time() < deadline:
    pass
file = os.open(path, os.O_WRONLY)
while os.path.exists(path) and time.time() < deadline:
    os.pwrite(file, b"\x07", offset)
END

# spoiled NAME OFFSET OPTION...: exit 8, nothing under the name, and the result beside it.
spoiled() {
    name=$1
    rm -f "$scratch/ready"
    "${PYTHON:-python3}" "$scratch/spoil.py" "$scratch/.$name.apsp-tmp" "$2" "$scratch/ready" &
    while [ ! -e "$scratch/ready" ]; do
        sleep 0.01
    done
    shift 2
    "$BUILD/apsp" --quiet --verify=all "$@" "$scratch/graph.bin" \
        "$scratch/$name" 2>"$scratch/stderr"
    code=$?
    wait
    [ "$code" -eq 8 ] && [ ! -e "$scratch/$name" ] && [ -s "$scratch/$name.refuted" ] &&
        grep -q "$name: verification FAILED: row 1499: " "$scratch/stderr"
}
last=$((1500 * 1500 * 4 - 1))
check "read back: a byte of a matrix that has changed" spoiled out.bin "$last"
check "read back: the same by three ranks" spoiled ranks.bin "$last" --ranks 3
check "read back: the same in .npy" spoiled out.npy "$((last + 128))"
check "read back: the same of rounded values" spoiled out.f32 "$last" --output-type f32

# passed OPTION... FILE: all of its rows are read back.
passed() {
    "$BUILD/apsp" --force --verify=all "$@" >"$scratch/stdout" &&
        grep -q '^verify: PASSED, all [0-9]* rows, read back from the file$' "$scratch/stdout"
}
for type in u8 u16 i32 i64 f32 f64; do
    check "read back: decimals as $type" passed --output-type $type "$scratch/decimals.csv" \
        "$scratch/out.$type"
    check "read back: decimals as $type, .npy, three ranks" passed --ranks 3 --output-type $type \
        "$scratch/decimals.csv" "$scratch/out.npy"
done
if "$BUILD/apsp" --quiet --force "$scratch/decimals.csv" "$scratch/probe.h5" 2>/dev/null; then
    check "read back: HDF5" passed "$scratch/decimals.csv" "$scratch/out.h5"
    check "read back: HDF5 of multiples, two ranks" passed --ranks 2 --output-type i32 \
        "$scratch/decimals.csv" "$scratch/out.h5"
else
    echo "skip read back: HDF5: libhdf5 is not there"
fi
check "read back: negative decimals as f32" passed "$scratch/negative.csv" "$scratch/out.f32"
check "read back: some columns of negative decimals" passed --targets b,s "$scratch/negative.csv" \
    "$scratch/out.f64"
check "read back: sums in double precision" passed --dtype f64 "$scratch/decimals.csv" \
    "$scratch/out.f64"
check "read back: some columns" passed --targets b,s "$scratch/decimals.csv" "$scratch/out.f64"
check "read back: some columns of the other engine" passed --method sparse --targets b,s \
    "$scratch/decimals.csv" "$scratch/out.f32"
streamed() {
    "$BUILD/apsp" --force --verify=all "$scratch/graph.bin" - 2>"$scratch/stderr" >"$scratch/stdout"
    [ $? -eq 0 ] && grep -q 'read back' "$scratch/stderr" &&
        "$BUILD/apsp-verify" --quiet "$scratch/graph.bin" "$scratch/stdout"
}
check "read back: what goes to standard output" streamed
unread() {
    "$BUILD/apsp" --force --verify=all "$scratch/decimals.csv" "$@" >"$scratch/stdout" &&
        grep -q '^verify: PASSED, all 4 rows$' "$scratch/stdout"
}
check "read back: pairs are certified as they pass" unread "$scratch/out.csv"
check "read back: without a file rows are" unread

# seed OPTION...: what --verify prints as such.
seed() {
    "$BUILD/apsp" --force --verify=5 "$@" "$scratch/graph.bin" "$scratch/out.bin" |
        sed -n 's/^verify: PASSED, 5 of 1,500 rows.*; seed \([1-9][0-9]*\)$/\1/p'
}
one=$(seed)
two=$(seed)
check "read back: a new seed each time" [ -n "$one" -a -n "$two" -a "$one" != "$two" ]
check "read back: --seed repeats it" [ "$(seed --seed "$one")" = "$one" ]
reported() {
    "$BUILD/apsp" --quiet --force --verify=5 --seed 281474976710655 --json "$scratch/report" \
        "$scratch/graph.bin" "$scratch/out.bin" &&
        grep -q '"seed":.281474976710655' "$scratch/report" &&
            grep -q '"of":."file"' "$scratch/report"
}
check "read back: the seed in the report" reported

# A bare --verify takes all rows of a small graph, and 64 where solving is a matter of milliseconds.
bare() {
    "$BUILD/apsp" --force --verify "$scratch/$1" "$scratch/out.bin" >"$scratch/stdout" &&
        grep -q "$2" "$scratch/stdout"
}
"$BUILD/apsp-gen" dense -n 60 -s 2 -o "$scratch/small.bin"
"$BUILD/apsp-gen" dense -n 600 -s 2 -o "$scratch/dense.bin"
check "read back: --verify of a small graph" bare small.bin 'PASSED, all 60 rows'
check "read back: --verify of a dense one" bare dense.bin 'PASSED, 64 of 600 rows'
finish
