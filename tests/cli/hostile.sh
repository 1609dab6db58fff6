#!/bin/sh
# A line of 1 GiB in each text format, as a number, a name, a comment: refused for its length, or
# passed over, within seconds and in 600 MB of memory.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

if [ "$(df -kP "$scratch" | awk 'NR == 2 { print $4 }')" -lt 2000000 ]; then
    echo "skip hostile: a line of 1 GiB needs 2 GB in ${TMPDIR:-/tmp}"
    exit 77
fi
line=$scratch/line
head -c 1073741824 /dev/zero | tr '\0' 7 >"$line"

# read_line HEAD OPTION...: the status of reading the line when it begins so.
read_line() {
    head -c 200 /dev/zero | tr '\0' 7 | dd of="$line" conv=notrunc status=none
    printf "$1" | dd of="$line" conv=notrunc status=none
    shift
    (
        limit_memory 600000
        OMP_NUM_THREADS=2 timeout 30 "$BUILD/apsp" --quiet "$@" "$line" </dev/null 2>"$scratch/log"
    )
}

# refuses WORDS HEAD OPTION...
refuses() {
    words=$1
    shift
    read_line "$@"
    [ $? -eq 3 ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] && grep -q -- "$words" "$scratch/log" &&
        return
    sed 's/^/# /' "$scratch/log"
    return 1
}

mtx='%%%%MatrixMarket matrix coordinate real general\n'
xml='<graphml><graph edgedefault="directed"><node id="'
check "hostile: a number of .gr" refuses ":2: .*longer than 4096 bytes" 'p sp 2 1\na 1 2 7'
check "hostile: the size of .gr" refuses ":1: .*longer than 4096 bytes" 'p sp 2 7'
check "hostile: a number of MatrixMarket" refuses ":3: .*longer than 4096 bytes" \
    "${mtx}2 2 1\n1 2 7"
check "hostile: the size of MatrixMarket" refuses ":2: .*longer than 4096 bytes" "${mtx}2 2 7"
check "hostile: a number of METIS" refuses ":2: neighbour '7777.*is not an integer" '2 1\n2 7' \
    --format metis
check "hostile: a weight of a vertex of METIS" refuses \
    ":2: .*weight of a vertex '7777.*is not an integer" '2 1 10\n7' --format metis
check "hostile: a name in a list" refuses ":2: .*longer than 4096 bytes" 'a,b\nb,7' --format list
check "hostile: a quoted name in a list" refuses ":2: .*longer than 4096 bytes" 'a,b\n"b","7' \
    --format list
check "hostile: a number of GML" refuses ":1: a key or a number is longer than 4096 bytes" \
    'graph [ node [ id 7'
check "hostile: an id of GraphML" refuses ":1: a tag or a comment is longer than 1048576 bytes" \
    "${xml}7"
check "hostile: a comment of GraphML" refuses \
    ":1: a tag or a comment is longer than 1048576 bytes" "${xml}7\"/><!--"
check "hostile: text of no kind" refuses "text that begins with 'what 777" 'what 7'
check "hostile: a comment of .gr" read_line 'p sp 2 1\na 1 2 3\nc 7'
check "hostile: a comment of MatrixMarket" read_line "${mtx}2 2 1\n1 2 3\n%%"
check "hostile: a comment in a list" read_line '# comment\na,b\n#'
finish
