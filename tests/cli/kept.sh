#!/bin/sh
# What is finished is not lost: results that are complete stay, whatever fails then, and the one
# line on stderr says where.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

place=$scratch/place
mkdir "$place"
graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 200 -d 5 -s 3 -o "$graph"
"$BUILD/apsp" --quiet --device cpu --predecessors "$scratch/trees" "$graph" "$scratch/right"

show() {
    echo "# exit code $status:"
    sed 's/^/# /' "$scratch/stderr"
    ls -lA "$place" | sed 's/^/# /'
    return 1
}

# ends CODE WORDS: the status and the one line, whose file has that code.
ends() {
    [ "$status" -eq "$1" ] && [ "$(grep -c '^apsp: ' "$scratch/stderr")" -eq 1 ] &&
        grep -qE "^apsp: .*$2" "$scratch/stderr"
}

# holds NAME...: just these in the place, and distances in those whose names begin with out, trees
# in the others.
holds() {
    [ "$(ls -A "$place" | tr '\n' ' ')" = "$* " ] || return
    for name; do
        case $name in
        out*) cmp -s "$place/$name" "$scratch/right" || return ;;
        trees*) cmp -s "$place/$name" "$scratch/trees" || return ;;
        esac
    done
}

# A row that its proof refutes: whatever was made of the rows is told by its name.
refuted() {
    rm -rf "$place"/*
    APSP_LIES=$2 mpi "$1" "$BUILD/tests/apsp-house" --device cpu --method bellman --verify=all \
        --json "$place/json" \
        --predecessors "$place/trees" "$graph" "$place/out" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    ends 8 'out.refuted is complete' && [ "$(ls -A "$place" | tr '\n' ' ')" = "json out.refuted " \
        ] && grep -q '"exit":.8' "$place/json" &&
        [ "$(cmp -l "$place/out.refuted" "$scratch/right" | wc -l)" -ge 1 ] &&
        [ "$(stat -c %s "$place/out.refuted")" -eq 160000 ] || show
}
check "kept: a refuted result, one rank" refuted 1 3
check "kept: a refuted result, by the last of three ranks" refuted 3 199

# meanwhile COMMAND ARGUMENTS...: the command once the run has begun.
"$BUILD/apsp-gen" path -n 1500 -o "$scratch/long.bin"
meanwhile() {
    rm -rf "$place" "$place-2"
    mkdir "$place"
    meanwhile=$1
    shift
    "$BUILD/apsp" --device cpu --threads 1 --tile 1 \
        --no-progress "$@" >"$scratch/stdout" 2>"$scratch/stderr" &
    running=$!
    tries=0
    while [ ! -e "$place/.out.apsp-tmp" ] && [ $tries -lt 1000 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    sh -c "$meanwhile" sh "$place"
    wait $running
    status=$?
}
"$BUILD/apsp" --quiet --device cpu --force --predecessors "$scratch/trees" "$scratch/long.bin" \
    "$scratch/right.long"
mv "$scratch/right" "$scratch/right.short"
mv "$scratch/right.long" "$scratch/right"

taken_output() {
    meanwhile 'echo mine >$1/out' --json "$place/json" --predecessors "$place/trees" \
        "$scratch/long.bin" "$place/out"
    ends 2 'out: appeared during the run.* complete file is .*out.kept; .*trees is complete' &&
        [ "$(cat "$place/out")" = mine ] &&
        rm "$place/out" && grep -q '"exit":.2' "$place/json" && holds json out.kept trees || show
}
taken_report() {
    meanwhile 'echo mine >$1/json' --json "$place/json" "$scratch/long.bin" "$place/out"
    ends 2 'json: appeared during the run.* complete file is .*json.kept; .*out is complete' &&
        [ "$(cat "$place/json")" = mine ] && holds json json.kept out || show
}
# Once all ranks have the file: then it takes space.
renamed() {
    meanwhile \
        'while [ "$(stat -c %s $1/.out.apsp-tmp)" -le 8 ]; do sleep 0.01; done 2>/dev/null; mv $1 $1-2' \
        "$@" "$scratch/long.bin" "$place/out"
    mv "$place-2" "$place"
    ends 5 'renamed.* complete file is .*place-2/out' && holds out || show
}
# moved OPTION...: another folder of that name, with another file of that name.
moved() {
    meanwhile 'mv $1 $1-2; mkdir $1; echo mine >$1/.out.apsp-tmp' "$@" "$scratch/long.bin" \
        "$place/out"
    other=$(cat "$place/.out.apsp-tmp")
    rm -rf "$place"
    mv "$place-2" "$place"
    ends 5 'renamed.* complete file is .*place-2/out' && [ "$other" = mine ] && holds out || show
}
swapped() {
    meanwhile 'rm $1/.out.apsp-tmp; echo mine >$1/.out.apsp-tmp' --verify=all "$scratch/long.bin" \
        "$place/out"
    ends 5 'out: .*is not the file that this run has written' &&
        [ "$(cat "$place/.out.apsp-tmp")" = mine ] && [ ! -e "$place/out" ] || show
}
check "kept: the name of the output is taken" taken_output
check "kept: the name of the report is taken" taken_report
check "kept: the folder is renamed" renamed
check "kept: the folder is renamed before its rows are certified" renamed --verify=all
check "kept: the folder is renamed before its rows are certified, on two ranks" renamed \
    --verify=all --ranks 2
check "kept: another file in its place is not certified" moved --verify=all
check "kept: another file of its name is not certified" swapped
rm -rf "$place"
mkdir "$place"
mv "$scratch/right.short" "$scratch/right"

# The input under the name of the temporary file.
spares() {
    cp "$graph" "$place/.out.apsp-tmp"
    "$BUILD/apsp" --device cpu --quiet "$@" "$place/out" <"$graph" >"$scratch/stdout" \
        2>"$scratch/stderr"
    status=$?
    ends 2 'is the input' && cmp -s "$graph" "$place/.out.apsp-tmp" && [ ! -e "$place/out" ] || show
}
spares_stdin() {
    cp "$graph" "$place/.out.apsp-tmp"
    "$BUILD/apsp" --device cpu --quiet - "$place/out" <"$place/.out.apsp-tmp" >"$scratch/stdout" \
        2>"$scratch/stderr"
    status=$?
    ends 2 'is the input' && cmp -s "$graph" "$place/.out.apsp-tmp" && [ ! -e "$place/out" ] || show
}
check "kept: an input of the temporary name" spares "$place/.out.apsp-tmp"
check "kept: the same with --force" spares --force "$place/.out.apsp-tmp"
check "kept: the same on two ranks" spares --ranks 2 "$place/.out.apsp-tmp"
check "kept: the same from standard input" spares_stdin
ln -s "$place/.out.apsp-tmp" "$scratch/link"
check "kept: the same by a link" spares "$scratch/link"
rm "$place/.out.apsp-tmp"

# spares_list NAME OPTION...: of that name, a list of vertices that OPTION takes.
spares_list() {
    name=$place/$1
    shift
    echo 1,2,3 >"$name"
    "$BUILD/apsp" --device cpu --quiet "$@" "$name" "$graph" \
        "$place/out" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    ends 2 'is the input' && [ "$(cat "$name")" = 1,2,3 ] &&
        [ "$(ls -A "$place")" = "${name##*/}" ] || show
    spared=$?
    rm -f "$place"/* "$name"
    return $spared
}
check "kept: sources of the temporary name" spares_list .out.apsp-tmp --sources
check "kept: targets of the temporary name" spares_list .out.apsp-tmp --sources 1-3 --targets
check "kept: an order of the temporary name" spares_list .out.apsp-tmp --order
check "kept: sources of the name of the output" spares_list out --force --sources
check "kept: sources of the name of the report's temporary file" spares_list .json.apsp-tmp \
    --json "$place/json" --sources
# A number is a vertex, whatever has that name.
numbered() (
    cd "$place" || exit
    echo old >7
    "$program" --device cpu --quiet --force --sources 7 "$graph" 7 2>"$scratch/stderr" &&
        [ "$(stat -c %s 7)" -eq 800 ]
)
program=$(realpath "$BUILD/apsp")
check "kept: an output that is called as a source" numbered
rm -f "$place/7"
# Where vertices have names it is the file.
printf 'from,to,weight\na,b,1\nb,c,2\n' >"$scratch/abc.csv"
spares_number() (
    cd "$place" || exit
    echo a >7
    "$program" --device cpu --quiet --force "$@" 2>"$scratch/stderr"
    [ $? -eq 2 ] && grep -q 'is the input' "$scratch/stderr" && [ "$(cat 7)" = a ] &&
        [ "$(ls -A)" = 7 ]
)
for ranks in 1 2; do
    check "kept: a list whose name is a number, as output of $ranks ranks" spares_number \
        --ranks $ranks --sources 7 "$scratch/abc.csv" 7
    check "kept: the same as report of $ranks ranks" spares_number --ranks $ranks --sources 7 \
        --json "$place/7" "$scratch/abc.csv" out
    check "kept: the same of targets, as names of $ranks ranks" spares_number --ranks $ranks \
        --targets 7 --names ./7 "$scratch/abc.csv" out
done
# The graph does not tell what it is.
spares_early() (
    cd "$place" || exit
    echo a >7
    echo no >"$scratch/no.csv"
    "$program" --device cpu --quiet --force --sources 7 --json 7 "$scratch/no.csv" \
        out 2>"$scratch/stderr"
    [ $? -eq 2 ] && [ "$(cat 7)" = a ]
)
check "kept: the same as report of a failure" spares_early
rm -f "$place/7"

# What is replaced had a mode.
modes() {
    for mode in 600 640 400; do
        rm -f "$place/out"
        echo old >"$place/out"
        chmod $mode "$place/out"
        mpi "$1" "$BUILD/apsp" --device cpu --quiet --force "$graph" \
            "$place/out" 2>"$scratch/stderr"
        status=$?
        [ $status -eq 0 ] && [ "$(stat -c %a "$place/out")" = $mode ] && holds out ||
            { show; return 1; }
    done
    rm "$place/out"
}
check "kept: the mode of what is replaced, one rank" modes 1
check "kept: the mode of what is replaced, two ranks" modes 2

# A report that cannot be printed.
unprinted() {
    "$BUILD/apsp" --device cpu "$graph" "$place/out" >/dev/full 2>"$scratch/stderr"
    status=$?
    ends 5 'standard output: .*No space left.*; .*out is complete' && holds out || show
}
check "kept: the report finds no space on standard output" unprinted
rm -f "$place/out"

if ! can_mount; then
    echo "skip kept: full file systems need the right to mount"
    finish
fi
# full KBYTES SCRIPT ARGUMENTS...: apsp with a file system of that size, full but for that, at
# $place/full; SCRIPT is run in the background with the folder as $1. What stays is copied to where
# `holds` finds it.
full() {
    size=$1 beside=$2
    shift 2
    rm -rf "$place"
    mkdir -p "$place/full"
    on_disk "${size}k" "$place/full" sh -c '
        full=$1/full beside=$2 program=$3
        shift 3
        sh -c "$beside" sh "$full" &
        "$program" --device cpu "$@"
        status=$?
        wait
        cp -a "$full/." "$full/../"
        exit $status' sh "$place" "$beside" "$BUILD/apsp" \
            "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    rmdir "$place/full"
}
full_report() {
    full 4 : --write-retry 0 --verify=all --json "$place/full/json" --names "$place/full/names" \
        "$scratch/named.csv" "$place/out.csv"
    ends 5 'names: cannot be written: No space left.*out.csv is complete' &&
        cmp -s "$place/out.csv" "$scratch/named.right.csv" &&
        [ "$(ls -A "$place")" = out.csv ] || show
}
full_late() {
    full 4 : --write-retry 0 --stats "$place/full/stats.csv" "$graph" "$place/out"
    ends 5 'stats.csv: cannot be written: No space left.*; .*out.kept is complete' &&
        holds out.kept || show
}
# waits OUT OPTIONS...: the disk grows after two seconds.
waits() {
    out=$1
    shift
    full 40 'sleep 2; mount -o remount,size=10m "$1"' --write-retry 60 "$@" "$graph" \
        "$place/full/$out"
    [ $status -eq 0 ] &&
        [ "$(grep -c "$out.*: No space left on device: waits up to 60 s for space" \
        "$scratch/stderr")" -eq 1 ] &&
        [ "$(grep -c 'there is space again' "$scratch/stderr")" -eq 1 ] &&
            [ "$(ls -A "$place")" = "$out" ] &&
        "$BUILD/apsp-verify" --quiet "$graph" "$place/$out" && return
    show
}
# A failure does not wait to be reported.
unreported() {
    rm -rf "$place"
    mkdir -p "$place/full"
    on_disk 4k "$place/full" sh \
        -c \
        'head -c 4096 /dev/zero >"$1/fill"; timeout 30 "$2" --device cpu --write-retry 60 --json "$1/json" "$3"' \
        sh "$place/full" "$BUILD/apsp" "$scratch/abc.bad" 2>"$scratch/stderr"
    status=$?
    ends 3 "abc.bad:.*; .*json: cannot be written: No space left" && rmdir "$place/full" || show
}
gives_up() {
    full 40 : --write-retry 1 "$graph" "$place/full/out.csv"
    [ $status -eq 5 ] && tail -n 1 "$scratch/stderr" | grep -q 'No space left' &&
        [ -z "$(ls -A "$place")" ] || show
}
awk \
    'BEGIN { print "from,to,weight";
    for (i = 0; i < 300; i++) printf "a_long_name_of_vertex_%d,a_long_name_of_vertex_%d,1\n", i,
    i + 1 }' >"$scratch/named.csv"
"$BUILD/apsp" --quiet --device cpu "$scratch/named.csv" "$scratch/named.right.csv"
check "kept: a file beside the results finds no space" full_report
check "kept: statistics find no space behind the distances" full_late
check "kept: pairs wait for space" waits out.csv
check "kept: pairs of two ranks wait for space, and one speaks" waits out.csv --ranks 2
if "$BUILD/apsp" --quiet --device cpu "$graph" "$scratch/try.h5" 2>"$scratch/stderr"; then
    check "kept: HDF5 waits for space" waits out.h5
else
    echo "skip kept: HDF5 waits for space: no libhdf5"
fi
echo 'a,b,x' | cat "$scratch/abc.csv" - >"$scratch/abc.bad"
check "kept: the report of a failure finds no space, which the line says" unreported
check "kept: no longer than is said" gives_up

# Checkpoints go when all is done: not what else has the name of one, result or input.
saves() { # RANKS ARGUMENTS...
    with=$1
    shift
    mpi "$with" "$BUILD/apsp" --device cpu --quiet --method dense --tile 20 \
        --checkpoint "$place/saved" --checkpoint-every 0.00001 "$@" 2>"$scratch/stderr"
    status=$?
}
beside_checkpoints() { # RANKS
    rm -rf "$place"/*
    saves "$1" --json "$place/saved/checkpoint.2" "$graph" "$place/saved/checkpoint.1"
    case $status in
    0) cmp -s "$place/saved/checkpoint.1" "$scratch/right" ;;
    # a checkpoint has been there
    2) ends 2 'complete file is .*checkpoint.1.kept' &&
        cmp -s "$place/saved/checkpoint.1.kept" "$scratch/right" ;;
    *) false ;;
    esac || show
}
for ranks in 1 2; do
    check "kept: results in the folder of checkpoints, $ranks ranks" beside_checkpoints $ranks
done
is_no_checkpoint() { # RANKS NAME
    rm -rf "$place"/*
    mkdir "$place/saved"
    cp "$graph" "$place/saved/$2"
    saves "$1" --force "$place/saved/$2"
    ends 2 'checkpoint.1: is the input' && cmp -s "$place/saved/$2" "$graph" || show
}
for name in checkpoint.1 .checkpoint.1.apsp-tmp; do
    check "kept: the input is $name in that folder" is_no_checkpoint 1 $name
    check "kept: the input is $name in that folder, 2 ranks" is_no_checkpoint 2 $name
done
is_foreign() {
    rm -rf "$place"/*
    mkdir "$place/saved"
    echo mine >"$place/saved/checkpoint.2"
    saves 1 --force "$graph"
    ends 2 'checkpoint.2: is not a checkpoint' && [ "$(cat "$place/saved/checkpoint.2")" = mine ] ||
        show
}
check "kept: somebody's file in that folder" is_foreign
named_temporary() {
    rm -rf "$place"/*
    "$BUILD/apsp" --device cpu --quiet "$graph" "$place/.out.apsp-tmp" 2>"$scratch/stderr"
    status=$?
    ends 2 'reserved for temporary files' && [ -z "$(ls -A "$place")" ] || show
}
check "kept: no result has a name that the next run removes" named_temporary
finish
