#!/bin/sh
# Standard input, output and error: closed, full, and what names of others write to them; and
# threads without number.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 100 -d 4 -s 1 -o "$graph"
"$BUILD/apsp" --device cpu --quiet "$graph" "$scratch/right"
echo '1 2' >"$scratch/pairs"

# full CODE COMMAND...: what cannot be printed is an error with one line.
full() {
    "$@" >/dev/full 2>"$scratch/stderr"
    [ $? -eq 5 ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q 'standard output: cannot be written: No space' "$scratch/stderr" && return
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
check "standard: the report of apsp on a full device" full "$BUILD/apsp" --device cpu "$graph"
check "standard: the estimate on a full device" full "$BUILD/apsp" --device cpu --estimate "$graph"
check "standard: the verdict of apsp-verify on a full device" full "$BUILD/apsp-verify" "$graph" \
    "$scratch/right"
check "standard: distances of apsp-query on a full device" full "$BUILD/apsp-query" "$graph" \
    "$scratch/right" 1 2
for program in apsp apsp-gen apsp-query apsp-verify; do
    check "standard: $program --help on a full device" full "$BUILD/$program" --help
    check "standard: $program --version on a full device" full "$BUILD/$program" --version
done

# Results that are lost are an error of any number of ranks.
kept=$scratch/temporary
mkdir "$kept"
lost() {
    to=$1
    shift
    export TMPDIR="$kept"
    case $to in
    full) "$@" >/dev/full 2>"$scratch/stderr" ;;
    closed) "$@" >&- 2>"$scratch/stderr" ;;
    left) sh -c 'sleep 0.2; "$@" 2>"$0"; echo $? >"$0.status"' "$scratch/stderr" "$@" | true &&
        status=$(cat "$scratch/stderr.status") && (exit "$status") ;;
    esac
    [ $? -eq 5 ] && [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
        grep -q '^apsp: standard output: cannot be written: ' "$scratch/stderr" && return
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
for ranks in 1 2; do
    for to in full closed left; do
        check "standard: the report of $ranks ranks, output $to" lost $to "$BUILD/apsp" \
            --device cpu --ranks $ranks "$graph"
        check "standard: distances of $ranks ranks, output $to" lost $to "$BUILD/apsp" \
            --device cpu --ranks $ranks --quiet "$graph" -
        check "standard: statistics of $ranks ranks, output $to" lost $to "$BUILD/apsp" \
            --device cpu --ranks $ranks --quiet --stats - "$graph"
        check "standard: a report in JSON of $ranks ranks, output $to" lost $to "$BUILD/apsp" \
            --device cpu --ranks $ranks --quiet --json - "$graph"
    done
done
unset TMPDIR
check "standard: only copies that tell whose they are stay" [ \
    -z "$(ls -A "$kept" | grep -v '^apsp-stdout\.kept')" ]
# However many there are: whatever has no reader is kept, and the line says where.
many() {
    rm -f "$kept"/*
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12; do
        TMPDIR=$kept "$BUILD/apsp" --device cpu --quiet "$graph" - >/dev/full 2>"$scratch/stderr"
        copy=$(sed -n 's/^apsp: standard output: .*: the complete file is //p' "$scratch/stderr")
        cmp -s "$copy" "$scratch/right" || return
    done
    [ "$(ls -A "$kept" | grep -c '^apsp-stdout\.kept')" -eq 12 ] &&
        [ "$(ls -A "$kept" | wc -l)" -eq 12 ]
}
check "standard: twelve results that could not be printed" many
of_two() {
    "$BUILD/apsp" --device cpu --ranks 2 --quiet "$graph" - >"$scratch/of_two" &&
        cmp -s "$scratch/of_two" "$scratch/right"
}
check "standard: distances of 2 ranks to a file" of_two
# No file of a run takes the place of what is closed.
closed_input() {
    "$BUILD/apsp-query" --pairs - "$graph" "$scratch/right" <&- >"$scratch/out" 2>"$scratch/stderr"
    [ $? -eq 5 ] && [ ! -s "$scratch/out" ] && grep \
        -q '^apsp-query: standard input: cannot be read: Bad file' "$scratch/stderr"
}
closed_output() {
    "$BUILD/apsp-query" --pairs "$scratch/pairs" "$graph" "$scratch/right" >&- 2>"$scratch/stderr"
    [ $? -eq 5 ] && grep -q 'standard output: cannot be written: Bad file' "$scratch/stderr"
}
closed_all() {
    rm -f "$scratch/out"
    "$BUILD/apsp" --device cpu --quiet --verify=all "$graph" "$scratch/out" <&- >&- 2>&- &&
        cmp -s "$scratch/out" "$scratch/right"
}
closed_error() {
    "$BUILD/apsp" --device cpu --write-retry 0 "$scratch/none" "$scratch/none.out" <&- >&- 2>&-
    [ $? -eq 5 ] && [ ! -e "$scratch/none.out" ]
}
check "standard: input is closed" closed_input
check "standard: output is closed" closed_output
check "standard: all are closed" closed_all
check "standard: all are closed, and there is an error to tell" closed_error

# Control characters: escape, delete, and the one of C1 that begins what escape [ begins; in UTF-8
# and without.
bad=$(printf 'x\033[31m\177\302\233y\2331m\303\244')
good=$(printf '\303\244')
# clean FILE: nothing that a terminal obeys, and other letters as they are.
clean() {
    tr -d '\n' <"$1" >"$scratch/line"
    ! LC_ALL=C grep -q "$(printf '[\001-\037\177]')" "$scratch/line" &&
        ! LC_ALL=C grep -q "$(printf '\302\233')" "$scratch/line" &&
        ! LC_ALL=C grep -q "$(printf 'y\233')" "$scratch/line" &&
            LC_ALL=C grep -q "$good" "$scratch/line" && return
    od -c "$1" | tail -n 20 | sed 's/^/# /'
    return 1
}
told() {
    "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? -ne 0 ] && clean "$scratch/stderr"
}
cp "$graph" "$scratch/$bad"
"$BUILD/apsp" --device cpu "$scratch/$bad" >"$scratch/report"
check "standard: a report with a name of control characters" clean "$scratch/report"
check "standard: a message with such a name" told "$BUILD/apsp" --device cpu "$scratch/none$bad"
check "standard: a message with such an option" told "$BUILD/apsp" "--$bad"
check "standard: a message of apsp-query with such a vertex" told "$BUILD/apsp-query" "$graph" \
    "$scratch/right" "$bad" 1
# The vertices of a cycle follow the message.
printf 'from,to,weight\n"a\177\302\233y\2331m\303\244",b,1\nb,"a\177\302\233y\2331m\303\244",-5\n' \
    >"$scratch/cycle.csv"
check "standard: a negative cycle through such a vertex" told "$BUILD/apsp" --device cpu \
    "$scratch/cycle.csv"
sed 's/-5/5/' "$scratch/cycle.csv" >"$scratch/names.csv"
"$BUILD/apsp" --device cpu --quiet "$scratch/names.csv" "$scratch/named"
if command -v script >/dev/null; then
    script -qec "$BUILD/apsp-query --from b --all $scratch/names.csv $scratch/named" \
        /dev/null </dev/null | tr -d '\r' >"$scratch/shown"
    check "standard: such a vertex on a terminal" clean "$scratch/shown"
else
    echo "skip standard: such a vertex on a terminal: no program 'script'"
fi
"$BUILD/apsp-query" --from b --all "$scratch/names.csv" "$scratch/named" >"$scratch/shown"
check "standard: such a vertex in a file is as it is" grep \
    -q "$(printf 'a\177\302\233y\2331m\303\244')" "$scratch/shown"

# A message is cut in its middle.
long=$(printf '%0200d/%0200d/%0200d/%0200d/%0200d/%0200d' 1 2 3 4 5 6)
check "standard: the cause behind a long name" sh -c \
    '"$0" --device cpu "$1/graph" 2>&1 | grep -q "^apsp: 000.* \.\.\. .*/graph: cannot open the graph: No such file"' \
    "$BUILD/apsp" "$long"

# More threads than a process can have.
threads() {
    OMP_NUM_THREADS=100000 "$@" >"$scratch/stdout" 2>"$scratch/stderr"
}
check "standard: apsp-verify with 100,000 threads" threads "$BUILD/apsp-verify" "$graph" \
    "$scratch/right"
check "standard: apsp-query with 100,000 threads" threads "$BUILD/apsp-query" --path "$graph" \
    "$scratch/right" 1 2
check "standard: apsp with 100,000 threads" threads "$BUILD/apsp" --device cpu --verify \
    --multi-edges sum "$graph"
# No thread can be had with a stack of more than all addresses: OpenMP calls exit(1).
place=$scratch/place
mkdir "$place"
stackless() {
    OMP_STACKSIZE=200000G "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ $status -eq 4 ] && [ "$(grep -c 'apsp.*: rank . on .*: ended by a library' \
        "$scratch/stderr")" -eq 1 ] && [ -z "$(ls -A "$place")" ] && return
    echo "# exit code $status, left: $(ls -A "$place")"
    sed 's/^/# /' "$scratch/stderr"
    return 1
}
check "standard: OpenMP ends apsp" stackless "$BUILD/apsp" --device cpu --threads 2 \
    --json "$place/json" "$graph" "$place/out"
check "standard: OpenMP ends two ranks" stackless "$BUILD/apsp" --ranks 2 --threads 2 \
    --json "$place/json" "$graph" "$place/out"
check "standard: OpenMP ends two ranks of mpirun" stackless mpi 2 "$BUILD/apsp" --device cpu \
    --threads 2 "$graph" "$place/out"
check "standard: OpenMP ends apsp-verify" stackless "$BUILD/apsp-verify" --threads 2 "$graph" \
    "$scratch/right"
finish
