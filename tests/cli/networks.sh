#!/bin/sh
# GML and GraphML end to end: what networkx and igraph write, the dialects of others, hostile
# content, expat missing. PYTHON names a Python that has the libraries.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

for library in networkx igraph; do
    "${PYTHON:-python3}" tests/cli/networks.py $library "$BUILD/apsp" "$scratch"
    status=$?
    if [ $status -eq 77 ]; then
        echo "skip networks: $library is not installed"
    else
        check "networks: files of $library give its distances" [ $status -eq 0 ]
    fi
done

# gives EXPECTED FILE [OPTION...]: the statistics, without the head and in one line, on 1 and 3
# ranks.
gives() {
    expected=$1
    file=$2
    shift 2
    for ranks in 1 3; do
        rm -f "$scratch/stats.csv"
        mpi $ranks "$BUILD/apsp" --quiet --stats "$scratch/stats.csv" "$@" "$file" || return 1
        found=$(tail -n +2 "$scratch/stats.csv" | cut -d , -f 1,3,4 | tr '\n' ' ')
        [ "$found" = "$expected" ] || {
            echo "# found: $found"
            return 1
        }
    done
}

# refuses CODE WORDS FILE [OPTION...]
refuses() {
    code=$1
    words=$2
    file=$3
    shift 3
    "$BUILD/apsp" --quiet "$@" "$file" 2>"$scratch/log"
    [ $? -eq "$code" ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] &&
        grep -q -- "$words" "$scratch/log" && return
    echo "# $(cat "$scratch/log")"
    return 1
}

gml=$scratch/graph.gml
xml=$scratch/graph.graphml

# As yEd: lists of graphics, edges before vertices, ids of any numbers; `directed` comes last.
printf \
    '\357\273\277Creator "yFiles"\r\nVersion 2.15\r\ngraph\r\n[ hierarchic 1 edge [ source 70 target -5 graphics [ Line [ point [ x 0.0 ] ] ] ] # here
  node [ id 70 label "a&#38;b" graphics [ x 1.0 label "none" ] ]
  node [ id -5 label "&#252;&nothing;" ]
  edge [ source -5 target 9 weight 2.5 ] node [ id 9 label 3 ] directed 1 ]' >"$gml"
check "networks: GML of yEd" gives 'a&b,4.5,3 "ü&nothing;",2.5,2 3,0,1 ' "$gml"
check "networks: GML by its content" gives 'a&b,4.5,3 "ü&nothing;",2.5,2 3,0,1 ' \
    "$(cp "$gml" "$scratch/some" && echo "$scratch/some")"
printf \
    'graph [ node [ id 4 label "x" ] node [ id 6 label "x" ] node [ id 8 ] edge [ source 4 target 6 value 3 ] edge [ source 8 target 6 ] ]' \
    >"$gml"
check "networks: GML without labels of their own" gives "4,3,3 6,2,3 8,3,3 " "$gml"
check "networks: which the report says" sh \
    -c '"$1" "$2" | grep -q "^# .*vertices by id, since not all"' sh "$BUILD/apsp" "$gml"
check "networks: --weight-key" gives "4,7,3 6,4,3 8,5,3 " "$gml" --weight-key value
check "networks: a key that no edge has" refuses 3 "no edge has an attribute 'length'" "$gml" \
    --weight-key length
check "networks: which names those that some have" refuses 3 "'length': numbers are in \"value\"" \
    "$gml" --weight-key length
# notes WORDS [OPTION...]: of "$file".
notes() {
    words=$1
    shift
    "$BUILD/apsp" --force --json "$scratch/json" "$@" "$file" | grep -q "^#   .*$words" &&
        grep -q '"notes":' "$scratch/json"
}
file=$gml
check "networks: attributes that are not used" notes \
    'edges have "value", not used: weights are 1; --weight-key value takes it'
check "networks: and no note where they are" sh -c \
    '! "$1" --weight-key value "$2" | grep "not used"' sh "$BUILD/apsp" "$gml"
printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]' >"$gml"
check "networks: numbers in their order are no names" sh \
    -c '! "$1" "$2" | grep -q "by name\|by id"' sh "$BUILD/apsp" "$gml"

graphml() {
    printf \
        '<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">\n'
    cat
    echo '</graphml>'
}
# As Gephi and yEd: keys without attr.name, defaults, ports, foreign elements, edges of both kinds.
graphml >"$xml" <<'END'
<key id="d0" for="node" yfiles.type="nodegraphics"/><key attr.name="weight" for="node" id="n"><default>8</default></key>
<key attr.name="weight" attr.type="double" for="edge" id="w"><default> 2 </default></key>
<graph edgedefault="directed"><node id="a &amp; b"><port name="p"/><data key="d0"><y:ShapeNode><y:edge source="x" target="y"/></y:ShapeNode></data></node>
<edge source="a &amp; b" target="c" sourceport="p"/><node id="c"/><node id="d"><data key="n">7</data></node>
<edge id="e" source="c" target="d" directed="false"><data key="w"><![CDATA[3]]></data></edge>
<y:edge source="d" target="none"/></graph>
END
check "networks: GraphML of Gephi and yEd" gives "a & b,7,3 c,3,2 d,3,2 " "$xml"
check "networks: GraphML by its content" gives "a & b,7,3 c,3,2 d,3,2 " \
    "$(cp "$xml" "$scratch/some" && echo "$scratch/some")"
check "networks: GraphML, edges as they are written" gives "a & b,7,3 c,3,2 d,0,1 " "$xml" \
    --directed
sed -i 's/edgedefault="directed"/edgedefault="undirected"/; s/directed="false"/directed="true"/' \
    "$xml"
check "networks: GraphML, an edge in one direction alone" gives "a & b,7,3 c,5,3 d,0,1 " "$xml"

# As OSMnx writes roads: all values are strings.
graphml >"$xml" <<'END'
<key attr.name="length" for="node" id="n"/><key attr.name="osmid" attr.type="string" for="edge" id="a"/>
<key attr.name="oneway" attr.type="string" for="edge" id="b"/>
<key attr.name="length" attr.type="string" for="edge" id="c"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/>
<edge source="a" target="b"><data key="a">17</data><data key="b">True</data><data key="c">
 12.5 </data></edge></graph>
END
file=$xml
check "networks: GraphML, attributes that are not used" \
    notes 'edges have "osmid", "length", not used: weights are 1; --weight-key length'
check "networks: and the right one" gives "a,12.5,2 b,0,1 " "$xml" --weight-key length
check "networks: a misspelt one" refuses 3 "'lenght': numbers are in \"osmid\", \"length\"" "$xml" \
    --weight-key lenght

# LGL: names, vertices without an edge, weights or none.
net=$scratch/graph.net
printf \
    '%%%% of Pajek\n*Network x\n*Vertices 4\n1 "a b" 0.1 0.2\n2 c\n3 "d" ic Red\n4 e\n*Arcs :1 "likes"\n1 2 2.5 c Blue\n*Edges\n2 3\n*Edgeslist\n3 4\n' \
    >"$net"
check "networks: Pajek" gives "a b,10.5,4 c,3,3 d,2,3 e,3,3 " "$net"
printf '*vertices 3\n*matrix\n0 2 0\n0 0 3.0\n0.0 0 0\n' >"$net"
check "networks: a matrix of Pajek" gives "1,7,3 2,3,2 3,0,1 " "$net"
printf \
    '{"nodes": [{"name": "x"}, {"name": "y"}], "links": [{"source": 0, "target": 1, "value": 7}]}' \
    >"$scratch/d3.json"
check "networks: JSON of D3, ends by place" gives "x,1,2 y,1,2 " "$scratch/d3.json"
check "networks: JSON of D3, its value" gives "x,7,2 y,7,2 " "$scratch/d3.json" --weight-key value
check "networks: JSON tells of numbers that are not used" sh \
    -c '"$1" "$2" | grep -q "edges have \"value\", not used"' sh "$BUILD/apsp" "$scratch/d3.json"
