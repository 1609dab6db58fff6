#!/bin/sh
# Bad input and bad command lines, on 1 and 3 ranks: the exit code, one line that says what is
# wrong, all ranks gone within seconds, and no file left or touched.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
apsp=$BUILD/apsp
gen=$BUILD/apsp-gen
work=$scratch/work
log=$scratch/log
mkdir "$work"
cd "$work" || exit 1

# words N...: 32-bit little-endian numbers.
words() {
    for number; do
        number=$((number & 4294967295))
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((number & 255)) $((number >> 8 & 255)) \
            $((number >> 16 & 255)) \
            $((number >> 24)))"
    done
}

# What lies in the working folder, and of files the size and the time.
inventory() {
    find "$work" \( -type f -printf '%p %s %T@\n' \) -o -printf '%p %y\n'
}

# attempt CODE WORDS COMMAND...: what is wrong with its end; nothing if it is the failure that is to
# be. WORDS, parted by '|', all stand in its one line.
attempt() {
    code=$1
    expected=$2
    shift 2
    before=$(inventory)
    begin=$(date +%s)
    timeout -k 5 60 "$@" </dev/null >"$log" 2>&1
    status=$?
    took=$(($(date +%s) - begin))
    [ "$status" -eq "$code" ] || echo "exit status $status, not $code"
    [ "$took" -le 20 ] || echo "took $took s"
    [ "$(grep -c '^apsp: ' "$log")" -eq 1 ] || echo "not one line: $(grep '^apsp: ' "$log")"
    old=$IFS
    IFS='|'
    for word in $expected; do
        grep '^apsp: ' "$log" | grep -qF -- "$word" ||
            echo "'$word' is not in: $(grep '^apsp: ' "$log")"
    done
    IFS=$old
    [ "$(inventory)" = "$before" ] || echo "files changed: $(inventory)"
}

# refuse NAME CODE WORDS ARGUMENTS...
refuse() {
    title=$1
    code=$2
    expected=$3
    shift 3
    for ranks in 1 3; do
        starter=
        [ $ranks -eq 1 ] || starter="mpirun --oversubscribe -n $ranks"
        complaint=$(attempt "$code" "$expected" $starter "$apsp" --no-progress "$@")
        [ -z "$complaint" ] || printf '# %s\n' "$complaint"
        check "bad_input: $title ($ranks ranks)" [ -z "$complaint" ]
    done
}

# refuse_file NAME WORDS FILE: its content is wrong.
refuse_file() {
    refuse "$1" 3 "$3|$2" "$3" out
}

words 2 1 0 1 3 >good.bin
printf 'p sp 2 1\na 1 2 3\n' >good.gr

: >file.bin
refuse_file "empty file" "byte 0" file.bin
words 1 >file.bin
refuse_file "short header" "byte 0|8 bytes|has 4" file.bin
words 0 0 >file.bin
refuse_file "no vertices" "byte 0|n = 0|at least 1" file.bin
words -7 0 >file.bin
refuse_file "n < 0" "byte 0|n = -7|at least 1" file.bin
words 2 -1 >file.bin
refuse_file "m < 0" "byte 4|m = -1|at least 0" file.bin
words 2 2 0 1 3 >file.bin
refuse_file "m more than the file holds" "byte 4|m = 2|32 bytes|20" file.bin
{ words 2 1 0 1 3 && printf x; } >file.bin
refuse_file "bytes left over" "byte 20|1 bytes left|m = 1" file.bin
words 2 2 0 1 3 1 0 >file.bin
refuse_file "truncated inside an edge" "byte 4|m = 2|32 bytes|28" file.bin
words 2 2 0 1 3 -1 0 1 >file.bin
refuse_file "vertex < 0" "byte 20|edge 1|-1|0 .. 1" file.bin
words 2 2 0 1 3 1 2 1 >file.bin
refuse_file "vertex >= n" "byte 24|edge 1|2|0 .. 1" file.bin
words 2 2 0 1 3 1 0 -4 >file.bin
refuse "negative cycle" 9 "file.bin|total weight -1|0 -> 1 -> 0" file.bin out
words 2 2 0 1 3 1 1 -2147483648 >file.bin
refuse "negative loop" 9 "total weight -2147483648|vertices 1 -> 1" file.bin out
words 3 2 0 1 3 1 2 32764 >file.bin
refuse "u16 too narrow" 3 "file.bin|u16|below 32767|32767" --dtype u16 file.bin out
words 3 2 0 1 1 1 2 1073741822 >file.bin
refuse "i32 too narrow" 3 "i32|below 1073741823|may reach 1073741823" --dtype i32 file.bin out
refuse "too long for a raw file" 3 "out|.npy" file.bin out
words 0x02000000 0x01000000 0 0x01000000 0x03000000 >file.bin
refuse_file "wrong byte order" "byte 0|byte order|n = 2, m = 1" file.bin

