#!/bin/sh
# What the report (--json) ties together: hashes as other programs compute them, runs that failed,
# apsp-verify --report.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
python=${PYTHON:-python3}
graph=$scratch/graph.gr
report=$scratch/report.json
"$BUILD/apsp-gen" random -n 1100 -d 8 -s 3 -w 1:1000 -o "$graph" >/dev/null || exit 1

# field EXPRESSION: of the report `r`.
field() {
    "$python" -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$report" "$1"
}

# hash FILE: by the tool of xxHash, as apsp.1 says.
hash() {
    split -b 4M --filter='xxh128sum | cut -c 1-32' "$1" | xxd -r -p | xxh128sum | cut -c 1-32
}

# solve RANKS ARGUMENTS...
solve() {
    ranks=$1
    shift
    mpi "$ranks" "$BUILD/apsp" --no-progress --quiet --force --json "$report" "$@" </dev/null
}

if command -v xxh128sum >/dev/null && command -v xxd >/dev/null; then
    for ranks in 1 3; do
        solve "$ranks" --predecessors "$scratch/trees.npy" --stats "$scratch/stats.csv" \
            --names "$scratch/names" \
            "$graph" "$scratch/out.bin"
        check "report: hash of the graph, $ranks ranks" [ "$(field 'r["graph"]["hash"]')" = \
            "$(hash "$graph")" ]
        for file in out.bin trees.npy stats.csv names; do
            check "report: hash of $file, $ranks ranks" \
                [ "$(field "[f['hash'] for f in r['files'] if f['path'].endswith('$file')][0]")" = \
                "$(hash "$scratch/$file")" ]
        done
        check "report: what the files are, $ranks ranks" \
            [ "$(field '" ".join(sorted(f["what"] for f in r["files"]))')" = \
            "distances names predecessors statistics" ]
        check "report: no other files" [ "$(field 'len(r["files"])')" = 4 ]
    done
    gzip -k "$graph"
    solve 1 --largest "$graph.gz" "$scratch/pairs.mtx" --nearest 3
    check "report: hash of a compressed graph" [ "$(field 'r["graph"]["hash"]')" = \
        "$(hash "$graph.gz")" ]
    check "report: hash of pairs" [ "$(field 'r["files"][0]["hash"]')" = \
        "$(hash "$scratch/pairs.mtx")" ]
    "$BUILD/apsp" --no-progress --quiet --force --json "$report" - <"$graph"
    check "report: hash of standard input" [ "$(field 'r["graph"]["hash"]')" = "$(hash "$graph")" ]
    cat "$graph" | "$BUILD/apsp" --no-progress --quiet --force --json "$report" -
    check "report: hash of a pipe" [ "$(field 'r["graph"]["hash"]')" = "$(hash "$graph")" ]
else
    echo "skip report: hashes as others compute them: there is no xxh128sum or no xxd"
fi

APSP_TOKEN=hush-hush "$BUILD/apsp" --no-progress --quiet --force --json "$report" "$graph" \
    "$scratch/out.npy"
check "report: the command" [ "$(field 'r["command"][1:4]')" = \
    "['--no-progress', '--quiet', '--force']" ]
"$BUILD/apsp" --no-progress --quiet --force --ranks 2 --json "$report" "$graph" "$scratch/out.npy"
check "report: the command of several ranks" [ "$(field 'r["command"][1:6]')" = \
    "['--no-progress', '--quiet', '--force', '--ranks', '2']" ]
check "report: nothing of the environment" sh -c '! grep -q hush "$0"' "$report"
# A line of a phase that has done something ends with its rate.
rates() {
    "$BUILD/apsp" --no-progress --force --method dense "$@" >"$scratch/told" 2>&1 &&
        awk '/^total/ { exit } begun && NF < 6 { exit 1 } /^# phase/ { begun = 1 }' "$scratch/told"
}
check "report: rates" rates --predecessors "$scratch/trees.npy" --stats "$scratch/stats.csv" \
    --verify=3 "$graph" "$scratch/out.npy"
check "report: rate of a closure" rates --closure "$scratch/closure.npy" "$graph"
check "report: date" [ "$(field 'r["begun"][:2] + r["ended"][-1]')" = 20Z ]
check "report: host" [ "$(field 'r["host"]')" = "$(hostname | cut -c 1-63)" ]

verify() {
    "$BUILD/apsp-verify" --report "$report" "$@" >"$scratch/told" 2>&1
}
check "against: the files of a run" verify "$graph" "$scratch/out.npy"
check "against: no rows unless asked for" [ "$(wc -l <"$scratch/told")" -eq 1 ]
verify --rows 5 "$graph" "$scratch/out.npy"
check "against: and rows" grep -q '5 of 1,100 rows' "$scratch/told"
for count in "--ranks 2" 2; do
    case $count in
    2) mpi 2 "$BUILD/apsp-verify" --report "$report" --rows 5 "$graph" "$scratch/out.npy" ;;
    *) "$BUILD/apsp-verify" --ranks 2 --report "$report" --rows 5 "$graph" "$scratch/out.npy" ;;
    esac >"$scratch/told" 2>&1 </dev/null
    check "against: told once, $count" [ "$(grep -c '^report: PASSED' "$scratch/told") $(wc \
        -l <"$scratch/told")" = "1 2" ]
