#!/bin/sh
# --order and --save-order: the same rows with the order made or read, on any number of ranks, what
# is refused, and no file left. (build/tests/apsp-no-metis is the command without METIS.)
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

place=$scratch/place
mkdir "$place"
"$BUILD/apsp-gen" grid -n 3000 -s 3 -w 1:50 -o "$scratch/roads.gr"
sed '/^a/s/[0-9]*$/7/' "$scratch/roads.gr" >"$scratch/other.gr" # other weights
# without EDGES...: the roads without those lines.
without() {
    printf '%s\n' "$@" >"$scratch/gone"
    grep '^a' "$scratch/roads.gr" | grep -vxF -f "$scratch/gone" >"$scratch/kept"
    echo "p sp 3000 $(wc -l <"$scratch/kept")"
    cat "$scratch/kept"
}
last=$(tail -n 1 "$scratch/roads.gr")
back=$(echo "$last" | awk '{ print "a", $3, $2 }')
without "$last" >"$scratch/one-way.gr"
without "$last" "$(grep "^$back " "$scratch/roads.gr")" >"$scratch/fewer.gr"

run() { # RANKS OPTION...
    ranks=$1
    shift
    "$BUILD/apsp" --device cpu --threads 2 --ranks "$ranks" \
        --no-progress "$@" >"$scratch/report" 2>"$scratch/log"
}

run 1 --save-order "$place/order" "$scratch/roads.gr"
if grep -q METIS "$scratch/log"; then
    echo "skip order: built without METIS"
    exit 0
fi
check "order: saved" [ "$(ls -A "$place")" = order -a "$(wc -c <"$place/order")" -eq 12024 ]
check "order: auto takes the sparse engine to save one" grep -q '^# solver     sparse' \
    "$scratch/report"

# same GRAPH: rows by the order that was saved for the roads, and by the dense engine.
same() {
    run 1 --method dense --force "$1" "$scratch/right" || return
    for ranks in 1 3; do
        run $ranks --order "$place/order" --json "$scratch/json" --force "$1" "$scratch/rows" &&
            cmp "$scratch/right" "$scratch/rows" &&
                grep -q '^# solver     sparse.*, order read' "$scratch/report" &&
            grep -q '"order":[[:space:]]*"read"' "$scratch/json" || return
    done
}
check "order: the graph that it was saved for" same "$scratch/roads.gr"
check "order: other weights" same "$scratch/other.gr"
check "order: a street in one direction" same "$scratch/one-way.gr"

run 3 --save-order "$place/again" --json "$scratch/json" --force "$scratch/other.gr"
check "order: of other weights, by three ranks, is the same" cmp "$place/order" "$place/again"
once() {
    [ -z "$(sed -n 's/^\t\("[a-z_]*"\):.*/\1/p' "$scratch/json" | sort | uniq -d)" ]
}
check "order: no key of the report is there twice" once
check "order: the report says that it was made" grep -q '"order":[[:space:]]*"made"' "$scratch/json"
run 1 --order "$place/order" --save-order "$place/copy" "$scratch/roads.gr"
check "order: read and saved" cmp "$place/order" "$place/copy"
rm "$place/again" "$place/copy"

# fails CODE WORDS OPTION...: by one and by three ranks, with the words in the one line on stderr
# and nothing new in the place.
fails() {
    code=$1 words=$2
    shift 2
    before=$(ls -lA --time-style=+ "$place")
    for ranks in 1 3; do
        run $ranks "$@"
        status=$?
        [ "$status" -eq "$code" ] && [ "$(grep -c '^apsp: ' "$scratch/log")" -eq 1 ] &&
            grep -q "^apsp: .*$words" "$scratch/log" &&
            [ "$before" = "$(ls -lA --time-style=+ "$place")" ] && continue
        echo "# $ranks ranks: exit code $status, wanted $code with '$words'"
        cat "$scratch/log"
        return 1
    done
}
head -c 6000 "$place/order" >"$scratch/short"
check "order: a file that ends too early" fails 3 'has 6000 bytes' --order "$scratch/short" \
    "$scratch/roads.gr"
check "order: a file of something else" fails 3 'not an order that apsp has written' \
    --order "$scratch/roads.gr" "$scratch/roads.gr"
check "order: fewer edges" fails 3 'other edges' --order "$place/order" "$scratch/fewer.gr"
check "order: no such file" fails 5 'cannot open the order' --order "$place/none" \
    "$scratch/roads.gr"
check "order: the dense engine has none" fails 2 'has no order' --method dense \
    --order "$place/order" "$scratch/roads.gr"
check "order: the dense engine saves none" fails 2 'has no order' --method dense \
    --save-order "$place/new" "$scratch/roads.gr"
check "order: a file that exists" fails 2 '--force' --save-order "$place/order" "$scratch/roads.gr"
check "order: no such folder" fails 5 'cannot be created' --save-order "$place/none/order" \
    "$scratch/roads.gr"
check "order: an estimate saves none" sh \
    -c '"$0" --device cpu --estimate --save-order "$1" "$2" >"$3" && [ ! -e "$1" ]' \
    "$BUILD/apsp" "$place/new" "$scratch/roads.gr" "$scratch/report"
"$BUILD/apsp-gen" random -n 300 -d 3 -s 1 -w -9:9 -o "$scratch/cycle.mtx"
check "order: a run that fails saves none" fails 9 cycle --save-order "$place/new" \
    "$scratch/cycle.mtx"
cp "$place/order" "$scratch/before"
run 1 --order "$place/order" --save-order "$place/order" --force "$scratch/roads.gr"
check "order: saved over the one that was read" cmp "$place/order" "$scratch/before"

no_metis() {
    "$BUILD/tests/apsp-no-metis" --device cpu --quiet --force "$@" 2>"$scratch/log"
}
if [ -x "$BUILD/tests/apsp-no-metis" ]; then
    no_metis --order "$place/order" "$scratch/one-way.gr" "$scratch/rows"
    check "order: read without METIS" cmp "$scratch/right" "$scratch/rows"
    no_metis --method sparse "$scratch/roads.gr"
    check "order: none is made without METIS" [ $? -eq 2 \
        -a "$(grep -c 'without METIS' "$scratch/log")" -eq 1 ]
else
    echo "skip order: there is no command without METIS"
fi
finish