printf 'c nothing\n' >file.gr
refuse_file "no problem line" ":2:|problem line" file.gr
printf 'p sp 2 1\np sp 2 1\na 1 2 3\n' >file.gr
refuse_file "second problem line" ":2:|second problem line" file.gr
printf 'p sp 2 2\na 1 2 3\nc no more\n' >file.gr
refuse_file "fewer arcs than promised" "1 edges|promises 2" file.gr
printf 'p sp 2 1\na 1 2 3\na 2 1 3\n' >file.gr
refuse_file "more arcs than promised" "2 edges|promises 1" file.gr
printf 'p sp 2 1\na 1 b 3\n' >file.gr
refuse_file "letters" ":2:|target vertex 'b'|from 1 to 2" file.gr
printf 'p sp 3 3\na 1 2 -3\na 2 3 1\na 3 1 1\n' >file.gr
refuse "negative cycle in text" 9 "total weight -1|1 -> 2 -> 3 -> 1" file.gr out
printf 'p sp 2 1\na 1 2 -2147483648\n' >file.gr
refuse_file "weight too far below 0" ":2:|weight '-2147483648'|from -2147483647" file.gr
printf 'p sp 2 1\na 0 2 3\n' >file.gr
refuse_file "vertex 0 in text" ":2:|source vertex '0'|from 1 to 2" file.gr
{ printf 'p sp 2 1\na 1 2 ' && head -c 1048576 /dev/zero | tr '\0' 7; } >file.gr
refuse_file "token of 1 MiB" ":2:|longer than 4096 bytes" file.gr
printf 'p sp 2 1\na 1 2\0 3\n' >file.gr
refuse_file "NUL" ":2:|byte 14 is 0" file.gr

mtx() {
    printf '%%%%MatrixMarket matrix coordinate '
    printf "$@"
}
printf '2 2 1\n1 2 3\n' >file.mtx
refuse_file "no banner" ":1:|begin with '%%MatrixMarket'" file.mtx
mtx 'real general\n2 3 1\n1 2 3\n' >file.mtx
refuse_file "a matrix that is not square" ":2:|square|2 x 3" file.mtx
mtx 'complex general\n2 2 1\n1 2 3 4\n' >file.mtx
refuse_file "complex numbers" ":1:|integer, real or pattern|'complex'" file.mtx
mtx 'complex hermitian\n2 2 1\n1 2 3\n' >file.mtx
refuse_file "a hermitian matrix" ":1:|integer, real or pattern" file.mtx
mtx 'pattern skew-symmetric\n2 2 1\n1 2\n' >file.mtx
refuse_file "skew symmetry without values" ":1:|coordinates with values" file.mtx
mtx 'real general\n2 2 1\n1 2 NaN\n' >file.mtx
refuse "NaN" 3 "file.mtx:3:|weight 'NaN'|finite" --no-edge 0 file.mtx out
mtx 'real general\n2 2 1\n1 2 -inf\n' >file.mtx
refuse "an infinity" 3 "file.mtx:3:|weight '-inf'|finite" --no-edge 0 file.mtx out
mtx 'real general\n2 2 1\n1 2 1e400\n' >file.mtx
refuse_file "a number beyond double" ":3:|weight '1e400'|finite" file.mtx
mtx 'integer general\n2 2 1\n1 2 1.5\n' >file.mtx
refuse_file "a fraction among integers" ":3:|weight '1.5'|integer" file.mtx
mtx 'integer general\n2 2 1\n1 2 9223372036854775808\n' >file.mtx
refuse_file "an integer beyond 64 bits" ":3:|weight '9223372036854775808'" file.mtx
mtx 'integer general\n2 2 1\n0 2 1\n' >file.mtx
refuse_file "row 0" ":3:|row '0'|from 1 to 2" file.mtx
mtx 'pattern symmetric\n2 2 3\n1 2\n2 2\n%% end\n' >file.mtx
refuse_file "fewer entries than promised" "2 edges|promises 3" file.mtx
mtx 'pattern general\n2 2 1\n1 2\n2 1\n' >file.mtx
refuse_file "more entries than promised" "2 edges|promises 1" file.mtx
{ mtx 'real general\n2 2 1\n1 2 ' && head -c 1048576 /dev/zero | tr '\0' 7; } >file.mtx
refuse_file "number of 1 MiB" ":3:|longer than 4096 bytes" file.mtx
array() {
    printf '%%%%MatrixMarket matrix array '
    printf "$@"
}
array 'pattern general\n1 1\n1\n' >file.mtx
refuse_file "an array of nothing" ":1:|integer or real" file.mtx
array 'real general\n' >file.mtx
refuse_file "an array without a size" ":2:|'ROWS COLUMNS'" file.mtx
array 'real general\n2 2 4\n1\n2\n3\n4\n' >file.mtx
refuse_file "an array with a count" ":2:|'4' follows the last of 2 fields" file.mtx
array 'real general\n2 3\n1\n2\n3\n4\n5\n6\n' >file.mtx
refuse_file "an array that is not square" ":2:|square|2 x 3" file.mtx
array 'real general\n1000000000 1000000000\n1\n' >file.mtx
refuse_file "an array of 10^18 entries" ":2:|promises 1000000000000000000 lines" file.mtx
array 'integer general\n2 2\n0\n1\n2\n%% end\n' >file.mtx
refuse_file "an array cut short" ":7:|ends after 3 of 4 entries" file.mtx
array 'integer symmetric\n2 2\n0\n1\n0\n4\n' >file.mtx
refuse_file "an array with an entry left over" ":6:|after the last entry of the array comes '4'" \
    file.mtx
