#!/bin/sh
# The same files as another state of the project: `sh tests/equal.sh OLD [NEW]`. OLD and NEW are
# folders of builds, or commits, which are built for the CPU; NEW is this tree where it is left out.
# Graphs of all families and types go through all sinks: distances in every format, predecessors,
# statistics, betweenness, orders, names, and the JSON report without times, dates and places.
# Both engines run on 1 to 4 ranks, by --ranks and under mpirun. Either version resumes checkpoints
# of the other one.
# SPENT: about so many seconds at most (default 600). SEED: what is drawn (default 1).
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || [ $# -eq 2 ] || {
    echo "usage: sh tests/equal.sh OLD [NEW], each a build or a commit" >&2
    exit 2
}
. tests/common.sh
work=$scratch
trap 'git worktree remove --force "$work/tree" 2>/dev/null || true; rm -rf "$work"' EXIT
limit=${SPENT:-600} seed=${SEED:-1} begun=$(date +%s)

# build_of NAME BUILD-OR-COMMIT: $work/NAME is the build.
build_of() {
    if [ -x "$2/apsp" ]; then
        ln -s "$(realpath "$2")" "$work/$1"
        return
    fi
    git worktree remove --force "$work/tree" 2>/dev/null || true
    git worktree add -q --detach "$work/tree" "$2"
    make -s -C "$work/tree" -j"$(nproc)" GPU=none BUILD="$work/$1" all
}
build_of old "$1"
if [ $# -eq 2 ]; then
    build_of new "$2"
else
    make -s -j"$(nproc)" GPU=none BUILD="$work/new" all
fi
mkdir "$work/graphs"
same=0 different=0 runs=0 resumed=0 launch=

in_time() { [ $(($(date +%s) - begun)) -lt "$limit" ]; }

# run VERSION FOLDER ARGUMENTS...: the command of that version, in that folder.
run() {
    version=$1 folder=$2
    shift 2
    # shellcheck disable=SC2086
    (cd "$folder" && APSP_MPI_MODULE=$work/$version/libapsp_mpi.so timeout 120 $launch \
        "$work/$version/apsp" --quiet --device cpu --threads 1 --write-retry 0 "$@" 2>errors ||
        echo "exit $?" >>errors)
    sed -i -n '/^apsp\|^exit/p' "$folder/errors" # mpirun has words of its own.
}

# untimed FILE: a report without what differs from run to run.
untimed() {
    sed -i -E -e '/"seconds":/,/}/d' -e '/_per_second":/d' \
        -e '/"(begun|ended|host|mpi|transport|command|places|processor|seed|taken|resumed)":/d' "$1"
}

# same_files WHAT: the files of both versions.
same_files() {
    runs=$((runs + 1))
    for file in $(cd "$work" && ls -A old.files new.files | grep -v ':$' | sort -u); do
        case $file in
        '') continue ;;
        report.json) untimed "$work/old.files/$file" && untimed "$work/new.files/$file" ;;
        esac
        if cmp -s "$work/old.files/$file" "$work/new.files/$file"; then
            same=$((same + 1))
        else
            different=$((different + 1))
            echo "DIFFERENT: $file of $1"
            [ -z "${DIFFS:-}" ] || diff "$work/old.files/$file" "$work/new.files/$file" | head -n 20
        fi
    done
}

# compare GRAPH ARGUMENTS...: both versions. A report is compared where the method is named.
compare() {
    for version in old new; do
        rm -rf "$work/$version.files"
        mkdir "$work/$version.files"
        run $version "$work/$version.files" "$@"
    done
    same_files "$launch $*"
}

