#!/bin/sh
# Paths: `apsp --predecessors` and `apsp-query --path`, checked by walking along every path and
# adding up its edges.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# edges GRAPH: the lines `e U V WEIGHT` of a .gr or .mtx file, and `n N`.
edges() {
    case $1 in
    *.gr) awk '$1 == "p" { print "n", $3 } $1 == "a" { print "e", $2, $3, $4 }' "$1" ;;
    *) awk '/^%/ { next } !n { n = $1; print "n", n; next } { print "e", $1, $2, $3 }' "$1" ;;
    esac
}

# walk GRAPH DISTANCES PREDECESSORS: .npy files, the distances of type od's $type; says what is
# wrong with them.
walk() {
    {
        edges "$1"
        od -An -v -j 128 -t "$type" -w"${type#?}" "$2" | sed 's/^/d /'
        od -An -v -j 128 -t d4 -w4 "$3" | sed 's/^/t /'
    } | awk '
        $1 == "n" { n = $2 }
        $1 == "e" { k = ($2 - 1) * n + $3 - 1; if (!(k in weight) ||
            $4 < weight[k]) weight[k] = $4 }
        $1 == "d" { distance[ds++] = $2 }
        $1 == "t" { tree[ts++] = $2 }
        END {
            if (ds != n * n || ts != n * n)
                print "sizes " ds " " ts
            for (i = 0; i < n; i++)
                for (v = 0; v < n; v++) {
                    sum = steps = 0
                    for (at = v; tree[i * n + at] >= 0 && steps <= n; at = tree[i * n + at]) {
                        edge = tree[i * n + at] * n + at
                        if (!(edge in weight))
                            print "no edge " tree[i * n + at] " " at
                        sum += weight[edge]
                        steps++
                    }
                    d = distance[i * n + v]
                    error = sum - d
                    if (d == "inf" || d == "1073741823" ||
                        d == "4611686018427387903" ? at != v : at != i || error * error > 1e-18)
                        print "row " i ", vertex " v ": path from " at " of " sum ", not " d
                }
        }'
}

# lines GRAPH FILE: what is wrong with the lines that apsp-query --path has printed for all pairs in
# order.
lines() {
    edges "$1" | cat - "$2" | awk '
        $1 == "n" { n = $2; next }
        $1 == "e" { k = $2 " " $3; if (!(k in weight) || $4 < weight[k]) weight[k] = $4; next }
        {
            u = int(count / n) + 1; v = count++ % n + 1
            if ($1 != u || $2 != v) { print "line " count ": " $0; next }
            if ($3 == "unreachable") { if (NF != 3) print $0; next }
            sum = 0
            for (i = 6; i <= NF; i++) {
                if (!(($(i - 1) " " $i) in weight)) print "no edge in: " $0
                sum += weight[$(i - 1) " " $i]
            }
            if ($4 != ":" || $5 != u || $NF != v ||
                (sum - $3) * (sum - $3) > 1e-18) print "wrong: " $0
        }
        END { if (count != n * n) print count " lines" }'
}

# complain TEXT: shows it; true if there is none.
complain() {
    [ -z "$1" ] && return
    echo "$1" | head -n 5 | sed 's/^/# /'
    return 1
}

# try_graph TITLE GRAPH N TYPE: trees and queries of a graph of N vertices whose distances have that
# type of od's.
try_graph() {
    title=$1
    graph=$2
    type=$4
    for ranks in 1 2 4; do
        rm -f "$scratch"/[dt].npy
        mpi $ranks "$BUILD/apsp" --quiet --predecessors "$scratch/t.npy" "$graph" "$scratch/d.npy"
        check "paths: trees of $title on $ranks ranks" complain \
            "$(walk "$graph" "$scratch/d.npy" "$scratch/t.npy")"
    done
    cp "$scratch/t.npy" "$scratch/wrong" # the walk sees a changed entry
    printf '\005' | dd of="$scratch/wrong" bs=4 seek=$((32 + $3 + 3)) conv=notrunc status=none
    check "paths: a wrong tree of $title is found" [ \
        -n "$(walk "$graph" "$scratch/d.npy" "$scratch/wrong")" ]
    rm -f "$scratch/t"
    "$BUILD/apsp" --quiet --threads 3 --predecessors "$scratch/t" "$graph"
    tail -c +129 "$scratch/t.npy" | cmp - "$scratch/t"
    check "paths: trees of $title as int32, without DISTANCES" [ $? -eq 0 ]
    awk -v n="$3" 'BEGIN { for (u = 1; u <= n; u++) for (v = 1; v <= n; v++) print u, v }' \
        >"$scratch/pairs"
    "$BUILD/apsp-query" --path --pairs "$scratch/pairs" "$graph" "$scratch/d.npy" >"$scratch/lines"
    check "paths: apsp-query on all pairs of $title" complain "$(lines "$graph" "$scratch/lines")"
    "$BUILD/apsp-query" --pairs - "$graph" "$scratch/d.npy" <"$scratch/pairs" >"$scratch/bare"
    sed 's/ :.*//' "$scratch/lines" | cmp - "$scratch/bare"
    check "paths: the same without --path" [ $? -eq 0 ]
}

