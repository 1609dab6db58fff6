#!/bin/sh
# All tests: BUILD=build JOBS=2 sh tests/run.sh [NAME ...], NAME as in the first column of the
# output, JOBS of them at a time: most wait, for mpirun to start and for ranks to end. A C test
# counts the cases that cmocka reports, a shell test its lines `ok ...`, `FAIL ...` and `skip ...`.
# With COUNTS, a folder: what a build with gcov counts goes to COUNTS/NAME.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
export BUILD
# Waiting ranks leave the cores to others: there may be more ranks than cores.
export OMPI_MCA_mpi_yield_when_idle=1
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}" \
    LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0"

ranks_of_mpi_tests="1 2 3 4 7"
mpi_tests="solve targets types host edges reads waiting adopt over many check rounds estimate \
unreserved"
# Those of them that run as threads too, under names that end with t.
threads_tests="solve targets host edges waiting rounds unreserved"
# Those that run once more with small pieces (base/size.h), on so many ranks.
small_tests="csr_rows edges-2 host-3 adopt-4 rounds-2 solve-3 load output sources distances list \
library calls"

# The scripts come first: the longest are among them.
all_names() {
    for script in tests/layers.sh tests/prose.sh tests/library/*.sh tests/cli/*.sh tests/lab/*.sh; \
        do
        echo "${script##*/}"
    done
    for source in tests/test_*.c tests/*/test_*.c; do
        stem=${source##*/test_}
        stem=${stem%.c}
        case " $mpi_tests " in
        *" $stem "*) printf "$stem-%d\n" $ranks_of_mpi_tests ;;
        *) echo "$stem" ;;
        esac
        case " $threads_tests " in
        *" $stem "*) printf "$stem-%dt\n" 2 3 7 ;;
        esac
    done
    printf 'small-%s\n' $small_tests
}

# run_c BUILD STEM[-RANKS[t]]
run_c() {
    stem=${2%-*}
    source=$(ls tests/test_"$stem".c tests/*/test_"$stem".c 2>/dev/null)
    program=$1/${source%.c}
    if [ ! -x "$program" ]; then
        echo "skip $2: it was not built; it needs MPI or METIS, which this build is without"
    elif [ "$stem" = "$2" ]; then
        ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1" timeout 900 "$program"
    elif [ "${2%t}" != "$2" ]; then
        ranks=${2##*-}
        APSP_TEST_THREADS=${ranks%t} ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1" timeout 900 \
            "$program"
    else
        timeout 900 mpirun --oversubscribe -n "${2#*-}" "$program"
    fi
}

# run NAME. For the sanitizers' builds leaks are looked for where MPI does not run, and by
# tests/valgrind.sh everywhere: Open MPI leaks by the thousand in libraries that it has unloaded by
# the time of the report.
run() {
    export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0:${ASAN_OPTIONS:-}"
    case $1 in
    *.sh) timeout 900 sh "$(ls tests/"$1" tests/library/"$1" tests/cli/"$1" \
        tests/lab/"$1" 2>/dev/null)" ;;
    small-*) APSP_MPI_MODULE=$(realpath "$BUILD/small/libapsp_mpi.so") run_c "$BUILD/small" \
        "${1#small-}" ;;
    *) run_c "$BUILD" "$1" ;;
    esac
}

# tell NAME: runs it, counts, and shows the log of a failure.
tell() {
    log=$scratch/log
    [ -z "${COUNTS-}" ] || export GCOV_PREFIX="$COUNTS/$1" \
        GCOV_PREFIX_STRIP="$(pwd | tr -dc / | wc -c)"
    begin=$(date +%s.%N)
    run "$1" >"$log" 2>&1
    status=$?
    seconds=$(echo "$begin $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')
    ok=$(grep -cE '^(\[       OK \] |ok )' "$log")
    bad=$(grep -cE '^(\[  FAILED  \] [^ ]+$|FAIL )' "$log")
    left=$(grep -cE '^skip ' "$log")
    if [ "$status" -eq 77 ] && [ "$left" -eq 0 ]; then
        left=1
    elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && [ "$status" -ne 77 ]; then
        bad=1
    elif [ "$status" -eq 0 ] && [ "$((ok + bad + left))" -eq 0 ]; then
        ok=1
    fi
    printf '%-24s %4d passed %3d failed %3d skipped %7s s\n' "$1" "$ok" "$bad" "$left" "$seconds"
    grep '^skip ' "$log"
    if [ "$bad" -gt 0 ]; then
        echo "--- $1: exit status $status"
        grep -E -B 9 '^(\[  FAILED  \] [^ ]+$|FAIL )' "$log" | head -n 60
        echo "--- its end:"
        tail -n 20 "$log"
        echo "---"
    fi
}

if [ "${1-}" = --one ]; then
    tell "$2" >"$scratch/told"
    flock tests cat "$scratch/told" # not between another's lines
    exit
fi

all_names >"$scratch/all"
# --quick: the tests in C on one rank.
if [ "${1-}" = --quick ]; then
    set -- $(grep -vE '\.sh$|-[0-9]+t?$|^small-' "$scratch/all")
fi
if [ -n "$(sort "$scratch/all" | uniq -d)" ]; then
    echo "FAIL two tests have one name: $(sort "$scratch/all" | uniq -d)"
    exit 1
fi
for name in ${*:-$(cat "$scratch/all")}; do
    grep -xF -e "$name" "$scratch/all" >>"$scratch/names" && continue
    echo "FAIL no test has the name $name"
    exit 1
done
xargs -P "${JOBS:-2}" -n 1 sh tests/run.sh --one <"$scratch/names" | tee "$scratch/lines"
awk -v names="$(wc -l <"$scratch/names")" '
    / passed +[0-9]+ failed +[0-9]+ skipped +[0-9.]+ s$/ { tests++; passed += $2; failed += $4;
        skipped += $6 }
    END {
        failed += names - tests
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0 || passed == 0
    }' "$scratch/lines"