# resume FIRST SECOND ARGUMENTS...: one version is stopped after a checkpoint, the other goes on.
# A run that is over before the signal comes counts as one that has not been resumed.
resume() {
    first=$1 second=$2
    shift 2
    rm -rf "$work/old.files" "$work/new.files" "$work/point"
    mkdir "$work/old.files" "$work/new.files"
    run old "$work/old.files" "$@"
    (cd "$work/new.files" && APSP_MPI_MODULE=$work/$first/libapsp_mpi.so exec "$work/$first/apsp" \
        --quiet --device cpu --threads 1 --checkpoint "$work/point" --checkpoint-every 0.0000001 \
        "$@" 2>errors) &
    process=$!
    while kill -0 $process 2>/dev/null && ! ls "$work/point"/checkpoint* >/dev/null 2>&1; do
        sleep 0.01
    done
    kill -USR1 $process 2>/dev/null || true
    code=0
    wait $process || code=$?
    if [ $code -eq 75 ]; then
        resumed=$((resumed + 1))
        run "$second" "$work/new.files" --resume "$work/point" "$@"
    fi
    same_files "$* by $first, resumed by $second"
}

# graph NAME FAMILY ARGUMENTS...: makes $graph.
graph() {
    graph=$work/graphs/$1
    shift
    "$work/new/apsp-gen" "$@" -o "$graph" --force
}

# named GRAPH: a list of edges between names, from a graph in gr.
named() { awk '/^a/ { print "v" $2 ",w" $3 % 7 "_" $3 "," $4 }' "$1"; }

# one GRAPH: by a method, on ranks, into files, which are drawn.
one() {
    draw dense sparse auto && method=$drawn
    draw 1 1 2 3 4 && ranks=$drawn
    draw .npy .bin .csv .h5 .mtx .npz .npy && out=$drawn
    draw mpirun '' ''
    launch=${drawn:+mpirun --oversubscribe -n $ranks}
    set -- --method "$method" "$@"
    [ -n "$launch" ] || set -- --ranks "$ranks" "$@"
    [ "$method" = auto ] || set -- --json report.json "$@"
    [ "$method" = sparse ] && set -- --save-order order "$@"
    draw y n && [ $drawn = y ] && set -- --predecessors trees.npy "$@"
    draw json csv 'json --count all' 'csv --count in,harmonic' ''
    stats=$drawn
    set -- ${stats:+--stats stats.}$stats "$@"
    draw csv json '' '' && set -- ${drawn:+--betweenness between.$drawn} "$@"
    draw '--sources 1-9,12' '--targets 2,5-20' '--within 90' '--nearest 4' '' ''
    set -- $drawn "$@"
    draw '--names names.txt' '' && set -- $drawn "$@"
    draw --verify=all --reverse --undirected '--output-type narrow' '' '' && set -- $drawn "$@"
    compare "$@" "out$out"
    launch=
}

while in_time; do
    for family in random dense grid rmat path star disconnected zero; do
        in_time || break
        draw 1 7 24 90 150 301 && n=$drawn
        draw gr bin mtx && suffix=$drawn
        weights=
        if [ $suffix = mtx ]; then
            draw '' '-w 0:50 --potential 900' '-w 0.00:50.25' '-w 0.00:50.25 --potential 90'
            weights=$drawn
        fi
        # shellcheck disable=SC2086
        graph "graph.$suffix" "$family" -n "$n" -s "$seed" $weights 2>/dev/null || continue
        draw '' '' '--dtype i32' '--dtype i64' '--dtype f64' '--dtype f32' && dtype=$drawn
        [ "$weights" = "${weights#*.}" ] || dtype='--dtype f64'
        # shellcheck disable=SC2086
        one $dtype "$graph"
        if [ $suffix = gr ]; then
            named "$graph" >"$work/graphs/named.csv"
            one "$work/graphs/named.csv"
        fi
    done
    for method in dense sparse; do
        in_time || break
        graph graph.bin grid -n 1500 -w 1:9 -s "$seed"
        draw 'old new' 'new old' && order=$drawn
        draw 1 2 3 && ranks=$drawn
        # shellcheck disable=SC2086
        resume $order --method $method --ranks "$ranks" --stats stats.json \
            --predecessors trees.npy "$graph" out.npy
    done
done
echo "$runs runs, $resumed of them resumed: $same files the same, $different different"
[ "$different" -eq 0 ]
