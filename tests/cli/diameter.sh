#!/bin/sh
# --diameter: refusals, a path, standard output; then diameter.py, with the Python PYTHON (default
# python3).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# A path of 101 vertices both ways, and one vertex alone, whose eccentricity is 0.
{ echo '%%MatrixMarket matrix coordinate integer symmetric' && echo '102 102 100' && seq 100 |
    awk '{ print $1 + 1, $1, 2 }'; } >"$scratch/graph.mtx"
path() { # OPTIONS...
    "$BUILD/apsp" --quiet --device cpu --diameter - "$@" "$scratch/graph.mtx" |
        tr -d '\t\n ' >"$scratch/text" &&
        grep \
            -q \
            '^{"vertices":102,"connected":false,"searches":[0-9]*,"diameter":200,"radius":0,"centre":\[102\],"periphery":\[1,101\]}$' \
            "$scratch/text"
}
few() { # MOST: searches
    [ "$(sed 's/.*"searches":\([0-9]*\),.*/\1/' "$scratch/text")" -le "$1" ]
}
check "diameter: a path" path
check "diameter: a path by few searches" few 20
check "diameter: a path, dense" path --method dense
check "diameter: a path on 3 ranks" path --ranks 3
check "diameter: beside statistics" path --stats "$scratch/stats.json"
check "diameter: beside exact quantiles, whose passes come first" path --count exact \
    --stats "$scratch/exact.json"
alone() { # OPTIONS...
    "$BUILD/apsp" --quiet --device cpu --diameter - --diameter-alone "$@" "$scratch/graph.mtx" |
        tr -d '\t\n ' >"$scratch/text" &&
        grep -q '^{"vertices":102,"connected":false,"searches":[0-9]*,"diameter":200}$' \
            "$scratch/text"
}
check "diameter: alone" alone
check "diameter: alone, on 3 ranks" alone --ranks 3
"$BUILD/apsp" --diameter "$scratch/none.csv" --diameter-alone "$scratch/graph.mtx" 2>"$scratch/log"
check "diameter: alone, but a table" [ $? -eq 2 ]
check "diameter: a table has all" grep -q 'has all eccentricities' "$scratch/log"
"$BUILD/apsp" --diameter-alone "$scratch/graph.mtx" 2>"$scratch/log"
check "diameter: alone, without a file" [ $? -eq 2 ]
"$BUILD/apsp" --diameter "$scratch/none.json" --sources 1,2 "$scratch/graph.mtx" 2>"$scratch/log"
check "diameter: of some sources" [ $? -eq 2 ]
check "diameter: and says so" grep -q 'without --sources' "$scratch/log"
check "diameter: and writes nothing" [ ! -e "$scratch/none.json" ]

"${PYTHON:-python3}" tests/cli/diameter.py "$BUILD/apsp" "$scratch" 60 >"$scratch/log" 2>&1
status=$?
cat "$scratch/log"
[ $status -ne 77 ] || echo "skip diameter: $(tail -n 1 "$scratch/log")"
finish