# try_family FAMILY N WEIGHTS: whole weights >= 0, then the same with potentials, which make some
# negative, whole and real.
try_family() {
    "$BUILD/apsp-gen" "$1" -n "$2" -w "$3" -s 4 -o "$scratch/graph.gr" --force
    try_graph "$1, $2 vertices" "$scratch/graph.gr" "$2" d4
    for field in integer real; do
        edges "$scratch/graph.gr" | awk -v field=$field -v unit="$4" '
            function h(v) { return v * 7919 % 101 * (field == "real" ? 0.37 : unit) }
            $1 == "n" { n = $2 }
            $1 == "e" { line[m++] = $2 " " $3 " " sprintf(field == "real" ? "%.17g" : "%.0f",
                $4 * (field == "real" ? 0.1 : unit) + h($2) - h($3)) }
            END {
                print "%%MatrixMarket matrix coordinate " field " general"
                print n, n, m
                for (i = 0; i < m; i++)
                    print line[i]
            }' >"$scratch/$field.mtx"
    done
    wide=d4
    [ "$4" -eq 1 ] || wide=d8
    try_graph "$1, negative weights times $4" "$scratch/integer.mtx" "$2" $wide
    try_graph "$1, real weights" "$scratch/real.mtx" "$2" f8
}

try_family random 40 0:3 1
try_family zero 30 0:0 1
try_family disconnected 35 0:9 10000000000
try_family grid 36 1:20 1

# query_is WORDS ARGUMENTS...: exactly this line.
query_is() {
    words=$1
    shift
    [ "$("$BUILD/apsp-query" "$@")" = "$words" ]
}