array 'integer general\n2 2\n0\n1 2\n0\n' >file.mtx
refuse_file "an array with two entries on a line" ":4:|'2' follows" file.mtx
array 'integer general\n2 2\n0\ninf\n0\n0\n' >file.mtx
refuse_file "an infinity among whole entries" ":4:|entry 'inf'|integer" file.mtx
array 'integer general\n2 2\n0\n4611686018427387903\n0\n0\n' >file.mtx
refuse_file "an entry of 63 bits" ":4:|finite weight|'4611686018427387903'" file.mtx
array 'real general\n2 2\n0\n-inf\n0\n0\n' >file.mtx
refuse "an infinity that is to be a weight" 3 "file.mtx:4:|finite weight|'-inf'" --no-edge 0,nan \
    file.mtx out
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >file.lfs
for name in file.gml file.npz file.txt file; do
    cp file.lfs "$name"
    refuse "a pointer of Git LFS, $name" 3 "$name:|pointer of Git LFS|git lfs pull" "$name" out
done
refuse "a pointer of Git LFS with --format" 3 "pointer of Git LFS" --format list file out
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 inf\n' >file.mtx
refuse "an infinite entry that is to be a weight" 3 "file.mtx:3:|weight 'inf'|finite" \
    --no-edge 0,nan file.mtx out
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n' >file.mtx
refuse "--no-edge of a pattern" 2 "is a pattern" --no-edge 0 file.mtx out
printf '*Vertices 2\n*Arcs\n1 3\n' >file.net
refuse_file "Pajek, no such vertex" ":3:|vertex '3'|from 1 to 2" file.net
printf '*Arcs\n1 2\n' >file.net
refuse "Pajek, no vertices" 3 "file.net:1:|'*Vertices N' must come before" --format pajek file.net \
    out
