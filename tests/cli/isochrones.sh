#!/bin/sh
# --isochrones: a chain as CSV and GeoJSON, coordinates of DIMACS, and refusals; then isochrones.py on random graphs, ISOCHRONES of them.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

printf '%s\n' 'p sp 4 4' 'a 1 2 3' 'a 2 3 4' 'a 3 4 5' 'a 4 1 1' >"$scratch/graph.gr"
printf '%s\n' 'c places, with a comma' 'p aux sp co 4' 'v 1 -73500000 41000000' 'v 2 -73250000 41500000' 'v 4 0 0' 'v 3 1 -1' >"$scratch/graph.co"

pairs=
gives() { # FILE OPTIONS...
    right=$1
    shift
    for ranks in 1 2; do
        rm -f "$scratch/out.${right##*.}"
        mpi $ranks "$BUILD/apsp" --quiet --device cpu "$@" --isochrones "$scratch/out.${right##*.}" "$scratch/graph.gr" $pairs &&
            cmp "$scratch/out.${right##*.}" "$scratch/$right" || return 1
    done
}
printf '%s\n' source,vertex,distance,cutoff 3,1,6,9 3,2,9,9 3,3,0,5 3,4,5,5 1,1,0,5 1,2,3,5 1,3,7,9 >"$scratch/right.csv"
check "isochrones: lines" gives right.csv --sources 3,1 --cutoffs 9,5,9
printf '%s\n' source,vertex,distance,cutoff,x,y 1,1,0,3,-73.5,41 1,2,3,3,-73.25,41.5 >"$scratch/right.csv"
check "isochrones: coordinates of DIMACS" gives right.csv --sources 1 --cutoffs 3 --coordinates "$scratch/graph.co"
cat >"$scratch/right.geojson" <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"source":1,"cutoff":3,"vertices":[1,2]},"geometry":{"type":"MultiPoint","coordinates":[[-73.5,41],[-73.25,41.5]]}},
{"type":"Feature","properties":{"source":1,"cutoff":6.5,"vertices":[]},"geometry":{"type":"MultiPoint","coordinates":[]}},
{"type":"Feature","properties":{"source":2,"cutoff":3,"vertices":[2]},"geometry":{"type":"MultiPoint","coordinates":[[-73.25,41.5]]}},
{"type":"Feature","properties":{"source":2,"cutoff":6.5,"vertices":[3]},"geometry":{"type":"MultiPoint","coordinates":[[1e-06,-1e-06]]}}
]}
END
check "isochrones: features" gives right.geojson --sources 1,2 --cutoffs 3,6.5 --coordinates "$scratch/graph.co"
pairs=$scratch/pairs.csv
check "isochrones: beside accessibility and pairs" gives right.geojson --sources 1,2 --cutoffs 3,6.5 --coordinates "$scratch/graph.co" \
    --access "$scratch/access.csv" --force

refuses() { # CODE TEXT OPTIONS...
    code=$1 text=$2
    shift 2
    for ranks in 1 2; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --isochrones "$scratch/none.geojson" "$@" "$scratch/graph.gr" 2>"$scratch/log"
        [ $? -eq "$code" ] && grep -q -e "$text" "$scratch/log" && [ ! -e "$scratch/none.geojson" ] || return 1
    done
}
check "isochrones: no cutoffs" refuses 2 '--isochrones requires --cutoffs' --coordinates "$scratch/graph.co"
check "isochrones: a cutoff" refuses 2 "--cutoffs: expected a distance, found 'far'" --coordinates "$scratch/graph.co" --cutoffs 1,far
check "isochrones: no coordinates" refuses 2 '--isochrones FILE.geojson requires --coordinates' --cutoffs 5
check "isochrones: coordinates alone" sh -c '! "$1" --coordinates "$2" "$3" 2>"$4" && grep -q "coordinates requires --isochrones" "$4"' \
    sh "$BUILD/apsp" "$scratch/graph.co" "$scratch/graph.gr" "$scratch/log"
check "isochrones: no such file" refuses 5 'none.co' --coordinates "$scratch/none.co" --cutoffs 5
check "isochrones: a suffix" sh -c '! "$1" --isochrones "$2" --cutoffs 1 "$3" 2>"$4" && grep -q "is not written" "$4"' \
    sh "$BUILD/apsp" "$scratch/out.kml.zip" "$scratch/graph.gr" "$scratch/log"
check "isochrones: an input is no output" sh -c '! "$1" --isochrones "$2" --force --coordinates "$2" --cutoffs 1 "$3" 2>"$4" && grep -q "input" "$4"' \
    sh "$BUILD/apsp" "$scratch/graph.co" "$scratch/graph.gr" "$scratch/log"
wrong() { # TEXT LINE...
    text=$1
    shift
    printf '%s\n' "$@" >"$scratch/wrong.csv"
    refuses 3 "$text" --coordinates "$scratch/wrong.csv" --cutoffs 5
}
check "isochrones: a vertex without a line" wrong 'wrong.csv: vertex 3 has no coordinates' name,x,y 1,0,0 2,0,0 4,0,0 9,0,0
check "isochrones: a vertex twice" wrong "wrong.csv:2: expected a vertex that is not above in field 1, found '1'" 1,0,0 1,1,1
check "isochrones: no number" wrong "wrong.csv:2: expected a coordinate in field 3, found 'north'" name,x,y 1,0,north
check "isochrones: fields" wrong 'wrong.csv:1: expected 3 fields, found 4' 1,0,0,0
check "isochrones: fields of DIMACS" wrong 'wrong.csv:2: expected 4 fields, found 3' 'p aux sp co 4' 'v 1 2'
check "isochrones: widest paths" refuses 2 '--paths widest: has no --isochrones' --paths widest --coordinates "$scratch/graph.co" --cutoffs 5

"${PYTHON:-python3}" tests/cli/isochrones.py "$BUILD/apsp" "$scratch" "${ISOCHRONES:-40}"
finish
