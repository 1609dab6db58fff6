#!/bin/sh
# One test, with its output: BUILD=build [CASE=NAME] [RANKS=N] [UNDER=gdb|valgrind] sh tests/one.sh
# TEST. TEST is a path below tests/: graph/test_list, or cli/order.sh. CASE is one case of a test in
# C.
set -eu
cd "$(dirname "$0")/.."
. tests/common.sh
export BUILD

case $1 in
*.sh) exec sh "tests/$1" ;;
esac
case ${UNDER:-} in
'') under= ;;
gdb) under='gdb --args' ;;
valgrind)
    under='valgrind --leak-check=full --suppressions=packaging/valgrind.supp'
    under="$under --suppressions=tests/valgrind.supp"
    ;;
*)
    echo "UNDER=$UNDER: expected gdb or valgrind" >&2
    exit 2
    ;;
esac
# cmocka runs no case, and says that all passed, if the name is that of no case.
cases=$(sed -nE 's/.*cmocka_unit_test[a-z_]*\(([a-z0-9_]+).*/\1/p' "tests/$1.c")
found=
for name in $cases; do
    # shellcheck disable=SC2254 # a pattern
    case $name in ${CASE:-*}) found=$name ;; esac
done
if [ -z "$found" ]; then
    printf 'CASE=%s: tests/%s.c has no such case; it has:\n%s\n' "${CASE:-}" "$1" "$cases" >&2
    exit 2
fi
# shellcheck disable=SC2086 # a list of words
mpi "${RANKS:-1}" $under "$BUILD/tests/$1"
