#!/bin/sh
# make release-check: what has to hold before version VERSION of include/apsp.h is tagged. The
# archive of the sources, its hash, and the wheels are in $BUILD/release afterwards, and recipes in
# $BUILD/recipes. As root; half an hour.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
version=$(sed -n 's/^#define APSP_VERSION "\(.*\)"/\1/p' include/apsp.h)
release=$BUILD/release
rm -rf "$release" && mkdir -p "$release"

archive=apsp-$version.tar.gz
# archived FOLDER: makes the archive of this commit's sources and the recipes; copies it there.
archived() {
    make -s recipes && cp "$BUILD/recipes/$archive" "$1"
}
# The archive builds where nothing else of this tree is.
builds() {
    tar -xzf "$release/$archive" -C "$scratch" &&
        make -s -j"$(nproc)" -C "$scratch/apsp-$version" GPU=none &&
        "$scratch/apsp-$version/build/apsp" --quiet --verify=all testcases/stored/c09.bin
}

check "release: nothing is uncommitted" [ -z "$(git status --porcelain)" ]
check "release: CHANGELOG.md has $version" grep -q "^## $version - " CHANGELOG.md
unreleased() {
    sed -n '/^## Unreleased/,/^## [0-9]/p' CHANGELOG.md | grep -c '^- '
}
check "release: nothing waits under Unreleased" [ "$(unreleased)" -eq 0 ]
check "release: debian/changelog" grep -qm 1 "^apsp ($version-" debian/changelog
check "release: no tag of this name" [ -z "$(git tag --list "v$version")" ]
check "release: the archive" archived "$release"
check "release: the archive again" archived "$scratch"
check "release: both are the same bytes" cmp "$release/$archive" "$scratch/$archive"
check "release: the archive builds" builds
check "release: wheels in bare trees" make -s check-wheel
check "release: recipes" make -s check-recipes
check "release: packages of Debian" make -s check-deb
check "release: the site" make -s site
check "release: the suite" make -s check
check "release: Python's suite" make -s check-python
cp "$BUILD"/wheel/*.whl "$release"
(cd "$release" && sha256sum ./* >SHA256SUMS && cat SHA256SUMS)
finish
