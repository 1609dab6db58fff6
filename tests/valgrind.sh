#!/bin/sh
# Valgrind's memcheck on the programs and the unit tests: no error and no leak of ours.
# packaging/valgrind.supp hides what Open MPI, hwloc, OpenMP and the C library keep or do inside
# themselves. `make check-valgrind`; takes minutes.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh

if ! command -v valgrind >/dev/null; then
    echo "skip valgrind: it is not installed"
    exit 0
fi
memcheck="valgrind --quiet --num-callers=60 --keep-debuginfo=yes --error-exitcode=99
    --leak-check=full --show-leak-kinds=definite,indirect,possible
    --errors-for-leak-kinds=definite,indirect,possible
    --suppressions=packaging/valgrind.supp --suppressions=tests/valgrind.supp"

# clean NAME STATUS COMMAND...: the command ends with that status and without a complaint.
clean() {
    name=$1
    wanted=$2
    shift 2
    "$@" >"$scratch/log" 2>&1
    status=$?
    check "valgrind: $name" [ "$status" -eq "$wanted" ]
    [ "$status" -eq "$wanted" ] || tail -n 80 "$scratch/log"
}

graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 60 -d 4 -s 1 -w 1:1000 -o "$graph"
for ranks in 1 2; do
    clean "solve on $ranks ranks" 0 mpi "$ranks" $memcheck "$BUILD/apsp" --threads 2 --tile 16 \
        --verify=all \
        --json "$scratch/json-$ranks" --predecessors "$scratch/trees-$ranks.npy" \
        --betweenness "$scratch/values-$ranks.json" "$graph" "$scratch/out-$ranks"
    clean "estimate on $ranks ranks" 0 mpi "$ranks" $memcheck "$BUILD/apsp" --estimate "$graph"
done
printf '\003\000\000\000\001\000\000\000' >"$scratch/short.bin"
clean "bad input on 2 ranks" 3 mpi 2 $memcheck "$BUILD/apsp" "$scratch/short.bin" "$scratch/none"
clean "generator" 0 $memcheck "$BUILD/apsp-gen" rmat -n 60 -d 4 -s 1 -o "$scratch/rmat.gr"
clean "a path" 0 $memcheck "$BUILD/apsp-query" --path "$graph" "$scratch/out-1" 3 7
clean "a right result" 0 $memcheck "$BUILD/apsp-verify" "$graph" "$scratch/out-1"
clean "a wrong result" 8 $memcheck "$BUILD/apsp-verify" "$scratch/rmat.gr" "$scratch/out-1"
"$BUILD/apsp-gen" random -n 60 -d 4 -s 1 -o "$scratch/example.gr"
clean "example: arrays" 0 $memcheck "$BUILD/examples/arrays"
clean "example: blocks" 0 $memcheck "$BUILD/examples/blocks" "$scratch/example.gr"
clean "example: ranks" 0 mpi 2 $memcheck "$BUILD/examples/ranks"
# METIS runs in forked children, whose leak check would find all that the parent holds.
clean "the sparse engine" 0 $memcheck --leak-check=no "$BUILD/apsp" --method sparse --threads 1 \
    --stats "$scratch/stats.csv" "$graph" "$scratch/out-sparse"
clean "a core" 0 mpi 2 env APSP_KAPPA=4 $memcheck --leak-check=no "$BUILD/apsp" --method sparse \
    --threads 2 --stats "$scratch/stats-core.csv" --verify=all \
    "$graph" "$scratch/out-core"
check "valgrind: the rows over a core" cmp "$scratch/out-1" "$scratch/out-core"
export REALS=20 # they are many
for test in "$BUILD"/tests/test_* "$BUILD"/tests/*/test_*; do
    case $test in
    *.o | *.d | */test_solve | */test_mem | */test_sparse | */test_many) continue ;;
    esac
    clean "$(basename "$test")" 0 $memcheck "$test"
done
finish