done

# differs NAME WORDS ARGUMENTS...: exit 1 with a line that has the words.
differs() {
    name=$1
    words=$2
    shift 2
    verify "$@"
    status=$?
    check "against: $name" [ "$status $(wc -l <"$scratch/told")" = "1 1" ]
    check "against: $name is named" grep -q "$words" "$scratch/told"
}
sed 's/^c.*/c/;$s/ [0-9]*$/ 1001/' "$graph" >"$scratch/other.gr"
cp "$scratch/out.npy" "$scratch/other.npy"
printf x | dd of="$scratch/other.npy" bs=1 seek=1234567 conv=notrunc 2>/dev/null
differs "another graph" "other.gr: is not the graph of" "$scratch/other.gr" "$scratch/out.npy"
differs "a changed byte" "other.npy: is not a file of" "$graph" "$scratch/other.npy"
head -c 1000 "$scratch/out.npy" >"$scratch/other.npy"
differs "a part of the file" "other.npy: is not a file of" "$graph" "$scratch/other.npy"
solve 1 --predecessors "$scratch/trees.npy" --names "$scratch/names" "$graph" "$scratch/out.npy"
differs "predecessors for distances" "trees.npy: is listed by .* as predecessors" "$graph" \
    "$scratch/trees.npy"
differs "names for distances" "names: is listed by .* as names" "$graph" "$scratch/names"
printf 's,a,0.1\na,b,0.2\n' >"$scratch/tenths.csv"
solve 1 --output-type i32 "$scratch/tenths.csv" "$scratch/tenths.npy"
check "against: with a scale" verify "$scratch/tenths.csv" "$scratch/tenths.npy"
echo 100 >"$scratch/tenths.npy.scale"
differs "another scale" "tenths.npy.scale: is not the scale of" "$scratch/tenths.csv" \
    "$scratch/tenths.npy"
rm "$scratch/tenths.npy.scale"
check "against: a scale that is missing" sh -c '"$@" 2>&1 | grep -q "tenths.npy.scale"' . \
    "$BUILD/apsp-verify" --report "$report" "$scratch/tenths.csv" "$scratch/tenths.npy"
# Rows are certified as they come where no file can be read back.
for method in dense sparse sssp; do
    solve 1 --method "$method" --verify=5 --stats "$scratch/stats.csv" "$graph"
    check "report: rows certified, $method" [ "$(field \
        'r["verify"]["rows"], r["verify"]["status"], r["verify"]["of"]')" = \
        "(5, 'passed', 'rows')" ]
done
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.1\n2 3 -0.05\n3 1 1e-40\n' \
    >"$scratch/rounded.mtx"
"$BUILD/apsp" --no-progress --sums solver "$scratch/rounded.mtx" \
    "$scratch/rounded.npy" >"$scratch/told" 2>&1
check "report: what negative weights cost" grep -q \
    'absolute error about [0-9.e-]* a sum by negative weights' "$scratch/told"
# The files do not show how the graph was read.
solve 1 --reverse --sources 7,9 "$graph" "$scratch/out.npy"
verify "$graph" "$scratch/out.npy"
check "against: the command of the run" grep \
    -q "^report: PASSED, .* $BUILD/apsp .* --reverse --sources 7,9 $graph $scratch/out.npy\$" \
    "$scratch/told"
verify --rows all "$graph" "$scratch/out.npy"
check "against: rows are checked with the options of the run" grep -q '^PASSED, all 2 rows' \
    "$scratch/told"
pair=$(sed -n 's/^a \([0-9]* [0-9]*\) .*/\1/p' "$graph" | awk '$2 == 7 { print $2, $1; exit }')
"$BUILD/apsp-query" --path --report "$report" "$graph" "$scratch/out.npy" \
    $pair >"$scratch/told" 2>&1
check "query: with the options of the run" grep -q "^$pair .* : 7 " "$scratch/told"
"$BUILD/apsp-query" --path --report "$report" --sources 9,7 "$graph" "$scratch/out.npy" \
    $pair >"$scratch/told" 2>&1
check "query: options of its own come before those of the run" [ $? -eq 8 ]
solve 1 --sources random:3 "$graph" "$scratch/out.npy"
"$BUILD/apsp-query" --report "$report" "$graph" "$scratch/out.npy" 1 2 2>"$scratch/told"
check "query: a sample has no list" [ $? -eq 2 ]
check "query: what a sample needs is told" grep -q \
    'rows are those of a random sample: --sources has to list them' "$scratch/told"
