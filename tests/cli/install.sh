#!/bin/sh
# What `make install` leaves works where it lies, knows nothing of the tree that it was built in,
# and goes by `make uninstall`.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# installs TARGET SETTINGS...
installs() {
    env -u GPU make -s BUILD="$BUILD" "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && false; }
}
files_in() {
    (cd "$1" && find . ! -type d | sort)
}

# `sudo make install` builds for no other device than `make` did.
mkdir "$scratch/build"
for choice in 'cuda 80 90 ptx120' 'hip gfx90a' none; do
    echo "$choice" >"$scratch/build/gpu-choice"
    check "install: what was built for $choice" \
        sh \
        -c \
        'env -u GPU -u ARCH -u PTX -u MAKEFLAGS make -n BUILD="$1" install >/dev/null 2>&1; [ "$(cat "$1/gpu-choice")" = "$2" ]' \
        sh "$scratch/build" "$choice"
done

# The version is that of apsp.h.
version=$("$BUILD/apsp" --version | sed -n '1s/.* //p')
check "install: debian/changelog has the version" grep -qm 1 "^apsp ($version-" debian/changelog
check "install: CHANGELOG.md has the version" grep -q "^## $version - " CHANGELOG.md

at=$scratch/prefix
check "install: into a prefix" installs install PREFIX="$at" LIBDIR="$at/lib64"
files_in "$at" >"$scratch/files"
for file in ./bin/apsp ./bin/apsp-verify ./include/apsp.h "./lib64/libapsp.so.${version%.*}" \
    ./lib64/libapsp.a ./lib64/pkgconfig/apsp.pc ./share/man/man1/apsp.1; do
    check "install: $file" grep -qxF "$file" "$scratch/files"
done
pages=$(ls docs/man | wc -l)
check "install: every page" [ "$(grep -c ^./share/man/ "$scratch/files")" -eq "$pages" ]
versions=$(grep -l "^\.TH .* \"apsp $version\"" "$at"/share/man/*/* | wc -l)
check "install: every page has the version" [ "$versions" -eq "$pages" ]
check "install: no file names the tree" sh -c '! grep -rlF "$1" "$2"' sh "$PWD" "$at"
# ROCm's own folder is one that its programs look into.
if [ "$(cut -d ' ' -f 1 "$BUILD/gpu-choice")" != hip ]; then
    check "install: no file says where to look for libraries" \
        sh \
        -c \
        '! for file in "$1"/bin/* "$1"/lib*/*.so* "$1"/lib/apsp/*; do readelf -d "$file"; done 2>/dev/null | grep -E "RPATH|RUNPATH"' \
        sh "$at"
fi
check "install: apsp.pc" grep -qxF "libdir=\${prefix}/lib64" "$at/lib64/pkgconfig/apsp.pc"

for file in ./lib64/cmake/apsp/apspConfig.cmake ./share/apsp/valgrind.supp; do
    check "install: $file" grep -qxF "$file" "$scratch/files"
done

# Each example with the one line that stands in it.
"$BUILD/apsp-gen" grid -n 900 -s 1 -w 1:9 -o "$scratch/grid.bin"
# example NAME RIGHT ARGUMENTS...: the line at the head of NAME.c compiles it, and its output has
# RIGHT.
example() {
    name=$1
    right=$2
    shift 2
    rm -rf "$scratch/example" && mkdir "$scratch/example" &&
        cp "examples/$name.c" "$scratch/example" || return
    (cd "$scratch/example" && PKG_CONFIG_PATH=$at/lib64/pkgconfig && export PKG_CONFIG_PATH &&
        eval "$(sed -n 's/.* \(\(mpi\)*cc .*--libs apsp)\).*/\1/p' "$name.c")" && ./a.out "$@") \
            >"$scratch/told" 2>&1 && grep -qF "$right" "$scratch/told" &&
        return
    sed 's/^/# /' "$scratch/told"
    return 1
}
if ! pkg-config --version >/dev/null 2>&1; then
    echo "skip install: the examples: there is no pkg-config"
elif can_load "install: the examples"; then
    check "install: arrays.c in one line" example arrays "0 -> 1 -> 2 -> 3"
    check "install: blocks.c in one line" example blocks "900 vertices, largest distance 212" \
        "$scratch/grid.bin"
    [ ! -e "$at/lib/apsp/libapsp_mpi.so" ] || check "install: ranks.c in one line" example ranks \
        "1000 rows"
fi

