#!/bin/sh
# The harness of the experiments: what is wrong is refused, and every experiment's steps on the CPU
# are right at a small size.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
[ -x "$BUILD/tests/lab/wrong" ] || { echo "skip lab: it was not built"; exit; }

refuses_wrong() {
    "$BUILD/tests/lab/wrong" --n 70 --csv "$scratch/wrong.csv" >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 1 ] && grep -q 'wrong in one value: the result is wrong (n = 70)' "$scratch/err" &&
        grep -q '^"right",CPU,70,' "$scratch/wrong.csv" &&
            ! grep -q 'wrong in one' "$scratch/wrong.csv" "$scratch/out" &&
        ! grep -q absent "$scratch/wrong.csv" && grep -q '^# left out: absent: ' "$scratch/out"
}
check "lab: a step that is wrong in one value is refused" refuses_wrong

quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log"
        return 1
    }
}
for experiment in ladder factor phases scaling triangular contraction product amd banks; do
    check "lab: $experiment" quietly "$BUILD/lab/$experiment" --device cpu --n 130 \
        --csv "$scratch/$experiment.csv"
done

rows() {
    [ "$(grep -c ',CPU,130,' "$scratch/ladder.csv")" -eq 6 ] &&
        [ "$(grep -c ',CPU,163,' "$scratch/scaling.csv")" -eq 1 ]
}
check "lab: a row for each step" rows
json() {
    "$BUILD/lab/ladder" --device cpu --n 50 --only sequential --json | python3 -c '
import json, sys
row, = json.load(sys.stdin)
assert row["step"] == "sequential" and row["n"] == 50 and row["seconds"] > 0'
}
check "lab: JSON" json
refuses() {
    "$BUILD/lab/ladder" "$@" >"$scratch/out" 2>&1
    [ $? -eq 2 ]
}
check "lab: sizes are numbers" refuses --n 10x
check "lab: devices are known" refuses --device tpu
check "lab: no other arguments" refuses 500
check "lab: --help says what there is" sh -c "'$BUILD/lab/ladder' --help | grep -q -- --full"

page() {
    for name in ladder scaling; do
        "$BUILD/lab/$name" --device cpu --n 100 --csv "$scratch/$name.csv" >"$scratch/$name.txt" ||
            return
    done
    python3 -B lab/report.py "$scratch" >/dev/null && grep -q 'id=ladder' "$scratch/report.html" &&
        grep -q '^| sequential | CPU | 100' "$scratch/report.md" &&
            ! grep -q 'src=\|href=http' "$scratch/report.html"
}
check "lab: a page of the tables" page
check "lab: no warning of an idle machine" sh -c '! grep -q "was busy" "$1"' sh \
    "$scratch/report.html"
warns() {
    echo "1.9 2" >"$scratch/load.txt"
    head -n 1 "$scratch/ladder.csv" >"$scratch/factor.csv" &&
        echo '# Factors' >"$scratch/factor.txt" &&
        python3 -B lab/report.py "$scratch" >/dev/null &&
            grep -q 'class=warning>The machine was busy: 1.9 of 2 cores' "$scratch/report.html" &&
        grep -q '^The machine was busy' "$scratch/report.md" &&
            grep -q 'this machine can do: factor' "$scratch/report.html" &&
        ! grep -q 'id=factor' "$scratch/report.html"
}
check "lab: a busy machine is told, and no section is empty" warns
finish
