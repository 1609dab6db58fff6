#!/bin/sh
# --stats and --count: any number of ranks and threads says the same; some sources, names, refusals,
# --plot; then stats.py, with the Python PYTHON (default python3). Bellman and Ford's distances are
# those of tests/library/test_stats.c.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

"$BUILD/apsp-gen" random -n 99 -d 4 -w 1:9000 --potential 5000 -o "$scratch/negative.mtx"
# Quarters, whose sums are exact: those that are rounded depend on the strips of the ranks.
"$BUILD/apsp-gen" disconnected -n 99 -d 4 -w 0.25:9.75 -o "$scratch/decimals.mtx"
awk 'NR > 2 { $3 = int(4 * $3) / 4 } 1' "$scratch/decimals.mtx" >"$scratch/real.mtx"
"$BUILD/apsp-gen" grid -n 90 -s 4 -o "$scratch/graph.gr"
methods="dense sssp sparse"
if "$BUILD/apsp" --quiet --method sparse "$scratch/graph.gr" 2>&1 | grep -q METIS; then
    echo "skip stats, sparse: built without METIS"
    methods="dense sssp"
fi

# counts FILE GRAPH OPTIONS...: all that there is to count.
counts() {
    file=$1 of=$2
    shift 2
    "$BUILD/apsp" --quiet --device cpu --force --count all,exact --stats "$file" "$@" "$of"
}

# is_same METHOD GRAPH: byte by byte on several ranks and threads.
is_same() {
    counts "$scratch/one.json" "$2" --method "$1" --threads 1 || return
    counts "$scratch/other.json" "$2" --method "$1" --threads 2 &&
        cmp "$scratch/one.json" "$scratch/other.json" || return
    for ranks in 2 3 4; do
        mpi $ranks "$BUILD/apsp" --quiet --device cpu --force --method "$1" --count all,exact \
            --stats "$scratch/other.json" "$2" &&
            cmp "$scratch/one.json" "$scratch/other.json" || return
    done
}
for graph in graph.gr negative.mtx real.mtx; do
    for method in $methods; do
        check "stats: $graph, ranks and threads, $method" is_same $method "$scratch/$graph"
    done
done

# More passes over the rows, for the quantiles, are for the statistics alone.
beside() {
    "$BUILD/apsp" --quiet --device cpu --force --method "$1" "$scratch/real.mtx" \
        "$scratch/alone.npy" &&
        "$BUILD/apsp" --quiet --device cpu --force --method "$1" --verify=all --count exact \
            --stats "$scratch/exact.json" "$scratch/real.mtx" "$scratch/beside.npy" &&
        cmp "$scratch/alone.npy" "$scratch/beside.npy" &&
            grep -q '"exact":.true' "$scratch/exact.json"
}
for method in $methods; do
    check "stats: exact quantiles beside a certificate, $method" beside $method
done

# Rows of some sources are those of all, and what comes in is from them: four. Sums of reciprocals
# are rounded in the order of the type.
some() {
    counts "$scratch/all.csv" "$scratch/graph.gr" --dtype i32 --method "$1" &&
        counts "$scratch/some.csv" "$scratch/graph.gr" --dtype i32 --method "$1" --sources 7,3-5 ||
            return
    for v in 7 3 4 5; do
        grep "^$v," "$scratch/all.csv"
    done | cut -d, -f1-5,8 >"$scratch/right"
    sed 1d "$scratch/some.csv" | cut -d, -f1-5,8 | cmp - "$scratch/right" &&
        [ "$(sed 1d "$scratch/some.csv" | cut -d, -f7 | sort -u)" = 4 ]
}
for method in $methods; do
    check "stats: some sources, $method" some $method
done

# Vertices are called what the file calls them.
printf '"a ""b""",c,2\nc,"d,e",3\nd’,"a ""b""",5\n' >"$scratch/names.csv"
is_named() {
    "$BUILD/apsp" --quiet --device cpu --force --stats "$scratch/names.out.$1" \
        "$scratch/names.csv" || return
    tr -d '\n\t' <"$scratch/names.out.$1" | grep -qF "$2"
}
check "stats: names in a table" is_named csv '"a ""b""",5,7,3,'
check "stats: names in .json" is_named json '"vertex":["a \"b\"", "c", "d,e", "d’"]'
check "stats: the centre by its name" is_named json '"centre":["d,e"]'

# Decimals are what they are, and so are their sums.
printf 'a,b,0.1\nb,c,0.2\n' >"$scratch/decimals.csv"
is_decimal() {
    "$BUILD/apsp" --quiet --device cpu --force --count all --stats "$scratch/decimals.out.$1" \
        "$scratch/decimals.csv" || return
    tr -d '\n\t' <"$scratch/decimals.out.$1" | grep -qF "$2"
}
check "stats: the mean of decimals is rounded once" is_decimal json '"mean":0.2,'
check "stats: decimals in a table" is_decimal csv 'a,0.3,0.4,3,5,0,1,13.33333333333333'
check "stats: decimals in .json" is_decimal json \
    '"histogram":{"width":0.1,"from":[0.1, 0.2, 0.3],"pairs":[1, 1, 1]}'

# Sums of more than 64 bits: the eldest of five in a row, or all at once, of either sign.
printf '%%%%MatrixMarket matrix coordinate integer general\n5 5 4\n' >"$scratch/long.mtx"
for v in 1 2 3 4; do
    echo "$v $((v + 1)) 1100000000000000003"