printf '*Vertices 2\n*Colours\n' >file.net
refuse_file "Pajek, no such section" ":2:|'*Colours'" file.net
printf '*Vertices 2000000000\n' >file.net
refuse_file "Pajek, many vertices" ":1:|more vertices than the file has bytes" file.net
printf '*Vertices 2\n*Matrix\n0\n' >file.net
refuse_file "Pajek, a short row" ":3:|ends too early" file.net
printf "a b {'weight': 3}\nb c {'weight': }\n" >file.edgelist
refuse_file "a dict without a weight" ":2:|weight of the edge is missing" file.edgelist
printf "a b {'weight': 3}\nb c {'weight' 3}\n" >file.edgelist
refuse_file "no dict" ":2:|a dict of Python" file.edgelist
printf '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": [2]}]}' >file.json
refuse_file "JSON, an end that is none" "links[0]|a text, or a number" file.json
printf '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}' >file.json
refuse_file "JSON, an end that is no vertex" "'2' is the id of no vertex" file.json
printf '{"nodes": [{"id": 1}]}' >file.json
refuse_file "JSON without edges" 'no array "links" or "edges"' file.json
printf '{"nodes": [' >file.json
refuse_file "JSON that does not end" "is not valid JSON" file.json
printf '{"nodes": [{"id": 9007199254740994}], "links": []}' >file.json
refuse_file "JSON, a number that is not exact" "nodes[0]|2^53" file.json
printf '<gexf><graph><nodes><node id="0"><nodes/></node></nodes></graph></gexf>' >file.gexf
refuse_file "GEXF, vertices within a vertex" ":1:|nested vertices" file.gexf
printf '<gexf></gexf>' >file.gexf
refuse_file "GEXF without a graph" "holds no <graph>" file.gexf
printf 'p edge 2 1\na 1 2 3\n' >file.gr
refuse_file "DIMACS, an arc among edges" ":2:|neither an edge 'e U V'" file.gr
printf '3 1 1\n2 1.5\n1 -1.5\n\n' >file.graph
refuse_file "METIS, a decimal below 0" ":3:|below 0|'-1.5'" file.graph
printf '# a\nb 1 x\n' >file.lgl
refuse_file "LGL, three words" ":2:|a vertex and perhaps a weight" file.lgl
printf '# a b\nc\n' >file.lgl
refuse_file "LGL, a vertex of two words" ":1:|one word" file.lgl
printf 'a\n# a\nb\n' >file.lgl
refuse_file "LGL, an edge of no vertex" ":1:|before a line" file.lgl
printf '# a\nb x\n' >file.lgl
refuse_file "LGL, a word as weight" ":2:|weight 'x'" file.lgl
array 'real general\n2 2\n0\nnana\n0\n0\n' >file.mtx
refuse_file "a word in an array" ":4:|entry 'nana'|finite decimal" file.mtx

# gml TEXT: a graph of it.
gml() {
    printf "graph [ node [ id 1 ] node [ id 2 ]\n$1" >file.gml
}
gml 'edge [ source 1 target 3 ] ]'
refuse_file "GML, an end that is no vertex" ":2:|'3'|the id of no vertex" file.gml
gml 'edge [ source 1 ] ]'
refuse_file "GML, an edge without an end" ":2:|the target of an edge is missing" file.gml
gml 'edge [ source 1 target 2 weight "x" ] ]'
refuse_file "GML, a word for a weight" ":2:|weight 'x'" file.gml
gml 'edge [ source 1 target 2 weight NAN ] ]'
refuse_file "GML, not a number" ":2:|weight 'NAN'" file.gml
gml 'edge [ source [ x 1 ] target 2 ] ]'
refuse_file "GML, a list for an end" ":2:|a list, where a number" file.gml
gml 'node [ id 2 ] ]'
refuse_file "GML, a vertex twice" ":2:|'2' is declared twice" file.gml
gml 'node [ label "x" ] ]'
refuse_file "GML, a vertex without an id" ":2:|the id of a vertex is missing" file.gml
gml 'node [ id 3 graph [ ] ] ]'
refuse_file "GML, a nested graph" ":2:|a graph within a graph" file.gml
gml '] graph [ ]'
refuse_file "GML, two graphs" ":2:|a second graph" file.gml
gml 'edge [ source 1'
refuse_file "GML, a list that does not end" ":2:|ends within a list" file.gml
gml 'name "x'
refuse_file "GML, a quote that does not end" ":2:|a quote does not end" file.gml
gml 'name { } ]'
refuse_file "GML, another language" ":2:|neither of a key" file.gml
gml 'name ]'
refuse_file "GML, a key without a value" ":2:|a key has no value" file.gml
gml '1 2 ]'
refuse_file "GML, a number for a key" ":2:|a key is needed" file.gml
gml 'name "\0" ]'
refuse_file "GML, a byte 0" ":2:|a byte 0" file.gml
gml 'node [ id "\n" ] ]'
refuse_file "GML, a line feed in an id" ":2:|a control character" file.gml
printf 'graph [ ]' >file.gml
refuse_file "GML, no vertices" "has no vertices" file.gml
printf 'name "x"' >file.gml
refuse_file "GML, no graph" "holds no 'graph [ ... ]'" file.gml

