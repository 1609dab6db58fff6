#!/bin/sh
# The recipes of other packagers, by `make check-recipes`: each by its packager's own checker, where
# that is there (docs/packages.md says how to get it). The container is built and tried from a bare
# Debian tree in place of the registry's, as root with mmdebstrap, buildah and a mirror; minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
. tests/tree.sh
recipes=$(realpath "$BUILD")/recipes
version=$(sed -n 's/^#define APSP_VERSION "\(.*\)"/\1/p' include/apsp.h)
python=${PYTHON:-python3}

check "recipes: nothing is left to fill in" \
    sh -c '! grep -rIE "@[A-Z0-9]+@" "$1"' sh "$recipes"

# has TOOL RECIPE: or the recipe is skipped by name.
has() {
    command -v "$1" >/dev/null || { echo "skip recipes, $2: $1 is not installed" && false; }
}

# EasyBuild does nothing for root.
easybuild() {
    chmod 755 "$scratch" && cp -r "$recipes/easybuild" "$scratch" && mkdir -p "$scratch/home"
    set -- eb "$@" "$scratch"/easybuild/*.eb
    if [ "$(id -u)" -eq 0 ]; then
        chown nobody "$scratch/home"
        set -- setpriv --reuid=nobody --clear-groups "$@"
    fi
    (cd "$scratch/home" && HOME=. EASYBUILD_PREFIX=$scratch/home "$@") >"$scratch/log" 2>&1 &&
        return
    tail -n 20 "$scratch/log"
    return 1
}
if has eb EasyBuild; then
    check "recipes, EasyBuild: style" easybuild --check-style
    check "recipes, EasyBuild: checksums" easybuild --check-contrib
    check "recipes, EasyBuild: all that they need has a recipe" \
        easybuild --dry-run "--robot=$scratch/easybuild:"
fi

# conda-forge's recipes of today are those of rattler-build.
if "$python" -c 'import rattler_build' 2>/dev/null; then
    check "recipes, conda-forge: rattler-build renders it" \
        "$python" - "$recipes/conda-forge/recipe.yaml" <<'END'
import sys
import rattler_build
compilers = {"c_compiler": ["gcc"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]}
recipe = rattler_build.Stage0Recipe.from_file(sys.argv[1])
(rendered,) = recipe.render(rattler_build.VariantConfig(compilers))
needed = rendered.recipe.to_dict()["requirements"]
assert {"gcc_linux-64", "make"} < set(needed["build"]) and "metis" in needed["host"], needed
END
else
    echo "skip recipes, conda-forge: rattler_build is not installed"
fi

# What `spack style` asks of a recipe; `spack audit` where Spack is.
package=$recipes/spack_repo/apsp/packages/apsp/package.py
if has flake8 Spack; then
    check "recipes, Spack: flake8" flake8 --max-line-length 99 --ignore F403,F405 "$package"
fi
if has black Spack; then
    check "recipes, Spack: black" sh -c 'black -q -l 99 - <"$1" | cmp - "$1"' sh "$package"
fi
if has spack Spack; then
    check "recipes, Spack: audit" \
        sh -c 'spack repo add "$1" && spack audit packages apsp' sh "$recipes/spack_repo/apsp"
fi

if has hadolint container; then
    check "recipes, container: hadolint" hadolint "$recipes/Containerfile"
fi

store="--root $scratch/store --runroot $scratch/run --storage-driver vfs"
image() {
    # shellcheck disable=SC2086 # words
    buildah $store "$@" >"$scratch/log" 2>&1 && return
    tail -n 30 "$scratch/log"
    return 1
}
# created IMAGE: a container of it, by name.
created() {
    image from --pull-never "$1" && tail -n 1 "$scratch/log"
}
base_image() {
    bare_tree && base=$(created scratch) && image add "$base" "$tree" / &&
        image commit "$base" debian:bookworm && rm -rf "$tree"
}
if has buildah container && has mmdebstrap container && [ "$(id -u)" -eq 0 ]; then
    check "recipes, container: a bare tree as debian:bookworm" base_image || finish
    check "recipes, container: build" \
        image bud --isolation chroot --pull-never -t apsp "$recipes" || finish
    there=$(created apsp)
    check "recipes, container: apsp" image run --isolation chroot "$there" -- sh -c "
        cd /tmp && apsp --version | grep -q '$version' && apsp-gen grid -n 400 -s 1 -o grid.bin &&
        apsp --verify=all grid.bin grid.dist &&
        apsp --ranks 2 --force --verify=all grid.bin grid.dist"
    check "recipes, container: Python" image run --isolation chroot "$there" -- \
        python3 -c '
import apsp
assert apsp.shortest_path([[0, 3, 9], [0, 0, 4], [1, 0, 0]])[0][2] == 7'
fi
finish
