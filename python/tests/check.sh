#!/bin/sh
# make check-python: the package from its wheel, in a virtual environment of its own, beside the
# packages that it is compared with. Those that cannot be had are skipped by name; so is all of it
# where there is no venv, hatchling or pytest.
set -eu
cd "$(dirname "$0")/../.."
folder=${BUILD:-build}/package
venv=$folder/venv

skip() {
    echo "skip check-python: $1"
    exit 0
}

"$PYTHON" -m venv --system-site-packages "$venv" 2>/dev/null ||
    skip "no venv: install the package python3-venv"
python=$PWD/$venv/bin/python
pip() {
    "$python" -m pip --disable-pip-version-check -q "$@"
}
# What PYTHON has is there already, if it is one of a virtual environment too.
"$PYTHON" -c 'import site; print("\n".join(site.getsitepackages()))' \
    >"$("$python" -c 'import site; print(site.getsitepackages()[0])')/theirs.pth"
for package in hatchling pytest numpy scipy networkx igraph networkit pandas hypothesis sklearn \
    sparse rustworkx pyarrow polars h5py openmatrix duckdb; do
    "$python" -c "import $package" 2>/dev/null || pip install \
        "$(echo "$package" | sed s/sklearn/scikit-learn/)" ||
        echo "skip $package: it cannot be installed"
done
for package in hatchling pytest; do
    "$python" -c "import $package" 2>/dev/null || skip "no $package"
done
rm -rf "$folder/wheel"
pip wheel --no-deps --no-build-isolation -w "$folder/wheel" ./python
pip install --force-reinstall --no-deps "$folder"/wheel/apsp-*.whl
pip install --force-reinstall --no-deps --no-build-isolation ./python/nx_apsp
unset APSP_LIBRARY PYTHONPATH
export HYPOTHESIS_STORAGE_DIRECTORY="$PWD/$folder/hypothesis"
if "$python" -c 'import numpy, networkx' 2>/dev/null; then
    PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider python/nx_apsp/tests
fi
cd python/tests # so that the package is the installed one
PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -rs -p no:cacheprovider . "$@"
