#!/bin/sh
# Signals at random moments to a command, to mpirun and its ranks: what stays, the exit code, the
# line on stderr, and that all end; or, stopped for a while, go on to the right bytes.
# SIGNALS says how many (10), SEED the draw, DEVICE (cpu), TRANSPORTS ("host mpi"), VERTICES (900)
# and TILE (1) what is run. `make check-signals` sends 200; on a machine with a GPU: DEVICE=gpu
# TRANSPORTS=peer VERTICES=12000 TILE=64 make check-signals.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_segv=0" # a signal, not a fault
. tests/strikes.sh

if [ ! -e "$APSP_MPI_MODULE" ]; then
    echo "skip signals: this build has no MPI"
    finish
fi
# The draws of make check are always the same: what fails there fails again.
[ -n "${SIGNALS:-}" ] || SEED=${SEED:-4}
count=${SIGNALS:-10}
device=${DEVICE:-cpu}
transports=${TRANSPORTS:-host mpi}
seed=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
ranks=3
[ "$device" = gpu ] && ranks=2
graph=$scratch/graph.bin
place=$scratch/place
mkdir "$place"
"$BUILD/apsp-gen" random -n "${VERTICES:-900}" -s 3 -o "$graph"
"$BUILD/apsp" --quiet "$graph" "$scratch/right"

# begin KIND TRANSPORT: starts the run, whose process is $top. Without that, a shell's job ignores
# SIGINT and SIGQUIT.
begin() {
    set -- "$1" --device "$device" --method dense --transport "$2" --tile "${TILE:-1}" --threads 1 \
        --quiet --json "$place/report" "$graph" "$place/out"
    if [ "$1" = ranks ]; then
        shift
        [ "$device" = gpu ] && set -- --gpus "$ranks" --share-gpus "$@" ||
            set -- --ranks "$ranks" "$@"
        env --default-signal "$BUILD/apsp" "$@" >"$scratch/stdout" 2>"$scratch/stderr" &
    else
        shift
        [ "$device" = gpu ] && set -- --share-gpus "$@"
        env --default-signal mpirun --oversubscribe --bind-to none -n "$ranks" "$BUILD/apsp" \
            "$@" >"$scratch/stdout" 2>"$scratch/stderr" &
    fi
    top=$!
}

# right_code KIND WHO SIGNAL: whether $status is what that must give.
right_code() {
    number=$(env kill -l "$3")
    [ "$status" -eq $((128 + number)) ] && [ "$3" != STOP ] && return
    [ "$status" -eq 0 ] && cmp -s "$place/out" "$scratch/right" && [ -s "$place/report" ] && return
    # mpirun ends its ranks by SIGTERM, and itself by exit code 1
    case $1-$2-$3 in
    mpirun-top-HUP | mpirun-top-INT | mpirun-top-TERM) [ "$status" -eq 1 ] ;;
    *) return 1 ;;
    esac
}

# right_lines KIND: a process that a signal ends says nothing, and of several ranks one at most.
right_lines() {
    if [ "$1" = ranks ]; then
        [ ! -s "$scratch/stderr" ]
    else
        [ "$(grep -c '^apsp: ' "$scratch/stderr")" -le 1 ]
    fi
}

# right_files: nothing, or whole results.
right_files() {
    for file in $(ls -A "$place"); do
        case $file in
        out) cmp -s "$place/out" "$scratch/right" || return 1 ;;
        report) grep -q '^}' "$place/report" || return 1 ;;
        *) return 1 ;;
        esac
    done
}

# follow TRANSPORT: the next run, after one that was killed, replaces what that has left.
follow() {
    [ "$(ls -A "$place" | grep -cvE '^(out|report|\.out\.apsp-tmp|\.report\.apsp-tmp)$')" -eq 0 ] ||
        return
    rm -f "$place/out" "$place/report"
    ended=$status
    begin ranks "$1"
    wait "$top" && right_files && [ "$(ls -A "$place" | wc -l)" -eq 2 ] || return
    status=$ended
}

# strike KIND TRANSPORT WHO SIGNAL DELAY
strike() {
    rm -f "$place"/* "$place"/.[!.]*
    begin "$1" "$2"
    hit "$1" "$3" "$4" "$5"
    [ "$1-$4" != ranks-KILL ] || follow "$2" || return
    [ "$status" = own ] && right_files && return
    [ $hung -eq 0 ] && right_code "$1" "$3" "$4" && right_lines "$1" && right_files && return
    echo "# exit code $status, left: $(ls -A "$place" | tr '\n' ' ')"
    head -n 20 "$scratch/stderr" | sed 's/^/# /'
    return 1
}

# How long a run is, and that it is right when nothing comes between.
for kind in ranks mpirun; do
    begun=$(milliseconds)
    begin $kind "${transports%% *}"
    wait "$top"
    status=$?
    longest=$(($(milliseconds) - begun))
    check "signals: none, $kind" [ "$status" -eq 0 ]
    check "signals: none, $kind, the distances" cmp "$place/out" "$scratch/right"
    rm -f "$place"/*
done
echo "# seed $seed, runs of $longest ms"

# Ctrl-C: by chance it may come too late, but not in three runs.
for turn in 1 2 3; do
    strike ranks "${transports%% *}" top INT $((longest / (2 * turn)))
    [ "$status" -ne 0 ] && break
done
check "signals: SIGINT to --ranks is 130" [ "$status" -eq 130 ]

# MPI's own handlers, which look for the names of functions, may hang (src/comm/mpi.c).
for turn in 1 2 3; do
    strike mpirun "${transports%% *}" 1 SEGV $((longest / (2 * turn)))
    [ "$status" -ne 0 ] && break
done
check "signals: SIGSEGV to a rank is 139" [ "$status" -eq 139 ]
check "signals: MPI does not handle it" [ "$(grep -c 'Process received signal' "$scratch/stderr")" \
    -eq 0 ]

at=0
while [ $at -lt "$count" ]; do
    at=$((at + 1))
    draw ranks ranks mpirun
    kind=$drawn
    # shellcheck disable=SC2086
    draw $transports
    transport=$drawn
    [ "$kind-$transport" != ranks-mpi ] || transport=direct
    draw 1 1 2 $ranks top mpirun all
    who=$drawn
    case $kind-$who in
    ranks-* | mpirun-mpirun) who=top ;;
    mpirun-all) who=1 ;; # SIGKILL of all leaves files where nobody waits for mpirun
    esac
    draw STOP STOP STOP STOP HUP INT QUIT ILL TRAP ABRT BUS FPE KILL KILL KILL USR1 SEGV USR2 PIPE \
        ALRM TERM TERM XCPU SYS PWR
    signal=$drawn
    draw 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
    delay=$((longest * drawn / 19))
    check "signals: $at, SIG$signal to $who of $kind, $transport, after $delay ms" strike "$kind" \
        "$transport" "$who" "$signal" "$delay"
done
finish
