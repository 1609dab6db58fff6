#!/bin/sh
# make recipes: the archive of this commit's sources, the same bytes each time, and the recipes
# that take it, filled in. RELEASES is the address of the folder with the archive, HOMEPAGE the
# project's.
set -eu
cd "$(dirname "$0")/.."
folder=$1
version=$2
rm -rf "$folder" && mkdir -p "$folder"
git archive --format=tar --prefix="apsp-$version/" HEAD | gzip -9n >"$folder/apsp-$version.tar.gz"
hash=$(sha256sum "$folder/apsp-$version.tar.gz" | cut -d' ' -f1)

# fill RECIPE AS
fill() {
    mkdir -p "$folder/$(dirname "$2")"
    sed "s|@VERSION@|$version|g; s|@SHA256@|$hash|
        s|@RELEASES@|$RELEASES|; s|@HOMEPAGE@|$HOMEPAGE|" "packaging/$1" >"$folder/$2"
}
fill Containerfile Containerfile
fill conda-forge/recipe.yaml conda-forge/recipe.yaml
fill easybuild/apsp.eb "easybuild/apsp-$version-gompi-2024a.eb"
fill easybuild/cJSON-1.7.18-GCCcore-13.3.0.eb easybuild/cJSON-1.7.18-GCCcore-13.3.0.eb
fill spack/repo.yaml spack_repo/apsp/repo.yaml
fill spack/package.py spack_repo/apsp/packages/apsp/package.py
