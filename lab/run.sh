#!/bin/sh
# All experiments that this machine can do, then the page: BUILD=build sh lab/run.sh [OPTIONS of
# every experiment]
set -u
cd "$(dirname "$0")/.." || exit 1
out=${BUILD:-build}/lab failed=0
for experiment in ladder factor phases scaling triangular contraction product amd banks; do
    echo "$experiment:" >&2
    sh lab/others.sh "$out/$experiment.load" "$out/$experiment" --csv "$out/$experiment.csv" "$@" \
        >"$out/$experiment.txt" || failed=1
    cat "$out/$experiment.txt"
    echo
done
python3 lab/measure.py "$out" || failed=1
python3 lab/report.py "$out" || failed=1
exit $failed