# query_fails CODE WORDS ARGUMENTS...: one line on stderr with the words.
query_fails() {
    code=$1 words=$2
    shift 2
    "$BUILD/apsp-query" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    [ $status -eq "$code" ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q "^apsp-query: .*$words" "$scratch/stderr" && return
    echo "# exit code $status, wanted $code with '$words':"
    sed 's/^/# /' "$scratch/stderr"
    return 1
}

# A line of four vertices, in two formats that number them differently.
printf 'p sp 4 3\na 1 2 5\na 2 3 6\na 3 4 7\n' >"$scratch/line.gr"
"$BUILD/apsp-gen" path -n 4 -w 2:2 -o "$scratch/line.bin"
"$BUILD/apsp" --quiet "$scratch/line.gr" "$scratch/line.npy"
"$BUILD/apsp" --quiet "$scratch/line.bin" "$scratch/line.raw"
gr="$scratch/line.gr $scratch/line.npy"
check "paths: a path, from 1" query_is '1 4 18 : 1 2 3 4' --path $gr 1 4
check "paths: a path, from 0" query_is '0 3 6 : 0 1 2 3' --path "$scratch/line.bin" \
    "$scratch/line.raw" 0 3
check "paths: a distance" query_is '2 4 13' $gr 2 4
check "paths: unreachable" query_is '4 1 unreachable' --path $gr 4 1
check "paths: nowhere to go" query_is '4 4 0 : 4' --path $gr 4 4
check "paths: --format" query_is '1 2 5' --format gr $gr 1 2
printf '\n 1\t2 \r\n\n3 4' >"$scratch/some"
check "paths: blanks in pairs" query_is '1 2 5
3 4 7' --pairs "$scratch/some" $gr

check "paths: no vertex 0" query_fails 2 "'0' is not a vertex.*1 to 4" $gr 0 1
check "paths: no vertex 5" query_fails 2 "'5' is not a vertex" $gr 1 5
check "paths: no number" query_fails 2 "'x' is not a vertex" $gr x 5
check "paths: U missing" query_fails 2 'the first vertex, U, is missing; see apsp-query --help' $gr
check "paths: V missing" query_fails 2 \
    "the second vertex, V, is missing; '1' was taken as the first, U; see" $gr 1
check "paths: one too many" query_fails 2 "'3' is one argument too many" $gr 1 2 3
check "paths: pair and --pairs" query_fails 2 "'1' is one argument too many" --pairs - $gr 1 2
check "paths: unknown option" query_fails 2 "'--what'" --what $gr 1 2
check "paths: missing graph" query_fails 5 'none' "$scratch/none" "$scratch/line.raw" 0 1
check "paths: missing distances" query_fails 5 'none' "$scratch/line.gr" "$scratch/none" 1 2
check "paths: missing pairs" query_fails 5 'none' --pairs "$scratch/none" $gr
check "paths: a directory of pairs" query_fails 5 'directory' --pairs "$scratch" $gr
head -c 60 "$scratch/line.raw" >"$scratch/short"
check "paths: short distances" query_fails 3 'has 60 bytes.*64' "$scratch/line.gr" \
    "$scratch/short" 1 2
check "paths: distances of another graph" query_fails 8 'row 1: ' --path "$scratch/line.gr" \
    "$scratch/line.raw" 1 2
"$BUILD/apsp" --quiet --predecessors "$scratch/trees" "$scratch/line.gr"
check "paths: trees are no distances" query_fails 8 'row 1: ' --path "$scratch/line.gr" \
    "$scratch/trees" 1 2

# Distances in reals that are not those of the graph: entry(INDEX, BYTES) replaces one of 3 x 3.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 3 2.5\n' \
    >"$scratch/two.mtx"
"$BUILD/apsp" --quiet "$scratch/two.mtx" "$scratch/two.npy"
entry() {
    cp "$scratch/two.npy" "$scratch/bad.npy"
    printf "$2" | dd of="$scratch/bad.npy" bs=8 seek=$((16 + $1)) conv=notrunc status=none
}
bad="$scratch/two.mtx $scratch/bad.npy"
check "paths: reals" query_is '1 3 4 : 1 2 3' --path "$scratch/two.mtx" "$scratch/two.npy" 1 3
entry 2 '\0\0\0\0\0\0\151\100'
check "paths: 200 where the path has 4" query_fails 8 \
    'bad.npy.*two.mtx: row 1: vertex 3 .* 200, .* 4;' --path $bad 1 3
check "paths: nothing is printed of a refused path" [ ! -s "$scratch/stdout" ]
check "paths: nor of another in its row" query_fails 8 'row 1: vertex 3 ' --path $bad 1 2
check "paths: other rows are right" query_is '2 3 2.5 : 2 3' --path $bad 2 3
entry 0 '\0\0\0\0\0\0\151\100'
check "paths: 200 to itself" query_fails 8 'row 1: vertex 1 has the distance 200 from itself' \
    --path $bad 1 2
for bits in '\370\177 nan' '\360\377 -inf'; do
    entry 6 '\0\0\0\0\0\0'"${bits% *}"
    check "paths: ${bits#* } is not unreachable" query_fails 8 \
        "vertices 3 and 1 is -*${bits#* }, which is not a distance" $bad 3 1
    check "paths: ${bits#* } with --path" query_fails 8 "${bits#* }, which is not a distance" \
        --path $bad 3 1
    check "paths: ${bits#* } elsewhere in the row" query_fails 8 \
        "row 3: vertex 1 has -*${bits#* }, which" --path $bad 3 2
done
cp "$scratch/line.npy" "$scratch/bad.npy"
printf '\0\0\0\100' | dd of="$scratch/bad.npy" bs=4 seek=$((32 + 2)) conv=notrunc status=none
check "paths: an integer above unreachable" query_fails 8 \
    '1 and 3 is 1073741824, which is not a distance' "$scratch/line.gr" \
    "$scratch/bad.npy" 1 3
check "paths: --format of no format" query_fails 2 \
    "--format x: not one of edges32, gr, mtx, gml, graphml, gexf, lgl, pajek, dicts, json, list, table, metis, npz, npy$" \
    --format x $gr 1 2

# bad_pairs NAME TEXT WORDS
bad_pairs() {
    printf "$2" >"$scratch/some"
    check "paths: pairs with $1" query_fails 3 "some:2: .*$3" --pairs "$scratch/some" $gr
}
bad_pairs "one vertex" '1 2\n3\n' 'expected a pair'
bad_pairs "three" '1 2\n1 2 3\n' 'expected a pair'
bad_pairs "no number" '1 2\n1 two\n' "'two' is not a vertex"
bad_pairs "vertex 5" '1 2\n1 5\n' "'5' is not a vertex"
bad_pairs "a long line" "1 2\n%09000d 1\n" 'expected a line of at most 8200 bytes'
bad_pairs "a zero byte" '1 2\n1\0 2\n1 2\n' 'expected a line'

full() {
    "$BUILD/apsp-query" $gr 1 2 >/dev/full 2>"$scratch/stderr"
    [ $? -eq 5 ] && grep -q '^apsp-query: standard output' "$scratch/stderr"
}
check "paths: full output" full
check "paths: --help" sh -c '"$0" --help | grep -q "^usage: apsp-query"' "$BUILD/apsp-query"
check "paths: --version" sh -c '"$0" --version | grep -q "^apsp-query [0-9]"' "$BUILD/apsp-query"

# fails CODE WORDS RANKS ARGUMENTS...: apsp leaves nothing.
mkdir "$scratch/place"
fails() {
    code=$1 words=$2 ranks=$3
    shift 3
    before=$(ls -lA --time-style=+ "$scratch/place")
    mpi "$ranks" "$BUILD/apsp" --quiet "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ $status -eq "$code" ] && [ "$(grep -c '^apsp: ' "$scratch/stderr")" -eq 1 ] &&
        grep -q "^apsp: .*$words" "$scratch/stderr" &&
            [ "$before" = "$(ls -lA --time-style=+ "$scratch/place")" ] && return
    echo "# exit code $status, wanted $code with '$words':"
    sed 's/^/# /' "$scratch/stderr"
    ls -lA "$scratch/place" | sed 's/^/# /'
    return 1
}
# Four vertices and three edges, for each of four rows.
for ranks in 1 2; do
    mpi $ranks "$BUILD/apsp" --estimate --predecessors "$scratch/none" \
        "$scratch/line.gr" >"$scratch/stdout"
    check "paths: the estimate on $ranks ranks" grep \
        -q "^predecessors, about  *$((28 / ranks)) visits " "$scratch/stdout"
done
for ranks in 1 3; do
    line=$scratch/line.gr
    place=$scratch/place
    check "paths: trees to DISTANCES, $ranks ranks" fails 2 'are the same file' $ranks \
        --predecessors "$place/a" "$line" "$place/a"
    check "paths: trees to DISTANCES, otherwise named, $ranks ranks" fails 2 'are the same file' \
        $ranks --predecessors "$place/a" \
        "$line" "$place/./a"
    check "paths: trees to the graph, $ranks ranks" fails 2 'the input' $ranks --force \
        --predecessors "$line" "$line" "$place/a"
    check "paths: trees to no folder, $ranks ranks" fails 5 'No such file' $ranks \
        --predecessors "$place/b/a" "$line" "$place/a"
    echo old >"$place/t"
    check "paths: trees exist, $ranks ranks" fails 2 '--force' $ranks --predecessors "$place/t" \
        "$line" "$place/a"
    mpi $ranks "$BUILD/apsp" --quiet --force --predecessors "$place/t" --json "$place/j" "$line" \
        "$place/a"
    check "paths: all files are there, $ranks ranks" [ "$(cd "$place" && echo $(ls -A))" = "a j t" ]
    check "paths: seconds in the report, $ranks ranks" grep -q '"predecessors":' "$place/j"
    rm -f "$place"/*
done
finish
