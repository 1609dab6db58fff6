#!/bin/sh
# Random sequences of questions to solutions of the library: SEQUENCES of them, 300 unless told;
# on the device SEQUENCES_DEVICE, cpu unless told. One that fails, crashes or hangs is made as short
# as it can be, and shown with the command that runs it again.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
sequences=${SEQUENCES:-300}
if [ ! -x "$BUILD/tests/sequences/sequences" ]; then
    echo "skip sequences: they were not built, which needs MPI"
    exit 0
fi
# As the commands have it: threads and ranks that wait leave the cores to others.
export GOMP_SPINCOUNT=3000 OMPI_MCA_mpi_yield_when_idle=1 SEQUENCES_AT="$scratch/at"
export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0:${ASAN_OPTIONS:-}"

# Leaks are looked for on one rank: Open MPI has thousands.
export LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0"

# ask RANKS SECONDS FIRST COUNT [QUESTIONS]: by $program.
ask() {
    ranks_of_ask=$1
    seconds=$2
    shift 2
    ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=$((ranks_of_ask == 1))" \
        mpi "$ranks_of_ask" timeout -k 5 "$seconds" "$program" "$@" >"$scratch/told" 2>&1
}

# shorten RANKS SEED LAST: the fewest questions, up to that one, with which the sequence still
# fails, in $questions. 1: it does not always.
shorten() {
    questions=$(seq -s , 2 "$3")
    ask "$1" 20 "$2" 1 "${questions:-none}" && return 1
    for number in $(seq "$3" -1 2); do
        fewer=$(echo "$questions" | tr , '\n' | grep -vx "$number" | paste -s -d ,)
        ask "$1" 20 "$2" 1 "${fewer:-none}" || questions=$fewer
    done
    ! ask "$1" 20 "$2" 1 "${questions:-none}"
}

# run RANKS FIRST COUNT
run() {
    : >"$scratch/at"
    if ask "$1" $((100 + 10 * $3)) "$2" "$3"; then
        cat "$scratch/told" >>"$scratch/counts"
        return 0
    fi
    tail -n 30 "$scratch/told"
    read -r seed last <"$scratch/at" || return 1
    shorten "$1" "$seed" "$last" || echo "# sequence $seed fails now and then:"
    echo "# sequence $seed on $1 ranks, with the questions ${questions:-none}:"
    grep '^wrong' -A 2 "$scratch/told" || tail -n 5 "$scratch/told"
    [ "$1" -eq 1 ] && launch= || launch="mpirun --oversubscribe -n $1 "
    device=${SEQUENCES_DEVICE:+env SEQUENCES_DEVICE=$SEQUENCES_DEVICE }
    echo "# $launch$device$program $seed 1 ${questions:-none}"
    return 1
}

# share PERCENT RANKS: in parts of at most 250.
first=1
share() {
    left=$((sequences * $1 / 100))
    while [ "$left" -gt 0 ]; do
        count=$((left < 250 ? left : 250))
        check "sequences: $count from $first on $2 ranks$pieces" run "$2" "$first" "$count"
        first=$((first + count))
        left=$((left - count))
    done
}

# Ranks that wait for one another take most of the time where there are more of them than cores.
program=$BUILD/tests/sequences/sequences
pieces=
share 76 1
share 7 2
share 3 3
share 1 4
if [ -x "$BUILD/small/tests/sequences/sequences" ]; then
    program=$BUILD/small/tests/sequences/sequences
    pieces=" in small pieces"
    export APSP_MPI_MODULE="$(realpath "$BUILD/small")/libapsp_mpi.so"
    share 11 1
    share 2 3
fi

awk '
    $1 == "solved" { solved[$2 " " $3 " " $4] += $5; of[$2] += $5 }
    $1 == "refused" { refused[$2] += $4 }
    $1 == "asked" { asked[$2] += $4; cancelled[$2] += $5; short[$2] += $6 }
    END {
        for (key in solved)
            if (split(key, part) && solved[key])
                printf "# solved by %s in %s on %d ranks: %d\n", part[1], part[2], part[3],
                    solved[key] | "sort"
        close("sort")
        for (name in asked)
            printf "# asked %s %d times: cancelled %d, short of memory %d\n", name, asked[name],
                cancelled[name], short[name] | "sort"
        close("sort")
        for (name in refused)
            printf "# refused by %s, and solved by another engine: %d\n", name, refused[name]
        for (name in of)
            if (of[name] == 0)
                print (refused[name] ? "skip" : "FAIL") " sequences: nothing is solved by " name
    }' "$scratch/counts" 2>/dev/null >"$scratch/table"
cat "$scratch/table"
failures=$((failures + $(grep -c '^FAIL' "$scratch/table")))
finish
