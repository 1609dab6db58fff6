#!/bin/sh
# make release-check: what has to hold before version VERSION of include/apsp.h is tagged. The
# archive of the sources, its hash, and the wheels are in $BUILD/release afterwards. As root; half
# an hour.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
version=$(sed -n 's/^#define APSP_VERSION "\(.*\)"/\1/p' include/apsp.h)
release=$BUILD/release
rm -rf "$release" && mkdir -p "$release"

# archive FOLDER: the sources of this commit; the same bytes each time.
archive() {
    git archive --format=tar --prefix="apsp-$version/" HEAD | gzip -9n >"$1/apsp-$version.tar.gz"
}
# The archive builds where nothing else of this tree is.
builds() {
    tar -xzf "$release/apsp-$version.tar.gz" -C "$scratch" &&
        make -s -j"$(nproc)" -C "$scratch/apsp-$version" GPU=none &&
        "$scratch/apsp-$version/build/apsp" --quiet --verify=all testcases/stored/c09.bin
}

check "release: nothing is uncommitted" [ -z "$(git status --porcelain)" ]
check "release: CHANGELOG.md has $version" grep -q "^## $version - " CHANGELOG.md
check "release: nothing waits under Unreleased" [ "$(sed -n '/^## Unreleased/,/^## [0-9]/p' \
    CHANGELOG.md | grep -c '^- ')" -eq 0 ]
check "release: CITATION.cff" grep -qx "version: $version" CITATION.cff
check "release: debian/changelog" grep -qm 1 "^apsp ($version-" debian/changelog
check "release: no tag of this name" sh -c '! git rev-parse -q --verify "refs/tags/v$1"' sh \
    "$version"
check "release: the archive" archive "$release"
check "release: the archive again" archive "$scratch"
check "release: both are the same bytes" cmp "$release/apsp-$version.tar.gz" \
    "$scratch/apsp-$version.tar.gz"
check "release: the archive builds" builds
check "release: wheels in bare trees" make -s check-wheel
check "release: packages of Debian" make -s check-deb
check "release: the site" make -s site
check "release: the suite" make -s check
check "release: Python's suite" make -s check-python
cp "$BUILD"/wheel/*.whl "$release"
(cd "$release" && sha256sum ./* >SHA256SUMS && cat SHA256SUMS)
finish
