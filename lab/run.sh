#!/bin/sh
# All experiments that this machine can do, then the page: BUILD=build sh lab/run.sh [OPTIONS of
# every experiment]
set -u
cd "$(dirname "$0")/.." || exit 1
out=${BUILD:-build}/lab failed=0
# The cores that other work has, for a warning on the page.
echo "$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo 0) $(nproc)" >"$out/load.txt"
for experiment in ladder factor phases scaling triangular contraction product amd banks; do
    echo "$experiment:" >&2
    "$out/$experiment" --csv "$out/$experiment.csv" "$@" >"$out/$experiment.txt" || failed=1
    cat "$out/$experiment.txt"
    echo
done
python3 lab/measure.py "$out" || failed=1
python3 lab/report.py "$out" || failed=1
exit $failed