# graphml KIND TEXT: a graph of it.
graphml() {
    printf '<graphml><graph %s><node id="a"/><node id="b"/>\n%s</graph></graphml>' "$1" \
        "$2" >file.graphml
}
graphml 'edgedefault="directed"' '<edge source="a" target="c"/>'
refuse_file "GraphML, an end that is no vertex" ":2:|'c'|the id of no vertex" file.graphml
graphml 'edgedefault="directed"' '<edge source="a"/>'
refuse_file "GraphML, an edge without an end" ":2:|the target of an edge is missing" file.graphml
graphml 'edgedefault="directed"' '<node id="a"/>'
refuse_file "GraphML, a vertex twice" ":2:|'a' is declared twice" file.graphml
graphml 'edgedefault="directed"' '<edge source="a" target="b" directed="maybe"/>'
refuse_file "GraphML, an unknown direction" ":2:|neither true nor false" file.graphml
graphml '' ''
refuse_file "GraphML, no edgedefault" ":1:|edgedefault" file.graphml
graphml 'edgedefault="directed"' '</graph><graph edgedefault="directed">'
refuse_file "GraphML, two graphs" ":2:|a second graph" file.graphml
graphml 'edgedefault="directed"' '<node id="c">'
refuse_file "GraphML, tags that do not match" ":2:|not XML: mismatched tag" file.graphml
printf '<graphml>' >file.graphml
refuse_file "GraphML, cut short" ":1:|not XML" file.graphml
printf '<graphml/>' >file.graphml
refuse_file "GraphML, no graph" "holds no <graph>" file.graphml
printf '<other><graphml/></other>' >file.graphml
refuse_file "GraphML, another root" ":1:|the root element" file.graphml
printf \
    '<graphml><key id="w" for="edge" attr.name="weight"><default>x</default></key><graph edgedefault="directed"><node id="a"/>\n<edge source="a" target="a"/></graph></graphml>' \
    >file.graphml
refuse_file "GraphML, a word for a default" ":2:|weight 'x'" file.graphml

printf '1 2 3\n1 2\n' >file.csv
refuse_file "a list with a short line" ":2:|2 fields|first line has 3" file.csv
printf '1 2 3 4\n' >file.csv
refuse_file "a list of four columns" ":1:|4 columns|--columns FROM,TO,WEIGHT" file.csv
printf 'a,b,1\nb,c,x\n' >file.csv
refuse_file "a list with a word for a weight" ":2:|weight 'x'" file.csv
printf 'a,b\n"b,c\n' >file.csv
refuse_file "a list with half a quote" ":2:|quote" file.csv
printf 'a,b,1\na,b,x\na,b\n' >file.csv
refuse_file "a list, the first of two bad lines" ":2:|weight 'x'" file.csv
{ printf 'a,b,1\na,,1\na,' && head -c 5000 /dev/zero | tr '\0' b; } >file.csv
refuse_file "a list, a bad line before one that is too long" ":2:|has no name" file.csv
{ printf 'a,b,1\na,' && head -c 5000 /dev/zero | tr '\0' b; } >file.csv
refuse_file "a list with a line of 5000 bytes" ":2:|longer than 4096 bytes" file.csv
printf '# nothing\n' >file.csv
refuse_file "a list of nothing" "without an edge" file.csv
printf 'a b c\n1 2 3\n' >file.csv
refuse "columns that there are not" 3 "file.csv|--columns|'weight'" --columns 1,2,weight file.csv \
    out
printf 'a,b\nb,a\na,b\n' >file.csv
refuse "parallel edges, of a list" 3 \
    "file.csv:3 and file.csv:1: there are parallel edges from a to b|--multi-edges" \
    --multi-edges error file.csv out
refuse "an unknown way with parallel edges" 2 "--multi-edges most|min, sum, error" \
    --multi-edges most file.csv out
printf 'what is this thing?\n' >file
refuse_file "text of no kind" \
    "text that begins with 'what is this thing?'|edges32, gr, mtx, gml, graphml, gexf, lgl, pajek, dicts, json, list, table, metis, npz, npy" \
    file
