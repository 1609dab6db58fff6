#!/bin/sh
# The public headers in C11, C23 and C++17, and what the libraries export.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
strict="-Wall -Wextra -Wpedantic -Wshadow -Werror -Iinclude -fsyntax-only"
printf '%s\n' '#include "apsp.h"' \
    'int main(void) { struct apsp_options o; apsp_options_init(&o); return o.threads; }' \
    >"$scratch/one.c"
sed 's/apsp.h/apsp_mpi.h/' "$scratch/one.c" >"$scratch/ranks.c"
for file in one ranks; do
    cc=gcc cxx=g++
    [ $file = one ] || cc=mpicc cxx="mpicxx -DOMPI_SKIP_MPICXX"
    check "headers: $file.c as C11" $cc -std=c11 $strict "$scratch/$file.c"
    check "headers: $file.c as C23" $cc -std=c2x $strict "$scratch/$file.c"
    if command -v ${cxx%% *} >/dev/null; then
        check "headers: $file.c as C++17" $cxx -std=c++17 -x c++ $strict "$scratch/$file.c"
    else
        echo "skip headers: $file.c as C++17: ${cxx%% *} is not installed"
    fi
    ! command -v clang >/dev/null || [ $file = ranks ] ||
        check "headers: Clang" clang -std=c11 $strict "$scratch/$file.c"
done

# only_ours FILE NM-OPTION: every name is declared in apsp.h, and all of them are there.
only_ours() {
    nm "$2" --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort >"$scratch/names"
    grep -oE '^APSP_API [^(]*' include/apsp.h | grep -oE 'apsp_[a-z_]+$' | sort >"$scratch/declared"
    diff "$scratch/declared" "$scratch/names"
}
check "headers: names of libapsp.so" only_ours "$BUILD/libapsp.so" -D
check "headers: names of libapsp.a" only_ours "$BUILD/libapsp.a" -g
series=$(sed -n 's/^#define APSP_VERSION "\(.*\)\..*"/\1/p' include/apsp.h)
check "headers: soname" sh -c 'readelf -d "$1" | grep -q "SONAME.*\[libapsp.so.$2\]"' sh \
    "$BUILD/libapsp.so" "$series"
check "headers: soname in Python" grep -q "\"libapsp.so.$series\"" python/apsp/_native.py
check "headers: soname in debian/control" grep -qx "Package: libapsp$series" debian/control
finish
