#!/bin/sh
# Compressed graphs: every kind, whatever the name, from files and pipes; damaged and hostile ones;
# missing libraries.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

"$BUILD/apsp-gen" random -n 200 -d 4 -s 2 -o "$scratch/graph.gr"
awk '/^a/ { print $2 "," $3 "," $4 }' "$scratch/graph.gr" >"$scratch/list.csv"
"$BUILD/apsp" --quiet "$scratch/graph.gr" "$scratch/right_gr"
"$BUILD/apsp" --quiet "$scratch/list.csv" "$scratch/right_csv"

# gives RIGHT COMMAND...: the distances.
gives() {
    right=$1
    shift
    rm -f "$scratch/out"
    "$@" "$scratch/out" && cmp -s "$right" "$scratch/out"
}

# refuses CODE WORDS FILE
refuses() {
    "$BUILD/apsp" --quiet "$3" 2>"$scratch/log"
    [ $? -eq "$1" ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] && grep -q "$2" "$scratch/log"
}

# bounded WORDS CONTENT: the same of what printf makes of CONTENT, or of the file "bomb", in 600 MB
# of memory and less than a minute.
bounded() {
    [ $# -lt 2 ] || printf "$2" >"$scratch/bomb"
    (
        limit_memory 600000
        OMP_NUM_THREADS=2 timeout 60 "$BUILD/apsp" --quiet "$scratch/bomb" 2>"$scratch/log"
        [ $? -eq 3 ]
    ) && [ "$(wc -l <"$scratch/log")" -eq 1 ] && grep -q "$1" "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}

for kind in gzip:.gz:libz.so.1:zlib1g zstd:.zst:libzstd.so.1:libzstd1 xz:.xz:liblzma.so.5:liblzma5 \
    bzip2:.bz2:libbz2.so.1.0:libbz2-1.0; do
    IFS=: read -r tool suffix library package <<END
$kind
END
    if ! command -v "$tool" >/dev/null; then
        echo "skip packed: $tool is not installed"
        continue
    fi
    for name in graph.gr list.csv; do
        right=$scratch/right_${name#*.}
        "$tool" -c "$scratch/$name" >"$scratch/$name$suffix"
        cp "$scratch/$name$suffix" "$scratch/other"
        check "packed: $name$suffix" gives "$right" "$BUILD/apsp" --quiet "$scratch/$name$suffix"
        check "packed: $name$suffix under another name" gives "$right" "$BUILD/apsp" \
            --quiet "$scratch/other"
        check "packed: $name$suffix on 3 ranks" gives "$right" mpirun --oversubscribe -n 3 \
            "$BUILD/apsp" --quiet "$scratch/$name$suffix"
    done
    check "packed: $tool from a pipe" gives "$scratch/right_gr" sh \
        -c 'cat "$1" | "$2" --quiet --ranks 2 /dev/stdin "$3"' sh \
        "$scratch/graph.gr$suffix" "$BUILD/apsp"
    if [ "$tool" = gzip ]; then
        { gzip -c "$scratch/list.csv" && head -c 300000 /dev/zero; } >"$scratch/padded"
        check "packed: gzip with zeros after it" gives "$scratch/right_csv" "$BUILD/apsp" \
            --quiet "$scratch/padded"
        printf 'something' >>"$scratch/padded"
        check "packed: and something after those" refuses 3 "the gzip file is damaged" \
            "$scratch/padded"
    fi
    { head -n 100 "$scratch/list.csv" | "$tool" -c && tail -n +101 "$scratch/list.csv" |
        "$tool" -c; } >"$scratch/two"
    check "packed: two streams of $tool, one after the other" gives "$scratch/right_csv" \
        "$BUILD/apsp" --quiet "$scratch/two"

    bytes=$(wc -c <"$scratch/graph.gr$suffix")
    for part in 20 200 $((bytes - 1)); do
        head -c "$part" "$scratch/graph.gr$suffix" >"$scratch/part"
        check "packed: $part bytes of $tool" refuses 3 "the $tool file ends early" "$scratch/part"
    done
    { head -c 300 "$scratch/graph.gr$suffix" && printf 'xxxxxxxxxxxxxxxx' &&
        tail -c +317 "$scratch/graph.gr$suffix"; } >"$scratch/damaged"
    check "packed: damaged $tool" refuses 3 \
        "the $tool file\|is a graph in none\|$scratch/damaged:" "$scratch/damaged"
    : | "$tool" -c >"$scratch/none"
    check "packed: nothing in $tool" refuses 3 "the file is empty" "$scratch/none"
    "$tool" -c <"$scratch/graph.gr$suffix" >"$scratch/nested"
    check "packed: $tool twice" refuses 3 "looks like" "$scratch/nested"

    # 1.1 GiB of zeros in some kilobytes, in ten streams: refused at the limit, without the memory
    # for it.
    head -c 118111601 /dev/zero | "$tool" -1 -c >"$scratch/piece"
    for piece in 1 2 3 4 5 6 7 8 9 10; do
        cat "$scratch/piece"
    done >"$scratch/bomb"
    check "packed: a bomb of $tool" bounded "more than 1.00 GiB"

    if without "$library" true 2>/dev/null; then
        without "$library" "$BUILD/apsp" --quiet "$scratch/graph.gr$suffix" 2>"$scratch/log"
        check "packed: without $library" [ $? -eq 5 ]
        check "packed: which names the package" grep \
            -q "$library .*install the package $package\$" "$scratch/log"
    else
        echo "skip packed: without $library: needs the right to mount"
    fi
done

# What would take more memory than a file may: heads that promise a window of 2 GiB.
check "packed: a window of zstd" bounded "needs more than 256 MiB of memory to unpack" \
    '\050\265\057\375\000\250\001\000\000'
check "packed: a window of xz" bounded "needs more than 256 MiB of memory to unpack" \
    '\3757zXZ\000\000\000\377\022\331\101\002\000\041\001\046\000\000\000\325\327\316\123'

# What is unpacked or comes through a pipe meets a limit of file sizes: an error, and no signal
# kills.
yes '1 2 3' | head -n 400000 >"$scratch/long.txt"
gzip -c "$scratch/long.txt" >"$scratch/long.txt.gz"
limited() {
    (ulimit -f 1000 && refuses 5 'cannot be copied to a file: File too large' "$1")
}
check "packed: more than a file may hold" limited "$scratch/long.txt.gz"
limited_pipe() {
    cat "$scratch/long.txt" | limited -
}
check "packed: a pipe with more than a file may hold" limited_pipe
finish