printf "# networkx\n1 2 {'weight': 3, 'by': ['a', {'b': '}'}]}\n2 3 {}\n" >"$scratch/graph.edgelist"
check "networks: dicts of networkx" gives "1,7,3 2,1,2 3,0,1 " "$scratch/graph.edgelist"
printf \
    '<?xml version="1.0"?><gexf xmlns="http://gexf.net/1.3"><graph defaultedgetype="directed"><nodes><node id="0" label="u"/><node id="1" label="v"/><node id="2" label="w"/></nodes><edges><edge source="0" target="1" weight="2.5"/><edge source="1" target="2" type="undirected"/></edges></graph></gexf>' \
    >"$scratch/graph.gexf"
check "networks: GEXF" gives "u,6,3 v,1,2 w,1,2 " "$scratch/graph.gexf"
printf 'c PACE\np tw 3 2\n1 2\n2 3\n' >"$scratch/graph.gr"
check "networks: PACE" gives "1,3,3 2,2,3 3,3,3 " "$scratch/graph.gr"
printf 'p edge 3 2\ne 1 2\ne 2 3\n' >"$scratch/graph.col"
check "networks: DIMACS without weights, by its content" gives "1,3,3 2,2,3 3,3,3 " \
    "$scratch/graph.col"
printf '3 2 1\n2 1.5\n1 1.5 3 2\n2 2\n' >"$scratch/graph.metis"
check "networks: METIS with decimals" gives "1,5,3 2,3.5,3 3,5.5,3 " "$scratch/graph.metis"
printf '%%%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 4\n3 2 -5\n' \
    >"$scratch/skew.mtx"
check "networks: a skew-symmetric matrix" gives "1,-3,3 2,9,3 3,-6,3 " "$scratch/skew.mtx"

lgl=$scratch/graph.lgl
printf '# a\nb\nc 2.5\n# d\n# b\r\nc 1\n' >"$lgl"
check "networks: LGL" gives "a,3,3 b,2,3 c,3,3 d,0,1 " "$lgl"
cp "$lgl" "$scratch/some.txt"
check "networks: LGL by its content" gives "a,3,3 b,2,3 c,3,3 d,0,1 " "$scratch/some.txt"
check "networks: LGL, edges as they are written" gives "a,3,3 b,1,2 c,0,1 d,0,1 " "$lgl" --directed
for separator in ' ' , ';' '|'; do
    printf '# edges\na%sb\nb%sc\n' "$separator" "$separator" >"$scratch/some.txt"
    check "networks: a list with '$separator' below a comment" gives "a,3,3 b,1,2 c,0,1 " \
        "$scratch/some.txt"
done

# keys KEY_BEFORE KEY_AFTER: of two vertices an edge whose data are those of w and v.
keys() {
    echo "$1<graph edgedefault='directed'><node id='a'/><node id='b'/>
<edge source='a' target='b'><data key='w'>7</data><data key='v'>5</data></edge></graph>$2" |
    graphml >"$xml"
}
w="<key id='w' for='edge' attr.name='weight' attr.type='int'/>"
v="<key id='v' for='edge' attr.name='weight' attr.type='int'><default>3</default></key>"
keys "$w" "<key id='v' for='edge' attr.name='cost'/>"
check "networks: a key of others after the graph" gives "a,7,2 b,0,1 " "$xml"
check "networks: the key of the weights after the graph" refuses 3 \
    ":4: the key for the weights .* after the graph" "$xml" --weight-key cost
keys "" "$w"
check "networks: and that without an option" refuses 3 "after the graph" "$xml"
keys "$v
$w" ""
check "networks: two keys of the weights" refuses 3 ":4: a second key for the weights" "$xml"
keys "<key for='edge' attr.name='weight'/>" ""
check "networks: a key without an id" refuses 3 "has no id" "$xml"

graphml >"$xml" <<'END'
<graph edgedefault="directed"><node id="a"><graph edgedefault="directed"><node id="b"/></graph></node></graph>
END
check "networks: a nested graph" refuses 3 ":3: a graph within a graph" "$xml"
graphml >"$xml" <<'END'
<graph edgedefault="directed"><node id="a"/>
<hyperedge><endpoint node="a"/></hyperedge></graph>
END
check "networks: a hyperedge" refuses 3 ":4: a hyperedge" "$xml"

