#!/bin/sh
# Lists of edges end to end: names in statistics, queries, lists of sources and messages, against
# the same graph with numbers.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.gr
named=$scratch/graph.csv
"$BUILD/apsp-gen" random -n 120 -d 3 -s 5 -w 1:99 -o "$graph"
# Vertex v is "n v*v", and all of them appear; the order of lines, and so of the vertices, is
# another one.
awk '/^a/ { printf "\"n %d\",%d,\"n %d\"\n", $2 * $2, $4, $3 * $3 }' "$graph" |
    sort >"$scratch/lines"
{ echo source,weight,target && cat "$scratch/lines"; } >"$named"
vertices=$(awk '/^a/ { print $2; print $3 }' "$graph" | sort -u | wc -l)

# The statistics by name, sorted; of the numbered graph the names are put in, and vertices without
# edges left out.
"$BUILD/apsp" --quiet --stats "$scratch/right.csv" "$graph"
awk '/^a/ { seen[$2]; seen[$3] } END { for (v in seen) print v }' "$graph" >"$scratch/seen"
awk -F, 'FNR == NR { seen[$1]; next } FNR > 1 && $1 in seen {
    printf "n %d,%s,%s,%s\n", $1 * $1, $2, $3, $4 }' \
    "$scratch/seen" "$scratch/right.csv" | sort >"$scratch/right"

statistics() {
    ranks=$1
    shift
    rm -f "$scratch/stats.csv"
    mpi "$ranks" "$BUILD/apsp" --quiet --verify=all "$@" --stats "$scratch/stats.csv" "$named" &&
        tail -n +2 "$scratch/stats.csv" | cut -d , -f 1-4 | sort | cmp -s - "$scratch/right"
}

for ranks in 1 3; do
    check "lists: statistics by name on $ranks ranks" statistics $ranks
    check "lists: sorted names on $ranks ranks" statistics $ranks --sort-names
done
check "lists: columns by number" statistics 1 --columns 1,3,2
check "lists: columns by name" statistics 1 --columns source,target,weight

"$BUILD/apsp" --quiet --names "$scratch/names" "$named" "$scratch/d.npy"
cut -d , -f 1,3 "$scratch/lines" | tr ',' '\n' | tr -d '"' | awk '!seen[$0]++' >"$scratch/order"
check "lists: --names has them as they appear" cmp -s "$scratch/order" "$scratch/names"
check "lists: and all of them" [ "$(wc -l <"$scratch/names")" -eq "$vertices" ]
"$BUILD/apsp" --quiet --sort-names --names "$scratch/sorted" "$named"
check "lists: --sort-names sorts them" sh -c 'LC_ALL=C sort "$1" | cmp -s - "$2"' sh \
    "$scratch/names" "$scratch/sorted"

