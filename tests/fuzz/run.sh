#!/bin/sh
# BUILD=build FUZZ_SECONDS=60 FUZZ_RUNS=-1 sh tests/fuzz/run.sh HARNESS...: each for so many seconds
# and, unless -1, at most so many executions; a finding stays in $BUILD/fuzz and ends the run. What
# has been found worth keeping on the way is in $BUILD/fuzz/HARNESS.corpus, and starts the next run.
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
for harness; do
    corpus=$BUILD/fuzz/$harness.corpus
    mkdir -p "$corpus"
    begin=$(date +%s)
    # Threads would hide what a run depends on; a piece of memory or a run out of proportion is a
    # finding.
    OMP_NUM_THREADS=1 "$BUILD/fuzz/$harness" -max_total_time="${FUZZ_SECONDS:-60}" \
        -runs="${FUZZ_RUNS:--1}" \
        -max_len=8192 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
        -artifact_prefix="$BUILD/fuzz/$harness-" -print_final_stats=1 -verbosity=0 "$corpus" \
        "tests/fuzz/seeds/$harness" >"$BUILD/fuzz/$harness.log" 2>&1
    status=$?
    printf '%-12s %s executions in %s s\n' "$harness" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$BUILD/fuzz/$harness.log")" \
        $(($(date +%s) - begin))
    if [ $status -ne 0 ]; then
        tail -n 60 "$BUILD/fuzz/$harness.log"
        exit 1
    fi
done
