#!/bin/sh
# sh tests/samples.sh FOLDER: unpacks into FOLDER, without installing, the packages of Debian and
# PyPI whose example graphs tests/cli/real.sh opens. What cannot be had is named and left out.
# PYTHON names a Python with pip.
set -u
[ $# -eq 1 ] || {
    echo "usage: sh tests/samples.sh FOLDER" >&2
    exit 2
}
python=${PYTHON:-python3}
mkdir -p "$1" && cd "$1" || exit 1
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
trap 'exit 130' INT TERM

# fetch PACKAGE COMMAND...: the command leaves its archive in the folder $download/PACKAGE, where it
# runs.
fetch() {
    package=$1
    shift
    mkdir -p "$download/$package"
    if ! (cd "$download/$package" && timeout 300 "$@" >"$download/log" 2>&1); then
        echo "samples: no $package: $(tail -n 1 "$download/log")"
        return 1
    fi
}

# Lists of their own, with those of source packages: nobody else's are touched, and none are needed.
lists=$download/lists
mkdir -p "$lists/partial" "$download/cache/archives/partial"
sed 's/^Types: .*/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
    >"$download/debian.sources" 2>/dev/null
sed -n 's/^deb .*/&/p; s/^deb /deb-src /p' /etc/apt/sources.list >"$download/debian.list" \
    2>/dev/null
apt="apt-get -q -o Dir::Etc::sourcelist=$download/debian.list
    -o Dir::Etc::sourceparts=$download/parts
    -o Dir::State::lists=$lists -o Dir::Cache=$download/cache"
mkdir "$download/parts" && mv "$download/debian.sources" "$download/parts"
# shellcheck disable=SC2086 # words
if fetch lists $apt update; then
    for package in libigraph-doc python3-networkx r-cran-matrix librsb-dev; do
        fetch $package $apt download $package && dpkg-deb -x "$download/$package"/*.deb .
    done
    # METIS' own graphs are in its source alone.
    fetch metis $apt source --download-only metis &&
        tar -xf "$download/metis"/metis_*.orig.tar.* --wildcards '*/graphs/*'
fi
for package in libpysal bokeh_sampledata pykeen; do
    fetch $package "$python" -m pip download --no-deps --only-binary :all: $package &&
        "$python" -m zipfile -e "$download/$package"/*.whl .
done
true
