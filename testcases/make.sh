#!/bin/sh
# sh testcases/make.sh NAME FILE: makes the graph of a case of testcases/cases.txt. BUILD names the
# build directory.
set -eu
cd "$(dirname "$0")/.."
if [ $# -ne 2 ]; then
    echo "usage: sh testcases/make.sh NAME FILE" >&2
    exit 2
fi
case=$(awk -v name="$1" '$1 == name' testcases/cases.txt)
if [ -z "$case" ]; then
    echo "testcases/make.sh: no case '$1' in testcases/cases.txt" >&2
    exit 2
fi
set -- "$2" $case
[ "$5" = - ] || edges="-m $5"
exec "${BUILD:-build}/apsp-gen" "$3" -n "$4" ${edges:-} -w "$6" -s "$7" -o "$1" --force
