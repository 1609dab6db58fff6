#!/bin/sh
# How many threads a run takes where nobody says, and that idle ones sleep.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

graph=$scratch/graph.bin
"$BUILD/apsp-gen" random -n 300 -d 4 -s 1 -o "$graph"
unset OMP_NUM_THREADS OMP_WAIT_POLICY GOMP_SPINCOUNT

# threads_of COMMAND...: those of the report.
threads_of() {
    "$@" --device cpu --method dense --quiet --force --json "$scratch/report" "$graph" &&
        tr ',' '\n' <"$scratch/report" |
            sed -nE 's/^[[:space:]]*"threads":[[:space:]]*([0-9]+).*/\1/p'
}
# takes THREADS COMMAND...
takes() {
    wanted=$1
    shift
    taken=$(threads_of "$@")
    [ "$taken" = "$wanted" ] && return
    echo "# $taken threads, not $wanted"
    return 1
}

all=$(threads_of "$BUILD/apsp")
first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
check "threads: no more than processors" [ "$all" -ge 1 -a "$all" -le "$(nproc)" ]
check "threads: OMP_NUM_THREADS=1" takes 1 env OMP_NUM_THREADS=1 "$BUILD/apsp"
check "threads: OMP_NUM_THREADS of more than there are" takes "$all" env \
    OMP_NUM_THREADS=$((all + 3)) "$BUILD/apsp"
check "threads: --threads goes before" takes 2 env OMP_NUM_THREADS=1 "$BUILD/apsp" --threads 2
check "threads: one core" takes 1 taskset -c "$first" "$BUILD/apsp"
check "threads: two ranks on one core" takes 1 taskset -c "$first" "$BUILD/apsp" --ranks 2

# A group with a quota, for whoever may make one; both versions of control groups.
group=
for place in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup; do
    [ -z "$group" ] && mkdir "$place/apsp-test-$$" 2>/dev/null && group=$place/apsp-test-$$ ||
        continue
    trap 'rmdir "$group"; rm -rf "$scratch"' EXIT
    { echo 50000 >"$group/cpu.cfs_quota_us" || echo "50000 100000" >"$group/cpu.max"; \
        } 2>/dev/null && break
    rmdir "$group"
    group=
done
in_group() {
    sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
if [ -n "$group" ] && in_group true 2>/dev/null; then
    check "threads: half a processor" takes 1 in_group "$BUILD/apsp"
    check "threads: --threads goes before a quota" takes 2 in_group "$BUILD/apsp" --threads 2
else
    echo "skip threads: a quota needs the right to make a control group"
fi

# libgomp tells how its threads wait.
spins() {
    told=$(OMP_DISPLAY_ENV=verbose env "$@" "$BUILD/apsp" --version 2>&1 >/dev/null |
        sed -n "s/.*GOMP_SPINCOUNT = '\(.*\)'.*/\1/p")
    [ "$told" = "$spin" ] || echo "# $told turns, not $spin"
    [ "$told" = "$spin" ]
}
if OMP_DISPLAY_ENV=verbose "$BUILD/apsp" --version 2>&1 | grep -q GOMP_SPINCOUNT; then
    spin=3000
    check "threads: idle ones sleep soon" spins
    spin=7
    check "threads: GOMP_SPINCOUNT is the user's" spins GOMP_SPINCOUNT=7
    spin=30000000000
    check "threads: OMP_WAIT_POLICY is the user's" spins OMP_WAIT_POLICY=active
else
    echo "skip threads: another OpenMP than libgomp"
fi
finish
