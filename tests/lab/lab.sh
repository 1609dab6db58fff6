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
# The figures' axes: bars begin at 0, and an axis that is logarithmic says so and has no bars.
axes() {
    python3 -B - <<'END'
import sys
sys.path.insert(0, "lab")
import figures
def rows(*values, unit="T relaxations/s"):
    return [{"step": f"s{v}", "on": "CPU", "n": "300", unit: str(v)} for v in values]
drawn, words = figures.bars(rows(2, 3), "T relaxations/s")
assert words[0] == "T relaxations/s, n = 300", words
assert not drawn or ">0<" in drawn.replace(" ", ""), drawn
drawn, words = figures.bars(rows(0.001, 0.5), "T relaxations/s")
assert words[0] == "G relaxations/s, logarithmic, n = 300", words
assert not drawn or ">500<" in drawn.replace(" ", ""), drawn
END
}
check "lab: bars begin at 0, and logarithmic axes say so" axes

check "lab: no warning of an idle machine" sh -c '! grep -q "was busy" "$1"' sh \
    "$scratch/report.html"
warns() {
    echo "1.9 2" >"$scratch/ladder.load"
    echo "0.4 2" >"$scratch/scaling.load"
    head -n 1 "$scratch/ladder.csv" >"$scratch/factor.csv" &&
        echo '# Factors' >"$scratch/factor.txt" &&
        python3 -B lab/report.py "$scratch" >/dev/null &&
            grep -q '=warning>The machine was busy: other work had 1.9 of 2 cores during ladder\.' \
                "$scratch/report.html" &&
        grep -q '^The machine was busy' "$scratch/report.md" &&
            grep -q 'this machine can do: factor' "$scratch/report.html" &&
        ! grep -q 'id=factor' "$scratch/report.html"
}
check "lab: a busy machine is told, and no section is empty" warns

# spins SECONDS: a core is busy so long.
spins() {
    timeout "$1" sh -c 'while :; do :; done'
}
others() {
    spins 3 &
    sh lab/others.sh "$scratch/idle" sleep 2
    read -r busy cores <"$scratch/idle"
    wait
    [ "$cores" -eq "$(grep -c '^cpu[0-9]' /proc/stat)" ] &&
        awk "BEGIN { exit !($busy > 0.5 && $busy <= $cores + 0.1) }"
}
# The command's own time: with it, all cores would seem to have other work.
own() {
    sh lab/others.sh "$scratch/own" sh -c 'for core in $(seq 1 $(nproc)); do
        timeout 2 sh -c "while :; do :; done" &
    done; wait'
    read -r busy cores <"$scratch/own"
    awk "BEGIN { exit !($busy < 0.9 * $cores) }"
}
if [ -r /proc/stat ]; then
    check "lab: other work is counted" others
    check "lab: a command's own work is not" own
fi
status_of() {
    sh lab/others.sh "$scratch/status" sh -c 'exit 3'
    [ $? -eq 3 ]
}
check "lab: a failed command stays failed" status_of
finish