# Paths: each step is an edge, and the sum is the distance.
awk -F, '{ gsub(/"/, ""); print $1 "\t" $3 }' "$scratch/lines" >"$scratch/pairs"
"$BUILD/apsp-query" --path --pairs "$scratch/pairs" "$named" "$scratch/d.npy" >"$scratch/paths"
follow_paths() {
    awk -F, \
        'FNR == NR { gsub(/"/, ""); if (!(($1, $3) in w) || $2 < w[$1, $3]) w[$1, $3] = $2; next }
        { gsub(/"/, ""); count = split($0, half, " : "); split(half[1], head, " ");
            steps = split(half[2], at, " n ")
          sub(/^n /, "", at[1]); sum = 0
          for (i = 1; i < steps; i++) sum += w["n " at[i], "n " at[i + 1]]
          if (count != 2 || sum != head[5]) exit 1; lines++ }
        END { if (!lines) exit 1 }' "$scratch/lines" "$scratch/paths"
}
check "lists: paths by name" follow_paths
first=$(head -n 1 "$scratch/names")
check "lists: a vertex of no such name" sh \
    -c '! "$1" "$2" "$3" "n 7" "n 1" 2>"$4" && grep -q "'"'n 7'"' is not a vertex of" "$4"' \
    sh "$BUILD/apsp-query" "$named" "$scratch/d.npy" "$scratch/log"
"$BUILD/apsp" --quiet --force --sources "$first,n 4" --stats "$scratch/stats.csv" "$named"
check "lists: sources by name" [ "$(sed -n 2p "$scratch/stats.csv" | cut -d , -f 1)" = "$first" ]
printf 'n 4\n%s\n' "$first" >"$scratch/chosen"
"$BUILD/apsp" --quiet --force --sources "$scratch/chosen" --stats "$scratch/stats.csv" "$named"
check "lists: sources by name, from a file" [ "$(sed -n 3p "$scratch/stats.csv" | cut -d , -f 1)" \
    = "$first" ]
"$BUILD/apsp" --sources nobody "$named" 2>"$scratch/log"
check "lists: a source of no such name" [ $? -eq 2 ]

# Names that are no UTF-8 are those of Latin-1 in JSON, and stay two where they are two.
printf 'Z\374rich Z\344rich 1\nB\303\244le Z\374rich 2\n' >"$scratch/latin.el"
"$BUILD/apsp" --quiet --stats "$scratch/latin.json" "$scratch/latin.el"
check "lists: names in Latin-1 in JSON" sh \
    -c \
    'grep -q "Z.u00fcrich" "$1" && grep -q "Z.u00e4rich" "$1" && grep -q "$(printf "B\303\244le")" "$1" && iconv -f utf-8 -t utf-8 "$1" >/dev/null' \
    sh "$scratch/latin.json"

# Numbers with gaps are listed as those without are: ranges, commas, blanks, files. A vertex comes
# before a file.
printf '2000 10 1\n10 30000 2\n30000 2000 3\n30000 7 1\n' >"$scratch/far.el"
sources() {
    expected=$1 graph=$2
    shift 2
    "$BUILD/apsp" --quiet --force --sources "$@" --stats "$scratch/stats.csv" "$graph" &&
        [ "$(tail -n +2 "$scratch/stats.csv" | cut -d , -f 1 | tr '\n' ' ')" = "$expected" ]
}
check "lists: a range of numbers with gaps" sources "10 2000 30000 " "$scratch/far.el" 10-30000
check "lists: a range between them" sources "10 2000 " "$scratch/far.el" 8-29999
check "lists: numbers, commas and blanks" sources "30000 10 7 " "$scratch/far.el" "30000, 10 7"
check "lists: a number and a range" sources "2000 7 10 " "$scratch/far.el" 2000,7-10
printf '30000,\t10\n7-9 2000\n' >"$scratch/far"
check "lists: a file of those" sources "30000 10 7 2000 " "$scratch/far.el" "$scratch/far"
for wrong in 8 11-1999 30000-10 2000,x 10,7-2000; do
    "$BUILD/apsp" --quiet --sources "$wrong" "$scratch/far.el" 2>"$scratch/log"
    check "lists: no vertices '$wrong'" [ $? -eq $([ "$wrong" = 2000,x ] && echo 5 || echo 2) ]
done
printf '1 2 5\n2 3 1\n' >"$scratch/near.el"
check "lists: numbers without gaps, with blanks" sources "3 1 " "$scratch/near.el" "3, 1"
printf 'LUX SFO 1\nSFO JFK 2\nJFK LUX 1\n' >"$scratch/air.el"
check "lists: names with a blank after the comma" sources "LUX SFO " "$scratch/air.el" "LUX, SFO"
echo JFK >"$scratch/LUX"
program=$(realpath "$BUILD/apsp")
check "lists: a vertex before a file of that name" sh \
    -c \
    'cd "$1" && "$2" --quiet --force --sources LUX --stats stats.csv air.el && grep -q "^LUX," stats.csv' \
    sh "$scratch" "$program"
check "lists: and the file by its path" sh \
    -c \
    'cd "$1" && "$2" --quiet --force --sources ./LUX --stats stats.csv air.el && grep -q "^JFK," stats.csv' \
    sh "$scratch" "$program"

# Messages of all ranks speak names: of a wrong row, and of a negative cycle.
printf 'a b 1\nb c 1\nc a -3\n' >"$scratch/cycle.txt"
for ranks in 1 3; do
    mpi $ranks "$BUILD/apsp" --quiet "$scratch/cycle.txt" 2>"$scratch/log"
    check "lists: a cycle by name on $ranks ranks" grep \
        -qE 'weight -1: vertices (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)' \
        "$scratch/log"
done
printf 'a b 1\nb a 1\n' >"$scratch/pair.txt"
printf '\0\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0' >"$scratch/wrong"
"$BUILD/apsp-verify" "$scratch/pair.txt" "$scratch/wrong" 2>"$scratch/log"
check "lists: a wrong row by name" grep -q "row a: .* vertex b" "$scratch/log"
check "lists: the report says how vertices are numbered" sh \
    -c '"$1" "$2" | grep -q "^# .*by name, numbered as they appear"' sh "$BUILD/apsp" "$named"
printf 'from,to,cost of caf\351s\n1,2,3\n' >"$scratch/header.csv"
check "lists: the report says which columns were taken" sh -c '"$1" --json "$3" "$2" |
    LC_ALL=C grep -aq "^# .*columns FROM=1 (from), TO=2 (to), WEIGHT=3 (cost of caf.*), below"' \
    sh "$BUILD/apsp" "$scratch/header.csv" "$scratch/json"
check "lists: and so does its JSON" sh -c 'iconv -f utf-8 -t utf-8 "$1" |
    grep -q "\"read_as\":.*FROM=1 (from), TO=2 (to), WEIGHT=3 (cost of cafés), below a header"' \
    sh "$scratch/json"
printf 'from,to,ann\351e\n1,2,3\n' >"$scratch/header.csv"
check "lists: the report says which column was not taken" sh -c '"$1" --force --json "$3" "$2" |
    LC_ALL=C grep -aq "^# .*weights are 1, since the name of column 3 (ann.*e) .*--columns 1,2,3"' \
    sh "$BUILD/apsp" "$scratch/header.csv" "$scratch/json"
check "lists: and so does its JSON" sh -c 'iconv -f utf-8 -t utf-8 "$1" |
    grep -q "\"notes\":.*the name of column 3 (année) .*--columns 1,2,3 takes it\"\]"' sh \
        "$scratch/json"
# What a list says of itself is in report and JSON.
# notes WORDS [OPTION...]: of $scratch/said.el.
notes() {
    words=$1
    shift
    "$BUILD/apsp" --force --json "$scratch/json" "$@" "$scratch/said.el" |
        grep -q "^#   .*$words" &&
        grep -q "\"notes\":.*$words" "$scratch/json"
}
printf '10 1\n2 3\n4 5\n7 7\n' >"$scratch/said.el"
check "lists: vertices without an edge" notes '10 vertices, 3 of them without an edge'
printf '4 3\n1 2\n2 3\n3 4\n' >"$scratch/said.el"
check "lists: a first line of counts" notes 'the first line counts 4 vertices and 3 edges'
printf '# Undirected graph: all.txt\n1 2\n2 3\n' >"$scratch/said.el"
check "lists: a comment of SNAP" notes 'edges lead both ways, as a comment says'
check "lists: which is not heard with --directed" sh \
    -c '! "$1" --directed "$2" | grep "both ways"' \
    sh "$BUILD/apsp" "$scratch/said.el"
"$BUILD/apsp" --directed --undirected "$scratch/said.el" 2>"$scratch/log"
check "lists: one direction and both" [ $? -eq 2 ]
printf '10 20\n20 30\n' >"$scratch/gaps.el"
check "lists: and that numbers were left" sh \
    -c '"$1" "$2" | grep -q "^# .*more than half of the numbers"' sh "$BUILD/apsp" \
    "$scratch/gaps.el"
# As spreadsheets save them: a mark of UTF-8, and a line that names the separator.
spreadsheet() {
    printf '\357\273\277sep=;\r\nfrom;to;weight\r\na;b;1.5\r\nb;c;2.5\r\n' >"$scratch/sep.csv"
    printf '\357\273\277b\r\n' >"$scratch/from.txt"
    "$BUILD/apsp" --quiet --force --sources "$scratch/from.txt" "$scratch/sep.csv" \
        "$scratch/pairs.csv" &&
        [ "$(cat "$scratch/pairs.csv")" = "$(printf 'from,to,distance\nb,c,2.5')" ]
}
check "lists: of a spreadsheet, with a mark and a separator" spreadsheet

finish
