#!/bin/sh
# make check-networkx: NetworkX's own tests with the backend in the place of its functions, for each
# minor version of VERSIONS that can be had: once with NetworkX's functions where the backend
# declines, once without. Then the backend's own tests. Without fallback, functions that no test
# reached are an error.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/${BUILD:-build}/networkx
VERSIONS=${VERSIONS:-3.4 3.5 3.6}
pip() {
    "$PYTHON" -m pip --disable-pip-version-check -q "$@"
}
for package in numpy pytest; do
    "$PYTHON" -c "import $package" 2>/dev/null ||
        { echo "skip check-networkx: no $package"; exit 0; }
done
rm -rf "$folder/own"
pip install --target "$folder/own" --no-deps ./python ./python/nx_apsp ||
    { echo "skip check-networkx: the wheels cannot be built (hatchling)"; exit 0; }
unset APSP_LIBRARY PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
failed=
for version in $VERSIONS; do
    [ -d "$folder/$version" ] ||
        pip install --target "$folder/$version" --no-deps "networkx==$version.*" ||
        { echo "skip networkx $version: it cannot be installed"; continue; }
    export PYTHONPATH="$folder/$version:$folder/own:$PWD/python/nx_apsp/tests"
    cd "$folder" # so that the packages are the installed ones
    for fallback in True ""; do
        log=$folder/$version${fallback:+-fallback}.log
        NETWORKX_TEST_BACKEND=apsp NETWORKX_FALLBACK_TO_NX=$fallback "$PYTHON" -m pytest -q \
            -p no:cacheprovider -p count_calls --pyargs networkx >"$log" 2>&1 ||
            failed="$failed $log"
        echo "networkx $version${fallback:+, with fallback}: $(tail -n 1 "$log")"
    done
    grep '^served' "$log"
    ! grep '^served *0 ' "$log" || failed="$failed $log:unreached"
    cd - >/dev/null
    "$PYTHON" -m pytest -q -p no:cacheprovider python/nx_apsp/tests ||
        failed="$failed tests:$version"
done
[ -z "$failed" ] || { echo "check-networkx: look at$failed" >&2; exit 1; }
