#!/bin/sh
# --isochrones: a chain as CSV and GeoJSON, coordinates of DIMACS and GraphML, and refusals. Then
# isochrones.py on random graphs, ISOCHRONES of them.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
d=$scratch

printf '%s\n' 'p sp 4 4' 'a 1 2 3' 'a 2 3 4' 'a 3 4 5' 'a 4 1 1' >"$d/graph.gr"
printf '%s\n' 'c places, with a comma' 'p aux sp co 4' 'v 1 -73500000 41000000' \
    'v 2 -73250000 41500000' 'v 4 0 0' 'v 3 1 -1' >"$d/graph.co"

pairs=
gives() { # FILE OPTIONS...
    right=$1
    out=$d/out.${right##*.}
    shift
    for ranks in 1 2; do
        rm -f "$out"
        mpi $ranks "$BUILD/apsp" --quiet --device cpu "$@" --isochrones "$out" "$d/graph.gr" \
            $pairs && cmp "$out" "$d/$right" || return 1
    done
}
printf '%s\n' source,vertex,distance,cutoff 3,1,6,9 3,2,9,9 3,3,0,5 3,4,5,5 1,1,0,5 1,2,3,5 \
    1,3,7,9 >"$d/right.csv"
check "isochrones: lines" gives right.csv --sources 3,1 --cutoffs 9,5,9
printf '%s\n' source,vertex,distance,cutoff,x,y 1,1,0,3,-73.5,41 1,2,3,3,-73.25,41.5 \
    >"$d/right.csv"
places="--coordinates $d/graph.co"
check "isochrones: coordinates of DIMACS" gives right.csv --sources 1 --cutoffs 3 $places

printf '%s\n' name,lat,lon 1,41,-73.5 2,41.5,-73.25 3,0,0 4,0,0 >"$d/named.csv"
check "isochrones: coordinates by their names" gives right.csv --sources 1 --cutoffs 3 \
    --coordinates "$d/named.csv"
"$BUILD/apsp" --device cpu --force --isochrones "$d/out.csv" --sources 1 --cutoffs 3 \
    --coordinates "$d/named.csv" "$d/graph.gr" >"$d/log"
check "isochrones: the report names the columns" grep -q 'x is column 3 (lon), y column 2 (lat)' \
    "$d/log"

# feature SOURCE CUTOFF VERTICES PLACES END
feature() {
    printf '{"type":"Feature","properties":{"source":%s,' "$1"
    printf '"cutoff":%s,"vertices":[%s]},' "$2" "$3"
    printf '"geometry":{"type":"MultiPoint","coordinates":[%s]}}%s\n' "$4" "$5"
}
{
    echo '{"type":"FeatureCollection","features":['
    feature 1 3 1,2 '[-73.5,41],[-73.25,41.5]' ,
    feature 1 6.5 '' '' ,
    feature 2 3 2 '[-73.25,41.5]' ,
    feature 2 6.5 3 '[1e-06,-1e-06]' ''
    echo ']}'
} >"$d/right.geojson"
some="--sources 1,2 --cutoffs 3,6.5 $places"
check "isochrones: features" gives right.geojson $some
pairs=$d/pairs.csv
check "isochrones: beside accessibility and pairs" gives right.geojson $some \
    --access "$d/access.csv" --force

refuses() { # CODE TEXT OPTIONS...
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --isochrones "$d/none.geojson" "$@" \
            "$d/graph.gr" 2>"$d/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$d/log" && [ ! -e "$d/none.geojson" ] || return 1
    done
}
check "isochrones: no cutoffs" refuses 2 '--isochrones requires --cutoffs' $places
check "isochrones: a cutoff" refuses 2 \
    "expected a distance in the unit of the weights, found 'far'" $places --cutoffs 1,far
check "isochrones: no coordinates" refuses 2 'FILE.geojson requires --coordinates' --cutoffs 5
check "isochrones: no such file" refuses 5 'none.co' --coordinates "$d/none.co" --cutoffs 5
check "isochrones: widest paths" refuses 2 '--paths widest: has no --isochrones' --paths widest \
    $places --cutoffs 5

fails() { # TEXT OPTIONS...
    text=$1
    shift
    ! "$BUILD/apsp" "$@" "$d/graph.gr" 2>"$d/log" && grep -q "$text" "$d/log"
}
check "isochrones: coordinates alone" fails 'coordinates requires --isochrones' $places
check "isochrones: a suffix" fails 'is not written' --isochrones "$d/out.kml.zip" --cutoffs 1
check "isochrones: an input is no output" fails input --isochrones "$d/graph.co" --force $places \
    --cutoffs 1

wrong() { # TEXT LINE...
    text=$1
    shift
    printf '%s\n' "$@" >"$d/wrong.csv"
    refuses 3 "$text" --coordinates "$d/wrong.csv" --cutoffs 5
}
check "isochrones: a vertex without a line" wrong 'wrong.csv: vertex 3 has no coordinates' \
    name,x,y 1,0,0 2,0,0 4,0,0 9,0,0
check "isochrones: a vertex twice" wrong \
    "wrong.csv:2: expected a vertex that is not above in field 1, found '1'" 1,0,0 1,1,1
check "isochrones: no number" wrong "wrong.csv:2: expected a coordinate in field 3, found 'north'" \
    name,x,y 1,0,north
check "isochrones: fields" wrong 'wrong.csv:1: expected 3 fields, found 4' 1,0,0,0
check "isochrones: fields of DIMACS" wrong 'wrong.csv:2: expected 4 fields, found 3' \
    'p aux sp co 4' 'v 1 2'

# GraphML as OSMnx writes it: coordinates are strings; a vertex of no graph needs none.
graphml() { # LINE...
    echo '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    printf '%s\n' "$@" '</graphml>'
}
keys='<key id="d0" for="node" attr.name="y" attr.type="string"/>
<key id="d1" for="node" attr.name="x" attr.type="string"/>'
graph() { # LINE...
    graphml "$keys" '<graph edgedefault="directed">' "$@" '</graph>'
}
node() { # ID X Y
    echo "<node id=\"$1\"><data key=\"d0\">$3</data><data key=\"d1\">$2</data></node>"
}
graph "$(node 4 0 0 && node 1 -73.5 41 && node 2 -73.25 41.5 && node 3 1e-6 -1e-6)" \
    '<node id="9"/>' '<edge source="1" target="2"/>' >"$d/osm.xml"
check "isochrones: coordinates of GraphML" gives right.geojson --sources 1,2 --cutoffs 3,6.5 \
    --coordinates "$d/osm.xml" --force
"$BUILD/apsp" --device cpu --force --isochrones "$d/out.csv" --sources 1 --cutoffs 3 \
    --coordinates "$d/osm.xml" "$d/graph.gr" >"$d/log"
check "isochrones: the report names the attributes" grep -q 'x is "x" of vertices, y "y"' "$d/log"

wrong_xml() { # TEXT COMMAND...: the command writes the file
    text="wrong.xml:$1"
    shift
    "$@" >"$d/wrong.xml"
    check "isochrones: $text" refuses 3 "$text" --coordinates "$d/wrong.xml" --cutoffs 5
}
wrong_xml ' vertex 2 has no coordinates' graph "$(node 1 0 0)" \
    '<node id="2"><data key="d0">1</data></node>'
wrong_xml ' vertex 1 has no coordinates' graph
for value in nan -inf north '' 1e999; do
    wrong_xml "5: a coordinate '$value' is no finite number" graph "$(node 1 0 "$value")"
done
wrong_xml "5: a coordinate '0*...' is no" graph "$(node 1 "$(printf %04999d 0)" 0)"
wrong_xml "6: the vertex '1' is declared twice" graph "$(node 1 0 0)" "$(node 1 0 0)"
wrong_xml '5: the id of a vertex is missing' graph '<node><data key="d0">1</data></node>'
wrong_xml '5: the id .*longer than 4096 bytes' graph "$(node "$(printf %04999d 0)" 1 1)"
wrong_xml ' no key of vertices has one of the names: y lat latitude' graphml \
    '<key id="d0" for="node" attr.name="x"/>' '<key id="d1" for="edge" attr.name="y"/>'
wrong_xml "1: the root element is not 'graphml'" echo '<gexf/>'
wrong_xml '[0-9]*: this is not XML: mismatched tag' graph '<node id="1">'

"${PYTHON:-python3}" tests/cli/isochrones.py "$BUILD/apsp" "$scratch" "${ISOCHRONES:-40}"
finish
