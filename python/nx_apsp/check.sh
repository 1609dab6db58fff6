#!/bin/sh
# make check-networkx: NetworkX's own tests with the backend in the place of its functions, for each
# minor version of VERSIONS that can be had: with NetworkX's functions where the backend declines,
# and without them (MODES). Then the backend's own tests. With fallback, functions that no test
# reached are an error; without, NetworkX leaves out tests of graphs that it cannot make.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/${BUILD:-build}/networkx
VERSIONS=${VERSIONS:-3.4 3.5 3.6} MODES=${MODES:-with without}
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
    for mode in $MODES; do
        [ "$mode" = with ] && fallback=True || fallback=
        log=$folder/$version-$mode.log
        NETWORKX_TEST_BACKEND=apsp NETWORKX_FALLBACK_TO_NX=$fallback "$PYTHON" -m pytest -q \
            -p no:cacheprovider -p count_calls --pyargs networkx >"$log" 2>&1 ||
            failed="$failed $log"
        echo "networkx $version, $mode fallback: $(tail -n 1 "$log")"
        sed -n '/^served/,/^===/{/^===/!p;}' "$log"
        [ "$mode" = without ] || ! grep '^served *0 ' "$log" || failed="$failed $log:unreached"
    done
    cd - >/dev/null
    "$PYTHON" -m pytest -q -p no:cacheprovider python/nx_apsp/tests ||
        failed="$failed tests:$version"
done
[ -z "$failed" ] || { echo "check-networkx: look at$failed" >&2; exit 1; }
