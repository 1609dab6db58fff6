# What the tests share that send signals to runs at random moments; sourced after common.sh. A run
# is the process $top: KIND "ranks", apsp with threads, "mpirun", or "alone". WHO is top, mpirun,
# all (of the ranks), or the number of a rank from 1.

# mpirun kills whom it has asked to end after one second by default, which is too little on a busy
# disk.
export OMPI_MCA_odls_base_sigkill_timeout=3

milliseconds() {
    date +%s%3N
}

children() {
    cat /proc/"$1"/task/*/children 2>/dev/null
}

lives() {
    [ -e "/proc/$1/stat" ] && ! grep -q ') Z ' "/proc/$1/stat" 2>/dev/null
}

# find_victim KIND WHO: of the run $top, sets $victim, once it is there, to a number, or to nothing
# when the run is over.
find_victim() {
    mpirun=$top victim=
    while lives "$top"; do
        case $2 in
        top) victim=$top ;;
        mpirun) victim=$mpirun ;;
        all) victim=$(children "$mpirun" | cut -d ' ' -f 1) ;;
        *) [ -n "$mpirun" ] && victim=$(children "$mpirun" | cut -d ' ' -f "$2") ;;
        esac
        # between fork() and exec() it is not yet what it will be
        case $2-$(cat "/proc/${victim:-none}/comm" 2>/dev/null) in
        top-apsp | top-mpirun | mpirun-mpirun | all-apsp | [0-9]*-apsp) return ;;
        esac
        sleep 0.01
    done
    victim=
}

has_ranks() {
    for one in $everybody; do
        [ "$one" != "$top" ] && lives "$one" && return
    done
    return 1
}

# wait_for_end SIGNAL: all that the run has started, for at most 30 s; a run that goes on in spite
# of the signal has its own time too, in which others may use the machine: one takes $longest
# milliseconds.
wait_for_end() {
    end=$(($(milliseconds) + 30000))
    case $1 in
    STOP | PIPE) end=$((end + 10 * longest)) ;;
    esac
    for one in $top $everybody; do
        while lives "$one"; do
            left=$one
            [ "$(milliseconds)" -lt $end ] || return 1
            sleep 0.02
        done
    done
}

# hit KIND WHO SIGNAL DELAY: sends it to the run after so many milliseconds, after STOP in the end
# CONT, and waits until all have ended. $status is the exit code, or "own": mpirun had to be killed,
# by no fault of ours. $hung: 0.
hit() {
    sleep "$(echo "$4" | awk '{ print $1 / 1000 }')"
    find_victim "$1" "$2"
    everybody="$mpirun $(children "$mpirun")"
    [ "$2" = all ] && victim=$(children "$mpirun")
    # shellcheck disable=SC2086
    [ -n "$victim" ] && kill "-$3" $victim 2>/dev/null
    if [ "$3" = STOP ]; then
        sleep "$(echo "$4" | awk '{ print 0.2 + $1 / 1000 }')"
        # shellcheck disable=SC2086
        [ -n "$victim" ] && kill -CONT $victim 2>/dev/null
    fi
    own=
    wait_for_end "$3"
    hung=$?
    if [ $hung -ne 0 ] && [ "$1-$left" = "mpirun-$top" ] && ! has_ranks; then
        echo "# mpirun did not end when its ranks had, which is its own fault"
        hung=0 own=own
        kill -KILL "$top"
    fi
    # shellcheck disable=SC2086
    [ $hung -eq 0 ] || { echo "# hung: $left $(cat "/proc/$left/comm")"; kill -KILL $top \
        $everybody 2>/dev/null; }
    wait "$top" 2>/dev/null
    status=$?
    status=${own:-$status}
}