done >>"$scratch/long.mtx"
awk 'NR > 2 { $3 = "-" $3 } 1' "$scratch/long.mtx" >"$scratch/deep.mtx"
is_long() {
    mpi "$3" "$BUILD/apsp" --quiet --device cpu --force --method "$1" --count all,exact \
        --stats "$scratch/long.json" "$scratch/$2.mtx" || return
    tr -d '\n\t' <"$scratch/long.json" >"$scratch/log"
    sign=$([ "$2" = long ] || echo -)
    for right in "\"sum\":${sign}22000000000000000060," "\"wiener\":${sign}11000000000000000030," \
        "\"mean\":${sign}2.2e+18," \
        "\"sum\":[${sign}11000000000000000000, ${sign}6600000000000000018, ${sign}3300000000000000009, ${sign}1100000000000000003, 0]"; \
        do
        grep -qF "$right" "$scratch/log" || return
    done
}
for method in $methods; do
    check "stats: sums of more than 64 bits, $method" is_long $method long 1
    check "stats: and far below zero, $method" is_long $method deep 2
done

# refuses WORD OPTIONS...
refuses() {
    word=$1
    shift
    "$BUILD/apsp" --quiet --device cpu "$@" "$scratch/graph.gr" 2>"$scratch/log"
    [ $? -eq 2 ] && grep -q -e "$word" "$scratch/log"
}
check "stats: a count that is none" refuses "--count inn: not one of .* (did you mean in?)" \
    --count inn --stats "$scratch/none.csv"
for what in histogram exact in,histogram; do
    check "stats: $what to a table" refuses "require --stats FILE.json, found '$scratch/none.csv'" \
        --count $what --stats "$scratch/none.csv"
done
check "stats: a count of nothing" refuses "--count requires --stats FILE" --count in

# Of three edges 2^63 - 1, the largest whole sum, and one more, which is a double.
printf \
    '%%%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 4611686018427387902\n1 3 4611686018427387902\n1 4 3\n' \
    >"$scratch/most.mtx"
sed 's/^1 4 3$/1 4 4/' "$scratch/most.mtx" >"$scratch/beyond.mtx"
largest() {
    "$BUILD/apsp" --quiet --device cpu --force --stats "$scratch/$1.csv" "$scratch/$1.mtx" &&
        [ "$(sed -n 2p "$scratch/$1.csv" | cut -d, -f3)" = "$2" ]
}
check "stats: a sum of 2^63 - 1" largest most 9223372036854775807
check "stats: a sum of 2^63" largest beyond 9223372036854775808

# Statistics and the nearest do not depend on the type of the file: the first edges differ as
# doubles alone.
printf \
    '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.12345678901234567\n1 3 0.12345678901234561\n' \
    >"$scratch/doubles.mtx"
precise() {
    for type in f32 f64; do
        "$BUILD/apsp" --quiet --device cpu --force --method "$1" --verify=all \
            --stats "$scratch/$type.csv" "$scratch/doubles.mtx" "$scratch/doubles.$type" || return
        "$BUILD/apsp" --quiet --device cpu --force --method "$1" --output-type $type --nearest 1 \
            "$scratch/doubles.mtx" "$scratch/near-$type.csv" || return
    done
    cmp -s "$scratch/f32.csv" "$scratch/f64.csv" && [ "$(wc -c <"$scratch/doubles.f32")" -eq 36 ] &&
        "$BUILD/apsp-verify" --quiet "$scratch/doubles.mtx" "$scratch/doubles.f32" >/dev/null &&
        grep -q '^1,3,' "$scratch/near-f32.csv" && grep -q '^1,3,' "$scratch/near-f64.csv"
}
for method in $methods; do
    check "stats: doubles beside a file of singles, $method" precise $method
done

# plots GRAPH: heights and places of the bars are those of the distances; the numbers of the title
# are right.
plots() {
    "$BUILD/apsp" --quiet --device cpu --force --plot "$scratch/plot.svg" --count histogram \
        --stats "$scratch/plot.json" "$1" &&
        python3 tests/cli/plot.py "$scratch/plot.svg" "$scratch/plot.json"
}
if command -v python3 >/dev/null; then
    check "stats: bars of many distances" plots "$scratch/graph.gr"
    printf 'a b 1\nb c 1\nc d 1\nd e 1\n' >"$scratch/<few> & more.el"
    check "stats: bars of few distances" plots "$scratch/<few> & more.el"
    printf 'a b 0.25\nb c 0.5\nc d 0.75\n' >"$scratch/real.el"
    check "stats: bars of decimals" plots "$scratch/real.el"
    printf "a,b,1\n" >"$scratch/pair.csv"
    check "stats: one bar" plots "$scratch/pair.csv"
    echo '1 1 0' >"$scratch/lone.el"
    check "stats: no bars" plots "$scratch/lone.el"
    lone() {
        "$BUILD/apsp" --quiet --device cpu --plot - "$scratch/lone.el" | grep -q '</svg>'
    }
    check "stats: a drawing to standard output" lone
else
    echo "skip stats: bars: python3 is not installed"
fi

"${PYTHON:-python3}" tests/cli/stats.py "$BUILD/apsp" "$BUILD/apsp-gen" "$scratch" \
    $methods >"$scratch/log" 2>&1
status=$?
if [ $status -eq 77 ]; then
    echo "skip stats: $(tail -n 1 "$scratch/log")"
else
    cat "$scratch/log"
    check "stats: as networkx and igraph" [ $status -eq 0 ]
fi
finish
