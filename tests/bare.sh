#!/bin/sh
# Python from nothing, by `make check-bare`: a bare Debian tree with nothing but apt and a copy of
# this one, where the lines of python/README.md install what the build needs, make a virtual
# environment and build the package, and its two lines of Python give the distances of a SciPy
# matrix: all but the packages by a user without rights. Needs root, mmdebstrap, a mirror and pip's
# index; minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
. tests/tree.sh
needs_tree bare git

# lines_of LANGUAGE: those of the first such block of python/README.md.
lines_of() {
    awk -v fence="\`\`\`$1" '$0 == "```" && inside { exit } inside; $0 == fence { inside = 1 }' \
        python/README.md
}
lines_of sh >"$scratch/shell"
lines_of python >"$scratch/python"
check "bare: python/README.md has lines of both kinds" [ \
    "$(cat "$scratch/shell" "$scratch/python" | wc -l)" -eq 5 ]

check "bare: a bare tree" bare_tree || finish
home=$tree/tmp/apsp
mkdir "$home"
git ls-files -z --cached --others --exclude-standard | tar -cf - --null -T - | tar -xf - -C "$home"
{
    echo 'import numpy, scipy.sparse, scipy.sparse.csgraph'
    echo \
        'A = scipy.sparse.random(500, 500, density=0.02, format="csr", random_state=1, data_rvs=lambda n: numpy.arange(1, n + 1))'
    cat "$scratch/python"
    echo 'assert (distances == scipy.sparse.csgraph.shortest_path(A)).all(), distances'
    echo \
        'with apsp.solve(A, method="sparse") as solution: assert (solution.distances() == distances).all()'
} >"$home/matrix.py"
chown -R nobody "$home"
# What pip needs to reach its index from here, it needs there.
[ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$tree/tmp/certificates"

# there COMMAND...: in the copy.
there() {
    within env ${PIP_CERT:+PIP_CERT=/tmp/certificates} \
        ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} sh -c 'cd /tmp/apsp && exec "$@"' sh "$@"
}
check "bare: lists of packages" within apt-get -q update
while read -r line; do
    as=nobody
    case $line in
    "sudo apt install "*)
        as=root
        line=$(echo "$line" | sed 's/^sudo apt/apt-get -qy/')
        ;;
    esac
    check "bare: $line" there sh -c "$line" || finish
done <"$scratch/shell"
as=nobody
check "bare: the matrix of a SciPy graph, by both engines" there venv/bin/python matrix.py
finish