{ echo '<!DOCTYPE graphml SYSTEM "none.dtd">' && echo \
    '<graphml><graph edgedefault="directed"><node id="a"/></graph></graphml>'; } >"$xml"
check "networks: a DTD elsewhere, which is not read" gives "a,0,1 " "$xml"

# Entities that grow to 10^9, elements and lists deep within one another, long names, tags and
# comments.
{
    printf '<?xml version="1.0"?>\n<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa">\n'
    for pair in b:a c:b d:c e:d f:e g:f h:g i:h; do
        from=${pair#*:}
        printf '<!ENTITY %s "&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;">\n' "${pair%:*}" $from \
            $from $from $from $from $from $from $from $from $from
    done
    printf ']><graphml><graph edgedefault="directed"><node id="&i;"/></graph></graphml>'
} >"$xml"
check "networks: entities" refuses 3 ":2: a DTD of its own" "$xml"
# Entities that are large or elsewhere.
while IFS='|' read -r name declared; do
    printf \
        '<!DOCTYPE graphml [\n%s\n]>\n<graphml><graph edgedefault="directed"><node id="&a;&a;&a;"/></graph></graphml>' \
        "$declared" >"$xml"
    check "networks: $name" refuses 3 ":1: a DTD of its own" "$xml"
done <<END
a long entity|<!ENTITY a "$(head -c 100000 /dev/zero | tr '\0' x)">
an entity of another file|<!ENTITY a SYSTEM "file:///etc/passwd">
an entity of a parameter|<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;
END
yes '<x>' | head -n 1000000 | graphml >"$xml"
check "networks: deep elements" refuses 3 ":101: elements within one another deeper than 100" "$xml"
{ printf 'graph [ ' && yes 'a [' | head -n 1000000; } >"$gml"
check "networks: deep lists" refuses 3 "lists within one another deeper than 100" "$gml"

# long BYTES: so many letters.
long() {
    head -c "$1" /dev/zero | tr '\0' x
}
{ printf '<graph edgedefault="directed"><node id="' && long 5000 && printf '"/></graph>'; } |
    graphml >"$xml"
check "networks: a long id of GraphML" refuses 3 \
    ":3: the id of a vertex is longer than 4096 bytes" "$xml"
{ printf 'graph [ node [ id 1 label "' && long 5000000 && printf '" ] ]'; } >"$gml"
check "networks: a long text of GML is no label" gives "1,0,1 " "$gml"
{ printf 'graph [ node [ id ' && long 1048576 && printf ' ] ]'; } >"$gml"
check "networks: a long id of GML" refuses 3 ":1: a key or a number is longer than 4096 bytes" \
    "$gml"
within_memory() {
    (
        limit_memory 600000
        refuses "$@"
    )
}
{ printf '<!--' && long 700000000 && printf -- '-->'; } | graphml >"$xml"
check "networks: a comment of 700 MB" within_memory 3 \
    ":3: a tag or a comment is longer than 1048576 bytes" "$xml"
awk 'BEGIN { for (i = 0; i < 2000000; i++) printf "<x a%d=\"\"/>\n", i }' | graphml >"$xml"
check "networks: 2,000,000 names of attributes" within_memory 3 \
    "expat takes more memory than 67108864 bytes" "$xml"
rm -f "$xml"

graphml >"$xml" <<'END'
<graph edgedefault="directed"><node id="a"/></graph>
END
if without libexpat.so.1 true 2>/dev/null; then
    without libexpat.so.1 "$BUILD/apsp" --quiet "$xml" 2>"$scratch/log"
    check "networks: without expat" [ $? -eq 5 ]
    check "networks: which names the package" grep \
        -q 'libexpat.so.1 .*install the package libexpat1$' "$scratch/log"
else
    echo "skip networks: without expat: needs the right to mount"
fi
finish