sed 's/"--json"/"--jsno"/' "$report" >"$scratch/odd.json"
"$BUILD/apsp-query" --report "$scratch/odd.json" "$graph" "$scratch/out.npy" 1 2 2>"$scratch/told"
check "query: a command that is none" grep \
    -q "odd.json: its command is not understood: unknown option '--jsno'" "$scratch/told"
cp "$graph" "$scratch/it's a graph.gr"
solve 1 "$scratch/it's a graph.gr" "$scratch/out.npy"
verify "$scratch/it's a graph.gr" "$scratch/out.npy"
check "against: the command in a shell's words" grep -qF "'$scratch/it'\''s a graph.gr'" \
    "$scratch/told"
solve 1 "$graph" "$scratch/out.npy"
check "against: and again" verify "$graph" "$scratch/out.npy"
# spoilt NAME: what follows the report, or is in it, makes it none.
spoilt() {
    verify "$graph" "$scratch/out.npy"
    status=$?
    check "against: $1" sh -c '[ "$1" -eq 3 ] && grep -q "is not a report" "$2"' . "$status" \
        "$scratch/told"
}
cp "$report" "$scratch/report.right"
sed 's/"exit":[^,]*/"exit": 8/' "$scratch/report.right" >"$report"
differs "a report of another exit code" "ended with exit code 8" "$graph" "$scratch/out.npy"
echo '{"status":"failed"}' >>"$report"
spoilt "a report with another one behind it"
{ cat "$scratch/report.right" && printf '\0'; } >"$report"
spoilt "a report with a 0 at its end"
solve 1 "$graph" "$scratch/out.npy"

# Multiples that have gone through a pipe.
"$BUILD/apsp" --quiet --no-progress --output-type i32 "$scratch/tenths.csv" - >"$scratch/piped"
scaled() {
    "$BUILD/apsp-verify" "$@" "$scratch/tenths.csv" "$scratch/piped" >"$scratch/told" 2>&1
}
check "scale: of a pipe, as an option" scaled --scale 10
check "scale: with other digits" scaled --scale 1e1
scaled
check "scale: not given" [ $? -eq 3 ]
scaled --scale 100
check "scale: another one" [ $? -eq 8 ]
scaled --scale 3
check "scale: none" [ $? -eq 2 ]
check "scale: a distance" [ "$("$BUILD/apsp-query" --scale 10 "$scratch/tenths.csv" \
    "$scratch/piped" s b)" = 's b 0.3' ]
echo 100 >"$scratch/piped.scale"
scaled --scale 10
check "scale: that beside it is another one" [ $? -eq 3 ]

# fails CODE ARGUMENTS...: leaves a report of that.
fails() {
    code=$1
    shift
    rm -f "$report"
    "$BUILD/apsp" --no-progress --quiet --json "$report" "$@" 2>"$scratch/error" </dev/null
    status=$?
    check "failure: exit $code" [ "$status" -eq "$code" ]
    check "failure: its report, exit $code" [ "$(field 'r["status"], r["exit"]')" = \
        "('failed', $code)" ]
    check "failure: its line, exit $code" [ "apsp: $(field 'r["error"]')" = \
        "$(cat "$scratch/error")" ]
}
printf 'p sp 3 2\na 1 2 7\na 2 x 9\n' >"$scratch/bad.gr"
printf 'p sp 2 2\na 1 2 1\na 2 1 -3\n' >"$scratch/cycle.gr"
fails 3 "$scratch/bad.gr" "$scratch/none"
fails 9 "$scratch/cycle.gr" "$scratch/none"
fails 5 "$graph" "$scratch/no/folder"
fails 2 "$graph" "$scratch/out.npy"
differs "the report of a failure" "reports a run that failed" "$graph" "$scratch/out.npy"
check "failure: nothing else is left" [ ! -e "$scratch/none" ]

echo mine >"$report"
"$BUILD/apsp" --no-progress --quiet --json "$report" "$scratch/bad.gr" 2>/dev/null
check "failure: a report's name that is taken stays so" [ "$(cat "$report")" = mine ]
"$BUILD/apsp" --no-progress --quiet --json "$scratch/no/report" \
    "$scratch/cycle.gr" 2>"$scratch/error"
check "failure: a report that cannot be made is told of" grep \
    -q '^apsp: .*negative cycle.*; .*no/report: cannot be created: No such' "$scratch/error"
"$BUILD/apsp" --no-progress --quiet --force --json "$scratch/bad.gr" "$scratch/bad.gr" 2>/dev/null
check "failure: the input stays" grep -q 'p sp 3 2' "$scratch/bad.gr"
rm -f "$report"
mpi 3 "$BUILD/apsp" --no-progress --quiet --json "$report" "$scratch/bad.gr" 2>/dev/null </dev/null
check "failure: of 3 ranks" [ "$(field 'r["status"], r["exit"]')" = "('failed', 3)" ]
check "failure: no estimate has a report" sh \
    -c '! "$0" --estimate --json "$1.none" "$2" >"$1.told" 2>&1; [ ! -e "$1.none" ]' \
    "$BUILD/apsp" "$scratch/x" "$scratch/cycle.gr"
finish
