#!/bin/sh
# The Debian packages, by `make check-deb`: built, looked at by lintian, installed into a bare
# Debian tree with nothing but apt, tried there by a user without rights (debian/tests/smoke), and
# removed. Needs root, dpkg-buildpackage, debhelper, lintian, mmdebstrap, a mirror; minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
. tests/tree.sh
needs_tree deb dpkg-buildpackage dh lintian
packages=$(realpath "$BUILD")/deb

# All files but those that dpkg, apt and ldconfig keep for themselves.
files_of_tree() {
    (cd "$tree" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/lib/apt -o \
        -path ./var/cache -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort)
}

builds() {
    make -s BUILD="$BUILD" deb >"$scratch/log" 2>&1 && return
    tail -n 40 "$scratch/log"
    return 1
}
check "deb: packages are built" builds
for package in apsp apsp-mpi libapsp0.2 libapsp-dev python3-apsp; do
    check "deb: $package" ls "$packages/${package}_"*.deb
done
version=$(sed -n 's/^#define APSP_VERSION "\(.*\)"/\1/p' include/apsp.h)
check "deb: the version is that of apsp.h" [ "$(dpkg-deb -f "$packages"/apsp_*.deb Version)" = \
    "$version-1" ]

# What lintian says stands in docs/packages.md, tag by tag.
lintian --allow-root --display-info "$packages"/*.changes >"$scratch/tags" 2>&1
sed -nE 's/^[EWI]: [^:]+: ([a-z0-9-]+).*/\1/p' "$scratch/tags" | sort -u >"$scratch/said"
sed -nE '/^\| tag \|/,$s/^\| `([a-z0-9-]+)` \|.*/\1/p' docs/packages.md | sort -u >"$scratch/known"
check "deb: lintian ran" sh -c '! grep -v "^[EWIPN]: " "$1"' sh "$scratch/tags"
check "deb: lintian says what docs/packages.md has" diff "$scratch/said" "$scratch/known"

check "deb: a bare tree" bare_tree || finish
mkdir "$tree/tmp/packages"
cp "$packages"/*.deb "$tree/tmp/packages"
rm "$tree"/tmp/packages/*-dbgsym_*
check "deb: lists of packages" within apt-get -q update
# The packages that these need come first, so that what changes afterwards is theirs.
needs=$(for package in "$packages"/*.deb; do dpkg-deb -f "$package" Depends Recommends |
    sed 's/^[A-Za-z]*: //'; done |
    tr ',' '\n' | sed 's/^ *//' | grep -vE '^(lib)?apsp' | sort -u | paste -s -d ,)
check "deb: what they need" within apt-get -qy satisfy \
    "$needs, bash-completion, gcc, libc6-dev, man-db, pkg-config, python3-numpy, python3-scipy"
files_of_tree >"$scratch/before"
check "deb: apt install" within sh -c 'apt-get -qy install /tmp/packages/*.deb'
files_of_tree >"$scratch/with"
check "deb: files come" [ "$(comm -13 "$scratch/before" "$scratch/with" | grep -c apsp)" -ge 20 ]

cp debian/tests/smoke "$tree/tmp/smoke"
as=nobody
check "deb: the demo, pages and library, by a user without rights" within sh /tmp/smoke
as=root

check "deb: purge" within sh -c 'apt-get -qy purge $(dpkg-query -W -f "\${Package}\n" | grep apsp)'
files_of_tree >"$scratch/after"
check "deb: removal leaves nothing" diff "$scratch/before" "$scratch/after"
finish
