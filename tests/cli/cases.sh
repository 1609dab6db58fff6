#!/bin/sh
# The small cases of testcases/cases.txt: made, solved on 1, 2 or 3 ranks, and compared with the
# checksum of the right distances.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
ranks=0

while read -r name family n m weights seed right; do
    case $name in
    "" | \#*) continue ;;
    c0* | c1*) ;;
    *) continue ;;
    esac
    graph=$scratch/$name.bin
    sh testcases/make.sh "$name" "$graph"
    if [ -f "testcases/stored/$name.bin" ]; then
        check "cases: $name is made of the same bytes" cmp "$graph" "testcases/stored/$name.bin"
    fi
    ranks=$((ranks % 3 + 1))
    mpi "$ranks" "$BUILD/apsp" --quiet --no-progress "$graph" "$scratch/$name.out" </dev/null
    check "cases: $name ($family, $n vertices) on $ranks ranks" [ \
        "$(checksum "$scratch/$name.out")" = "$right" ]
    rm -f "$graph" "$scratch/$name.out"
done <testcases/cases.txt

check "cases: an unknown name is refused" sh -c '! sh testcases/make.sh c99 "$0" 2>/dev/null' \
    "$scratch/none"
finish