printf 'PK\003\004' >file
refuse_file "a ZIP archive" "a ZIP archive|--format" file
printf '%% nothing\n' >file.graph
refuse_file "METIS, no header" ":2:|'VERTICES EDGES'" file.graph
printf '2\n2\n1\n' >file.graph
refuse_file "METIS, half a header" ":1:|number of edges is missing" file.graph
printf '2 1 2\n2\n1\n' >file.graph
refuse_file "METIS, a digit of the format" ":1:|0 or 1" file.graph
printf '2 1 1 1 1\n2 1\n1 1\n' >file.graph
refuse_file "METIS, a header too long" ":1:|'1' follows the last of 4 fields" file.graph
printf '1000000000 1\n2\n1\n' >file.graph
refuse_file "METIS, 10^9 vertices" ":1:|promises 1000000000 vertices|the 4 bytes after it" \
    file.graph
printf '2 1000000000\n2\n1\n' >file.graph
refuse_file "METIS, 10^9 edges" ":1:|1000000000 edges|the 4 bytes after it" file.graph
printf '2 1\n2\n3\n' >file.graph
refuse_file "METIS, a neighbour that is none" ":3:|neighbour '3'|from 1 to 2" file.graph
printf '2 1\n2\n0\n' >file.graph
refuse_file "METIS, a neighbour 0" ":3:|neighbour '0'|from 1 to 2" file.graph
printf '2 1 1\n2 5\n1\n' >file.graph
refuse_file "METIS, a weight missing" ":3:|weight of an edge is missing" file.graph
printf '2 1 1\n2 5\n1 -5\n' >file.graph
refuse_file "METIS, a weight below 0" ":3:|weight of an edge '-5'" file.graph
printf '2 1 11 2\n3 4 2 5\n3\n' >file.graph
refuse_file "METIS, a weight of a vertex missing" ":3:|weight of a vertex is missing" file.graph
printf '2 1 1\n2 5\n1 6\n' >file.graph
refuse_file "METIS, an edge with two weights" "undirected|both ends|the same weight" file.graph
printf '3 1\n2\n3\n\n' >file.graph
refuse_file "METIS, edges from one end" "undirected|both ends" file.graph
printf '3 1\n2\n1\n' >file.graph
refuse_file "METIS, a line missing" ":4:|ends after 2 of 3 vertices" file.graph
printf '2 1\n2\n1\n1\n' >file.graph
refuse_file "METIS, a line left over" ":4:|after the lines of all vertices comes '1'" file.graph
printf '2 2\n2\n1\n%% end\n' >file.graph
refuse_file "METIS, fewer edges than promised" "2 edges|promises 4" file.graph
{ printf '2 1 100\n1 2\n' && head -c 1200000 /dev/zero | tr '\0' 0 && echo 1; } >file.graph
refuse_file "METIS, a number of 1 MiB" ":3:|too many digits" file.graph
printf '2 1\n2\0\n1\n' >file.graph
refuse_file "METIS, NUL" ":2:|neighbour '2?'" file.graph

words 2147483647 0 >file.bin
refuse "n = 2^31-1" 4 "2147483647" file.bin out
# 10^9 of what there is nothing of in the file.
words 1000000000 1 0 1 3 >file.bin
printf 'p sp 1000000000 1\na 1 2 3\n' >file.gr
mtx 'pattern general\n1000000000 1000000000 1\n1 2\n' >file.mtx
for file in file.bin file.gr file.mtx; do
    refuse "10^9 vertices, ${file#*.}" 4 "1000000000 vertices need|GiB" $file out
    refuse "10^9 vertices, ${file#*.}, rows of one" 4 "1000000000 vertices need|GiB" --sources 1 \
        --stats - $file
    refuse "10^9 vertices, ${file#*.}, the largest component" 4 \
        "1000000000 vertices and 1 edges need|GiB of memory" --largest-component $file
