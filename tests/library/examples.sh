#!/bin/sh
# The examples against the shared library, and against what `make install` leaves.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
"$BUILD/apsp-gen" random -n 200 -d 4 -s 1 -o "$scratch/graph.gr"
"$BUILD/apsp" --quiet --device cpu "$scratch/graph.gr" "$scratch/right"
right=$(od -An -v -t d4 "$scratch/right" | tr -s ' ' '\n' | sort -n |
    awk '$1 != "" && $1 < 1073741823' | tail -n 1)

# says COMMAND TEXT
says() {
    eval "$1" >"$scratch/log" 2>&1 && grep -qF -- "$2" "$scratch/log"
}
check "examples: each has less than 40 lines" sh -c \
    '[ "$(wc -l examples/*.c | sort -n | tail -n 2 | head -n 1 | tr -dc "0-9 " | cut -c 1-5)" -lt 40 ]'
sed -n '/^\.SH EXAMPLE/,/^\.fi/p' docs/man/apsp.3 |
    sed '1,2d;$d;s/\\-/-/g;s/\\e/\\/g' >"$scratch/page"
check "examples: apsp(3) has arrays.c" sh -c 'sed 1d examples/arrays.c | diff "$1" -' sh \
    "$scratch/page"
check "examples: arrays" says "$BUILD/examples/arrays" "0 -> 1 -> 2 -> 3"
check "examples: arrays, distances" says "$BUILD/examples/arrays" "0    1.5      2      4"
check "examples: blocks" says "$BUILD/examples/blocks $scratch/graph.gr" \
    "200 vertices, largest distance $right"
check "examples: blocks of no file" sh \
    -c '! "$0" "$1/none.gr" 2>"$1/log" && grep -q "cannot open" "$1/log"' "$BUILD/examples/blocks" \
    "$scratch"
for ranks in 1 3; do
    check "examples: $ranks ranks" says "mpi $ranks $BUILD/examples/ranks" "rows; from 0 to 500: 42"
done

# A tree of its own, as a package has it.
can_load "examples: installed" || finish
if env -u GPU make -s BUILD="$BUILD" PREFIX=/opt/x DESTDIR="$scratch/root" \
    install >"$scratch/log" 2>&1; then
    at=$scratch/root/opt/x
    flags=$(PKG_CONFIG_SYSROOT_DIR=$scratch/root PKG_CONFIG_PATH=$at/lib/pkgconfig pkg-config \
        --cflags --libs apsp 2>/dev/null || echo "-I$at/include -L$at/lib -lapsp")
    check "examples: installed, shared" says \
        "gcc examples/arrays.c $flags -o $scratch/shared && LD_LIBRARY_PATH=$at/lib $scratch/shared" \
        "0 -> 1 -> 2 -> 3"
    check "examples: installed, static" says \
        "gcc examples/arrays.c -I$at/include $at/lib/libapsp.a -fopenmp $(sed \
        -n 's/^Libs.private: -fopenmp//p' "$at/lib/pkgconfig/apsp.pc") $(mpicc \
        --showme:link 2>/dev/null) -o $scratch/static && $scratch/static" "0 -> 1 -> 2 -> 3"
    check "examples: installed man pages" [ -f "$at/share/man/man3/apsp.3" ]
else
    echo "skip examples: not installed: $(tail -n 1 "$scratch/log")"
fi
finish
