#!/bin/sh
# Runs with checkpoints that SIGKILL, SIGTERM or SIGUSR1 ends at random moments, or that are stopped
# for a while, one after the other on the same folder; after each one that has ended early, a run
# goes on from a copy of the folder to the right bytes. Kinds, ranks, tiles and transports are
# drawn. STRIKES says how many (10), SEED the draw. `make check-signals` makes 200.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
. tests/strikes.sh

# The draws of make check are always the same: what fails there fails again.
[ -n "${STRIKES:-}" ] || SEED=${SEED:-59}
count=${STRIKES:-10}
seed=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
killed= place=$scratch/place folder=$scratch/folder copy=$scratch/copy
graph=$scratch/graph.bin
mkdir "$place"
kinds="alone ranks mpirun"
[ -e "$APSP_MPI_MODULE" ] || kinds="alone ranks"
"$BUILD/apsp-gen" random -n "${VERTICES:-900}" -s 3 -w 0:20 -o "$graph"
"$BUILD/apsp" --quiet "$graph" "$scratch/right"

# choose: $kind, $ranks and $transport.
choose() {
    # shellcheck disable=SC2086
    draw $kinds
    kind=$drawn ranks=1
    draw host mpi
    transport=$drawn
    [ "$kind-$transport" != ranks-mpi ] || transport=direct
    [ "$kind" = alone ] && return
    draw 2 3
    ranks=$drawn
}

# begin OUT ARGUMENTS: starts such a run, whose process is $top. Without env, a shell's job ignores
# SIGINT and SIGQUIT.
begin() {
    out=$1
    shift
    set -- --device cpu --method dense --threads 1 --quiet "$@" "$graph" "$out"
    [ "$kind" = alone ] || set -- --transport "$transport" "$@"
    case $kind in
    alone) set -- "$BUILD/apsp" "$@" ;;
    ranks) set -- "$BUILD/apsp" --ranks "$ranks" "$@" ;;
    mpirun) set -- mpirun --oversubscribe --bind-to none -n "$ranks" "$BUILD/apsp" "$@" ;;
    esac
    env --default-signal "$@" >/dev/null 2>"$scratch/stderr" &
    top=$!
}

# gone: the folder, or all in it where a run before has left it without a checkpoint.
gone() {
    [ ! -e "$folder" ] || [ -n "$was" ] && [ -z "$(ls -A "$folder" 2>/dev/null)" ]
}

# right_end SIGNAL: whether that may give $status. Before it has begun, SIGUSR1 ends a run as others
# do.
right_end() {
    case $status-$1 in
    0-*) cmp -s "$place/out" "$scratch/right" && gone ;;
    75-USR1) grep -q "stopped by a signal, .* --resume $folder" "$scratch/stderr" ;;
    75-* | *-STOP) false ;;
    esac
}

# right_files: nothing but checkpoints and a whole result; what SIGKILL leaves under other names
# stays until a run is done.
right_files() {
    for file in "$place"/* "$place"/.[!.]* "$folder"/* "$folder"/.[!.]*; do
        case ${file##*/}-$killed in
        out-*) cmp -s "$file" "$scratch/right" || return 1 ;;
        checkpoint.[12]-* | [*]-* | .[[]!.[]][*]-* | .*.apsp-tmp-yes) ;;
        *) return 1 ;;
        esac
    done
    [ "$status" != 0 ] || killed=
}

# goes_on KIND RANKS TRANSPORT: a run that nobody disturbs, on the copy, where there is a
# checkpoint; of no damaged one.
goes_on() {
    kind=$1 ranks=$2 transport=$3
    rm -rf "$copy"
    cp -r "$folder" "$copy" 2>/dev/null
    [ -e "$copy/checkpoint.1" ] || [ -e "$copy/checkpoint.2" ] || return 0
    begin "$scratch/again" --resume "$copy" --force
    wait "$top" && [ ! -s "$scratch/stderr" ] && cmp -s "$scratch/again" "$scratch/right" &&
        [ ! -e "$copy" ] && return
    echo "# $kind on $ranks ranks, $transport, does not go on:"
    return 1
}

# strike WHO SIGNAL DELAY TILE, and what goes_on is told: goes on from what the last one has left.
strike() {
    rm -f "$place"/* "$place"/.[!.]*
    how=--checkpoint was=
    [ ! -e "$folder" ] || was=there
    [ -e "$folder/checkpoint.1" ] || [ -e "$folder/checkpoint.2" ] && how=--resume was=
    begin "$place/out" --tile "$4" --checkpoint-every 0.0000001 "$how" "$folder"
    hit "$kind" "$1" "$2" "$3"
    [ "$2" != KILL ] || killed=yes
    [ "$status" = own ] || { [ $hung -eq 0 ] && right_end "$2"; } && right_files &&
        goes_on "$5" "$6" "$7" && return
    echo "# exit code $status, left: $(ls -A "$place" "$folder" | tr '\n' ' ')"
    head -n 20 "$scratch/stderr" | sed 's/^/# /'
    return 1
}

# How long a run is.
kind=alone ranks=1
begun=$(milliseconds)
begin "$place/out" --tile 2 --checkpoint-every 0.0000001 --checkpoint "$folder"
check "resumed: as it is" wait "$top"
longest=$(($(milliseconds) - begun))
echo "# seed $seed, runs of $longest ms"

at=0
while [ $at -lt "$count" ]; do
    at=$((at + 1))
    choose
    next="$kind $ranks $transport"
    choose
    draw 1 $ranks top mpirun all
    who=$drawn
    case $kind-$who in
    alone-* | ranks-* | mpirun-mpirun) who=top ;;
    esac
    draw KILL KILL KILL TERM TERM USR1 STOP
    signal=$drawn
    draw 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
    delay=$((longest * drawn / 19))
    draw 2 3 5 64
    # shellcheck disable=SC2086
    check \
        "resumed: $at, SIG$signal to $who of $kind on $ranks, $transport, tile $drawn, after $delay ms" \
        strike "$who" "$signal" "$delay" "$drawn" $next
done
finish