done
words 2 1000000000 0 1 3 >file.bin
refuse_file "10^9 edges" "byte 4|m = 1000000000|12000000008 bytes|has 20" file.bin
printf 'p sp 2 1000000000\na 1 2 3\n' >file.gr
refuse_file "10^9 edges in text" ":1:|promises 1000000000 lines|8 bytes" file.gr
mtx 'pattern general\n2 2 1000000000\n1 2\n' >file.mtx
refuse_file "10^9 entries" ":2:|promises 1000000000 lines|4 bytes" file.mtx
{ echo 'a,b,1' && head -c 1048576 /dev/zero | tr '\0' x && echo ',a,1'; } >file.csv
refuse_file "a name of 1 MiB" ":2:|longer than 4096 bytes" file.csv

refuse "missing file" 5 "missing.bin|No such file" missing.bin out
mkdir directory
refuse "directory" 5 "directory|a directory" directory out
mkfifo pipe
refuse "FIFO" 5 "pipe|a pipe" pipe out
refuse "output directory missing" 5 "none/out|No such file" good.bin none/out
refuse "output is a directory" 5 "directory" good.bin directory
mkdir full
if mount -t tmpfs -o size=64k none full 2>/dev/null; then
    trap 'umount "$work/full"; rm -rf "$scratch"' EXIT
    "$gen" path -n 1000 -w 1:1 -o path.bin
    refuse "output directory full" 5 "full/out|No space left" path.bin full/out
else
    echo "skip bad_input: output directory full: needs the right to mount"
fi
chmod 0 good.gr
if [ -r good.gr ]; then
    echo "skip bad_input: unreadable file: root reads all"
else
    refuse "unreadable file" 5 "good.gr|Permission denied" good.gr out
fi
chmod 644 good.gr

refuse "output equal to input" 2 "good.bin" --force good.bin good.bin
ln -s good.bin link
refuse "output is a link to the input" 2 "link" --force good.bin link
ln -s . here
mkdir below
refuse "one output twice" 2 "DISTANCES 's.bin'|--predecessors 's.bin'|the same file" \
    --predecessors s.bin good.bin s.bin
refuse "one output twice, by a dot" 2 "'./s.bin'|'s.bin'|the same file" --predecessors s.bin \
    good.bin ./s.bin
refuse "one output twice, by a link to the folder" 2 "'here/s.bin'|the same file" \
    --json here/s.bin good.bin s.bin
refuse "one output twice, by its whole path" 2 "'$work/s.bin'|the same file" --json "$work/s.bin" \
    --predecessors below/../s.bin good.bin
refuse "one output twice, as standard output" 2 "'-'|'/dev/stdout'|the same file" --json - \
    good.bin /dev/stdout
refuse "one output twice, the order" 2 "--save-order 's.bin'|the same file" --save-order s.bin \
    good.bin s.bin
printf old >exists
refuse "output exists" 2 "exists|--force" good.bin exists
ln -s nowhere dangling
refuse "output is a dangling link" 2 "dangling|--force" good.bin dangling
refuse "unknown option" 2 "'--what'|apsp --help" --what good.bin out
refuse "bad number" 2 "--threads|'2x'|from 1 to 4096|apsp --help" --threads 2x good.bin out
refuse "number too large" 2 "--tile|'4294967297'|to 65536|apsp --help" --tile 4294967297 good.bin \
    out
refuse "too many arguments" 2 "'three'|apsp --help" good.bin out three
refuse "no arguments" 2 "GRAPH|apsp --help"
refuse "unknown format" 2 "--format toml|not one of|edges32" --format toml good.bin out
refuse "unknown type" 2 "--dtype|i9" --dtype i9 good.bin out

complaint=$(attempt 2 "--ranks 65536|at most|processors" "$apsp" --ranks 65536 good.bin out)
[ -z "$complaint" ] || printf '# %s\n' "$complaint"
check "bad_input: more ranks than the machine bears" [ -z "$complaint" ]

# What looks bad and is not.
printf 'c crlf\r\np sp 2 1\r\na 1 2 3\r\n' >file.gr
accept() {
    words 0 3 1073741823 0 >"$scratch/right"
    rm -f out
    timeout 60 mpirun --oversubscribe -n 3 "$apsp" --quiet "$1" out >"$log" 2>&1
    status=$?
    [ $status -eq 0 ] && cmp -s out "$scratch/right"
}
check "bad_input: CRLF is accepted" accept file.gr
rm -f out below/out
timeout 60 "$apsp" --quiet --predecessors below/out file.gr out >"$log" 2>&1
check "bad_input: one name in two folders is accepted" [ $? -eq 0 -a -s out -a -s below/out ]
finish
