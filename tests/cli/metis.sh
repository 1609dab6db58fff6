#!/bin/sh
# Graph files of METIS and Chaco: every format code, with the distances of the same graph as .gr.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

# to_metis FORMAT CONSTRAINTS GRAPH: of a .gr whose edges lead both ways. The numbers of vertices
# are made up.
to_metis() {
    awk -v format="$1" -v constraints="$2" '
        $1 == "p" { n = $3; m = $4 }
        $1 == "a" { line[$2] = line[$2] " " $3 (format % 10 ? "\t" $4 : "") }
        END {
            print "% a comment"
            print n, m / 2, format, (constraints ? constraints : "")
            for (v = 1; v <= n; v++) {
                if (v % 7 == 0)
                    print "% in between"
                head = format >= 100 ? v + 5 : ""
                for (i = 0; i < (format % 100 >= 10 ? (constraints ? constraints : 1) : 0); i++)
                    head = head " " v * i
                print head line[v]
            }
        }' "$3"
}

# Both directions of random edges, without loops and parallel ones.
"$BUILD/apsp-gen" random -n 300 -d 4 -s 3 -w 1:99 -o "$scratch/directed.gr"
awk '$1 == "a" && $2 != $3 { u = $2 < $3 ? $2 : $3; v = $2 + $3 - u; if (!((u, v) in w)) {
    w[u, v] = $4; m += 2 } }
    END { print "p sp 301", m; for (e in w) { split(e, end, SUBSEP);
        print "a", end[1], end[2], w[e]; print "a", end[2], end[1], w[e] } }' \
    "$scratch/directed.gr" >"$scratch/graph.gr"
sed 's/^\(a .* \)[0-9]*$/\11/' "$scratch/graph.gr" >"$scratch/ones.gr"
"$BUILD/apsp" --quiet "$scratch/graph.gr" "$scratch/right"
"$BUILD/apsp" --quiet "$scratch/ones.gr" "$scratch/right-ones"

gives() {
    rm -f "$scratch/out"
    mpi "$3" "$BUILD/apsp" --quiet --verify=all "$2" "$scratch/out" && cmp -s "$1" "$scratch/out"
}
for format in 0 1 10 11 100 101 110 111 001 011; do
    case $format in
    *1) right=$scratch/right ;;
    *) right=$scratch/right-ones ;;
    esac
    for constraints in "" 3; do
        to_metis $format "$constraints" "$scratch/graph.gr" >"$scratch/graph.graph"
        check "metis: format $format${constraints:+, $constraints weights of a vertex}" gives \
            "$right" "$scratch/graph.graph" 1
    done
done
check "metis: on 3 ranks" gives "$scratch/right" "$scratch/graph.graph" 3
sed 's/$/\r/' "$scratch/graph.graph" >"$scratch/crlf.graph"
check "metis: CRLF" gives "$scratch/right" "$scratch/crlf.graph" 1
"$BUILD/apsp" --json "$scratch/metis.json" "$scratch/graph.graph" >"$scratch/log"
"$BUILD/apsp" --json "$scratch/gr.json" "$scratch/graph.gr" >"$scratch/log"
check "metis: the report counts the same edges" [ "$(grep '"edges"' "$scratch/metis.json")" = \
    "$(grep '"edges"' "$scratch/gr.json")" ]

# Lines beyond the longest that other formats take, and beyond a buffer: a star of 200,000 vertices.
awk 'BEGIN { n = 200000; print n, n - 1, "001"; for (v = 2; v <= n; v++) printf "%d 7   ", v;
    print ""; for (v = 2; v <= n; v++) print 1, 7 }' \
    >"$scratch/star.graph"
"$BUILD/apsp" --quiet --verify --sources 2 --stats "$scratch/star.csv" "$scratch/star.graph"
check "metis: a line of 2 MB" grep -q '^2,14,2799979,200000,' "$scratch/star.csv"
# Options of other formats are refused, with the formats that take them.
refuses() {
    "$BUILD/apsp" --quiet "$2" "$3" "$scratch/graph.graph" 2>"$scratch/log"
    [ $? -eq 2 ] && [ "$(wc -l <"$scratch/log")" -eq 1 ] &&
        grep -q "graph.graph: $2 is for graphs of format $1, and this one is metis" "$scratch/log"
}
check "metis: --columns" refuses list --columns 1,2
check "metis: --no-edge" refuses "mtx, list, table, npz, npy" --no-edge 5
check "metis: --weight-key" refuses "gml, graphml, gexf, dicts, json, list" --weight-key foo
finish
