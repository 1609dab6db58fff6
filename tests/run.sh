#!/bin/sh
# All tests: BUILD=build sh tests/run.sh [NAME ...], NAME as in the first column of the output. A C test counts the
# cases that cmocka reports, a shell test its lines `ok ...`, `FAIL ...` and `skip ...`.
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
export BUILD
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Waiting ranks leave the cores to others: there may be more ranks than cores.
export OMPI_MCA_mpi_yield_when_idle=1
# For the programs that do not lie beside it.
export APSP_MPI_MODULE="$(realpath "$BUILD")/libapsp_mpi.so"
# For the sanitizers' builds; the others do not look at these. Open MPI leaks by the thousand in libraries that it has unloaded by the time of
# the report: leaks are looked for where MPI does not run, and by tests/valgrind.sh everywhere.
export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"

ranks_of_mpi_tests="1 2 3 4 7"
mpi_tests="solve targets types host edges reads waiting adopt over many check rounds estimate unreserved"
# Those that run once more with small pieces (base/size.h), on so many ranks.
small_tests="edges-2 host-3 adopt-4 rounds-2 solve-3 load output sources distances list library"
passed=0
failed=0
skipped=0
chosen="$*"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# run NAME COMMAND...: runs it unless other names were asked for, counts, and shows the log of a failure.
run() {
    test_name=$1
    shift
    case " $chosen " in
    "  " | *" $test_name "*) ;;
    *) return ;;
    esac
    begin=$(date +%s.%N)
    timeout 900 "$@" >"$log" 2>&1
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
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + left))
    printf '%-24s %4d passed %3d failed %3d skipped %7s s\n' "$test_name" "$ok" "$bad" "$left" "$seconds"
    grep '^skip ' "$log"
    if [ "$bad" -gt 0 ]; then
        echo "--- $test_name: exit status $status, $*"
        tail -n 60 "$log"
        echo "---"
    fi
}

# Those that need MPI or METIS are not built without them.
is_built() {
    [ -x "$1" ] && return
    echo "skip $name: it was not built"
    skipped=$((skipped + 1))
    return 1
}

for source in tests/test_*.c tests/*/test_*.c; do
    name=$(basename "$source" .c)
    name=${name#test_}
    program=$BUILD/${source%.c}
    case " $mpi_tests " in
    *" $name "*) ;;
    *) is_built "$program" && run "$name" env ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1" "$program" ;;
    esac
done
for name in $mpi_tests; do
    program=$BUILD/$(ls tests/*/test_"$name".c | sed 's/\.c$//')
    is_built "$program" || continue
    for ranks in $ranks_of_mpi_tests; do
        run "$name-$ranks" mpirun --oversubscribe -n "$ranks" "$program"
    done
done
for name in $small_tests; do
    stem=${name%-*}
    program=$BUILD/small/$(ls tests/*/test_"$stem".c | sed 's/\.c$//')
    is_built "$program" || continue
    start=
    [ "$stem" = "$name" ] || start="mpirun --oversubscribe -n ${name#*-}"
    run "small-$name" env APSP_MPI_MODULE="$(realpath "$BUILD")/small/libapsp_mpi.so" $start "$program"
done
for script in tests/layers.sh tests/library/*.sh tests/cli/*.sh tests/lab/*.sh; do
    name=$(basename "$script" .sh)
    run "$name.sh" sh "$script"
done

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