if cmake --version >/dev/null 2>&1; then
    mkdir "$scratch/cmake" && cp examples/arrays.c "$scratch/cmake" && \
        cat >"$scratch/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(example C)
find_package(apsp \${WANTED} REQUIRED)
add_executable(arrays arrays.c)
target_link_libraries(arrays apsp::apsp)
END
    # made VERSION: a project of CMake that wants this one.
    made() {
        rm -rf "$scratch/cmake/build" && cmake -S "$scratch/cmake" -B "$scratch/cmake/build" \
            -Dapsp_DIR="$at/lib64/cmake/apsp" -DWANTED="$1" >"$scratch/told" 2>&1 &&
            cmake --build "$scratch/cmake/build" >>"$scratch/told" 2>&1 &&
                "$scratch/cmake/build/arrays" | grep -qxF "0 -> 1 -> 2 -> 3"
    }
    if can_load "install: find_package(apsp)"; then
        check "install: find_package(apsp)" made ""
        check "install: find_package(apsp $version)" made "$version"
    fi
    made 0.99 && later=0 || later=1
    check "install: find_package(apsp 0.99) is refused" [ $later -eq 1 ]
    check "install: with the version that is there" grep -q "version: $version" "$scratch/told"
else
    echo "skip install: find_package(apsp): there is no cmake"
fi

"$BUILD/apsp-gen" random -n 60 -d 4 -s 1 -o "$scratch/graph.gr"
"$BUILD/apsp" --quiet --device cpu "$scratch/graph.gr" "$scratch/right"
unset APSP_MPI_MODULE
# solves SCRIPT: sets up an environment, in which apsp is the one that was installed.
solves() {
    rm -f "$scratch/out"
    (eval "$1" && [ "$(command -v apsp)" = "$at/bin/apsp" ] &&
        apsp --quiet --device cpu --ranks "$2" "$scratch/graph.gr" "$scratch/out") &&
        cmp -s "$scratch/out" "$scratch/right"
}
with_path="PATH=$at/bin:\$PATH"
check "install: one rank" solves "$with_path" 1
if [ -e "$at/lib/apsp/libapsp_mpi.so" ]; then
    check "install: two ranks, by its own module of MPI" solves "$with_path" 2
fi

# The environment module, by Environment Modules (modulecmd) or Lmod.
tool=$(command -v modulecmd || echo "${LMOD_CMD-}")
if [ -x "$tool" ]; then
    with_module="MODULEPATH=$at/share/modulefiles && export MODULEPATH"
    with_module="$with_module && eval \"\$($tool sh load apsp)\""
    check "install: module load apsp" solves "$with_module" 1
    check "install: the module's library" sh \
        -c "$with_module && [ \"\${LD_LIBRARY_PATH%%:*}\" = $at/lib64 ]"
    check "install: module help apsp" sh \
        -c "MODULEPATH=$at/share/modulefiles $tool sh help apsp 2>&1 | grep -q 'man apsp'"
    check "install: module unload apsp" sh \
        -c \
        "$with_module && eval \"\$($tool sh unload apsp)\" && ! echo \":\$PATH:\" | grep -qF :$at/bin:"
else
    echo "skip install: the environment module: neither Environment Modules nor Lmod is installed"
fi

touch "$at/lib/apsp/other"
check "uninstall: leaves other files" sh \
    -c \
    'make -s BUILD="$1" uninstall PREFIX="$2" LIBDIR="$2/lib64" && [ "$(cd "$2" && find . ! -type d)" = ./lib/apsp/other ]' \
    sh "$BUILD" "$at"
rm "$at/lib/apsp/other"
check "uninstall: again" installs uninstall PREFIX="$at" LIBDIR="$at/lib64"
check "install: into a DESTDIR" installs install DESTDIR="$scratch/root" PREFIX=/opt/x
check "install: the same files" sh -c 'sed "s|^./lib64/|./lib/|" "$1" | sort | diff - "$2"' sh \
    "$scratch/files" - <<END
$(files_in "$scratch/root/opt/x")
END
check "install: no file knows DESTDIR" sh -c '! grep -rlF "$1" "$1"' sh "$scratch/root"
check "uninstall: from a DESTDIR" installs uninstall DESTDIR="$scratch/root" PREFIX=/opt/x
for root in "$at" "$scratch/root"; do
    check "uninstall: nothing is left in ${root##*/}" sh \
        -c '! find "$1" ! -type d -o -name "*apsp*" | grep .' sh "$root"
done
finish
