#!/bin/sh
# The wheel in bare trees, by `make check-wheel`: Debian 11 (Python 3.9, glibc 2.31) and Debian 13
# (Python 3.13), where pip installs the wheel alone, and the guide's page on Python runs. Needs
# root, mmdebstrap, a mirror and pip's index; minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
. tests/tree.sh
needs_tree wheel readelf

wheel=$(ls "$BUILD"/wheel/apsp-*.whl)
oldest=$(sed -n 's/^OLD_LIBC := //p' python/python.mk)
python3 -m zipfile -e "$wheel" "$scratch/wheel"
# The versions of glibc that the libraries of the wheel ask for, oldest first.
asked() {
    readelf -V "$scratch"/wheel/apsp/*.so* | grep -o 'Name: GLIBC_[0-9.]*' | cut -d_ -f2 | sort -uV
}
echo "wheel: $wheel asks for glibc $(asked | tr '\n' ' ')"
check "wheel: nothing newer than glibc $oldest" [ "$( (asked && echo "$oldest") | sort -V |
    tail -n 1)" = "$oldest" ]
check "wheel: its name says so" [ "${wheel##*-}" = \
    "manylinux_$(echo "$oldest" | tr . _)_$(uname -m).whl" ]

# A library whose newer symbols an older glibc does not have.
echo 'int gettid(void); int lacks(void) { return gettid(); }' |
    gcc -shared -fPIC -x c - -o "$scratch/lacks.so"
check "wheel: a symbol that old systems lack is refused by name" sh -c '
    python3 python/old_libc.py "$1" "$2" 2>&1 | grep -q "gettid is of GLIBC_2.30, and no older"
' sh "$oldest" "$scratch/lacks.so"

cat >"$scratch/alone.py" <<'END'
import apsp
print(apsp.shortest_path([[0, 3, 9], [0, 0, 4], [1, 0, 0]]))
END

# try_in SUITE PYTHON
try_in() {
    SUITE=$1 check "wheel: a bare tree of $1" bare_tree || finish
    as=root
    check "wheel, $1: packages" within sh \
        -c 'apt-get -q update && apt-get -qy install --no-install-recommends python3-venv' || finish
    mkdir "$tree/tmp/work"
    cp "$wheel" "$scratch/alone.py" tests/cli/pages.py docs/guide/python.md "$tree/tmp/work"
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$tree/tmp/certificates"
    chown -R nobody "$tree/tmp/work"
    as=nobody
    there() {
        within env ${PIP_CERT:+PIP_CERT=/tmp/certificates} \
            ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} \
            PATH=/tmp/work/venv/bin:/usr/bin:/bin sh -c 'cd /tmp/work && exec "$@"' sh "$@"
    }
    check "wheel, $1: a virtual environment" there python3 -m venv venv
    check "wheel, $1: Python is $2" there python3 -c \
        "import sys; assert sys.version_info[:2] == ($2)"
    check "wheel, $1: pip install" there sh -c 'pip install -q ./*.whl'
    check "wheel, $1: two lines, without NumPy" there python3 alone.py
    check "wheel, $1: pip install of what the guide uses" there pip install -q numpy scipy networkx
    check "wheel, $1: the guide's page" there python3 pages.py . python.md
    rm -rf "$tree"
}
try_in bullseye "3, 9"
try_in trixie "3, 13"
finish
