#!/bin/bash
# make check-cluster: BUILD=build bash tests/cluster/check.sh [PATTERN], which runs only the tests
# whose name matches
#
# The program on three nodes that are namespaces of this machine (net.sh), started by mpirun over
# real TCP and by srun on a real Slurm (slurm.sh), side by side in namespaces of their own, since
# both wait most of the time. Needs root; without the right or the tools it skips, saying so. Takes
# four minutes, never more than fifteen. CLUSTER_PART=mpirun or slurm: that part alone. LOST=N: so
# many jobs that lose a node and go on from their checkpoint, by turns on two nodes and on one (2).
#
# shellcheck disable=SC2317 # functions are handed over as words
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/cluster/net.sh
. tests/cluster/slurm.sh
BUILD=$(realpath "${BUILD:-build}")
apsp=$BUILD/apsp
export APSP=$apsp
data=$shared/data       # graphs and right results
out=$shared/results/out # holds nothing but what the run under test writes
log=$shared/log         # what it said
saved=$shared/saved     # its checkpoints
pattern=${1-}
passed=0
failed=0
skipped=0

count_results() {
    echo "$passed passed, $failed failed, $skipped skipped"
}

skip() {
    echo "skip $1: $2"
    skipped=$((skipped + 1))
}

# check NAME COMMAND...: a test, passed when the command succeeds. Lines that start with # say why
# it did not.
check() {
    local name=$1 start=$SECONDS
    shift
    [[ $name =~ $pattern ]] || return
    rm -rf "$out"
    mkdir -p "$out"
    : >"$log"
    if "$@"; then
        echo "ok $name, $((SECONDS - start)) s"
        passed=$((passed + 1))
    else
        echo "FAIL $name, $((SECONDS - start)) s"
        sed 's/^/    /' "$log" | tail -n 30
        failed=$((failed + 1))
    fi
}

# expect WHAT COMMAND...: complains when the command fails.
expect() {
    local what=$1
    shift
    "$@" && return
    echo "# not so: $what"
    return 1
}

# The ways to start a job; apsp's arguments follow.
on_one() {
    OMPI_MCA_rmaps_base_oversubscribe=1 "$apsp" --device cpu --threads 1 "$@" >>"$log" 2>&1
}

# The host file is the first argument.
by_mpirun() {
    local hosts=$shared/hosts.$1
    shift
    sh launch/mpirun.sh "$hosts" --device cpu --threads 1 "$@" >>"$log" 2>&1
}

# What the ranks say does not pass through the daemons. A daemon that is cut off while it has words
# on their way notices only when TCP gives up on these: net.ipv4.tcp_retries2, by default a quarter
# of an hour.
by_mpirun_quietly() {
    printf '#!/bin/sh\nexec "%s" "$@" >>"%s" 2>&1\n' "$apsp" "$log" >"$shared/apsp"
    chmod +x "$shared/apsp"
    APSP=$shared/apsp by_mpirun "$@"
}

by_srun() {
    SLURM_PMIX_FENCE=ring srun --mpi=pmix --unbuffered --nodes=2 --ntasks=4 --cpu-bind=none \
        --kill-on-bad-exit=1 \
        "$apsp" --device cpu --threads 1 "$@" >>"$log" 2>&1
}

by_srun_none() {
    srun --mpi=none --nodes=2 --ntasks=2 \
        "$apsp" --device cpu --threads 1 "$@" >>"$log" 2>&1
}

by_sbatch() {
    local id
    id=$(SLURM_UNBUFFEREDIO=1 sbatch --parsable --ntasks-per-node=2 --output="$log" \
        --open-mode=append \
        launch/slurm.sbatch --device cpu --threads 1 "$@" 2>>"$log") && slurm_job "$id"
}

# late START...: a rank takes long over MPI's start (late.c).
late() {
    LD_PRELOAD=$BUILD/tests/cluster/late.so "$@"
}

# make_graph NAME ARGUMENT...: $data/NAME.bin by apsp-gen, and $data/NAME.right and .csv by the
# dense engine on one rank.
make_graph() {
    "$BUILD/apsp-gen" "${@:2}" -o "$data/$1.bin" >>"$log" &&
        on_one --quiet --method dense --verify=all --stats "$data/$1.csv" "$data/$1.bin" \
            "$data/$1.right"
}

# The names in $out, in one line.
written() {
    find "$out" -mindepth 1 -printf '%f\n' | sort | xargs
}

# equal NAME START...: the job started by START ends well, with the distances that one rank finds.
equal() {
    local name=$1
    shift
    expect "exit status 0" "$@" --verify --json "$out/json" "$data/$name.bin" "$out/distances" &&
        expect "distances equal to one rank's" cmp -s "$data/$name.right" "$out/distances" &&
        expect "nothing else is left" [ "$(written)" = "distances json" ]
}

# equal_sparse NODES NAME START...: by the sparse engine on so many nodes the distances and
# statistics that the dense one finds on one rank, and the same statistics when nothing else is
# asked for.
equal_sparse() {
    local nodes=$1 name=$2
    shift 2
    expect "exit status 0" "$@" --method sparse --verify --stats "$out/with.csv" "$data/$name.bin" \
        "$out/distances" &&
        expect "exit status 0 for statistics alone" "$@" --method sparse --stats "$out/alone.csv" \
            "$data/$name.bin" &&
        expect "$nodes nodes in both reports" [ "$(grep -c "ranks on $nodes nodes" "$log")" -eq 2 \
            ] &&
        expect "a core where there is to be one" [ "$name" != core \
            -o "$(grep -c 'core of' "$log")" -eq 2 ] &&
        expect "distances equal to one rank's" cmp -s "$data/$name.right" "$out/distances" &&
        expect "statistics equal to one rank's" cmp -s "$data/$name.csv" "$out/with.csv" &&
        expect "statistics alone equal to one rank's" cmp -s "$data/$name.csv" "$out/alone.csv" &&
        expect "nothing else is left" [ "$(written)" = "alone.csv distances with.csv" ]
}

# check_sparse NAME NODES START...
check_sparse() {
    local name=$1 family
    shift
    if ! on_one --quiet --method sparse "$data/tiny.bin"; then
        skip "$name: sparse" "$(tail -n 1 "$log")"
        return
    fi
    for family in core grid tiny; do
        check "$name: sparse, $family, $1 nodes" equal_sparse "$1" "$family" "${@:2}"
    done
}

reports() {
    expect "exit status 0" by_mpirun uneven --json "$out/json" "$data/grid.bin" &&
        expect "6 ranks in the JSON report" grep -qE '"ranks":\s*6\b' "$out/json" &&
        expect "3 nodes in the report" grep -q '6 ranks on 3 nodes' "$log" &&
        expect "ranks 0 to 2 on node1, 3 on node2, 4 and 5 on node3" \
            [ "$(grep -oE 'rank [0-9]: node[0-9]' "$log" | tr -dc '0-9')" = 011121324353 ]
}

# refused STATUS WORD COMMAND...: it exits with the status and one line of explanation with the word
# in it, and writes nothing.
refused() {
    local wanted=$1 word=$2 status=0
    shift 2
    "$@" &
    until_true 30 job_is_over $! || end_by_force
    wait $! || status=$?
    expect "exit status $wanted instead of $status" [ "$status" -eq "$wanted" ] &&
        expect "one line of explanation from each job" [ "$(grep -c '^apsp: ' "$log")" \
            -eq "${jobs:-1}" ] &&
        expect "the line has '$word' in it" grep -q -e "^apsp: .*$word" "$log" &&
        expect "no output" [ -z "$(written)" ] &&
        expect "no process is left" until_true 10 gone
}

# hidden NODE FOLDER COMMAND...: with an empty folder in that place on that node.
hidden() {
    local node=$1 folder=$2 status=0
    shift 2
    on "$node" mount -t tmpfs none "$folder"
    "$@" || status=$?
    on "$node" umount "$folder"
    return "$status"
}

# other_graph NODE COMMAND...: with another graph of the same name on that node.
other_graph() {
    local node=$1 status=0
    shift
    on "$node" mount --bind "$data/grid.bin" "$data/dense.bin"
    "$@" || status=$?
    on "$node" umount "$data/dense.bin"
    return "$status"
}

job_is_over() {
    ! kill -0 "$1" 2>/dev/null
}

# No process of any job on the head and the nodes, but for the node $away.
gone() {
    ! processes mpirun orted srun slurmstepd apsp | grep -qv " ${away:-none}$"
}

# until_true SECONDS COMMAND...
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}

# The progress bar of the running job tells a number of rounds above zero.
in_rounds() {
    tr '\r' '\n' <"$log" | grep -q 'round [1-9]'
}

# ended ACTION START...: the long job, started by START; when it is in its rounds, ACTION (words in
# one string) is done to it. All processes on all nodes must be gone within 30 s, with an exit
# status that tells, and no file must be left.
ended() {
    local action=$1 job status=0 start result=0
    shift
    "$@" --progress --method dense --tile 1 "$data/long.bin" "$out/distances" &
    job=$!
    expect "the rounds begin" until_true 40 in_rounds || result=1
    expect "the temporary file is there" [ -e "$out/.distances.apsp-tmp" ] || result=1
    expect "4 ranks or more are at work" [ "$(processes apsp | wc -l)" -ge 4 ] || result=1
    start=$SECONDS
    $action
    expect "no process is left on any node within 30 s" until_true 30 gone || result=1
    echo "# ended $((SECONDS - start)) s after: $action"
    gone || { processes mpirun orted srun slurmstepd apsp; end_by_force; }
    wait "$job" || status=$?
    expect "exit status not 0" [ "$status" -ne 0 ] || result=1
    expect "no output file and no temporary file: $(written)" [ -z "$(written)" ] || result=1
    return "$result"
}

has_checkpoint() {
    [ -e "$saved/checkpoint.1" ]
}

# lost START...: a job over two nodes loses one at some moment, and goes on from its last checkpoint
# when started by START.
lost() {
    local job status=0
    rm -rf "$saved"
    by_mpirun_quietly pair --method dense --tile 1 --checkpoint "$saved" --checkpoint-every 0.01 \
        "$data/hour.bin" "$out/distances" &
    job=$!
    expect "a checkpoint" until_true 60 has_checkpoint || return 1
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    node_cut node2
    until_true 60 gone || end_by_force
    wait "$job" || status=$?
    node_join node2
    expect "exit status not 0" [ "$status" -ne 0 ] &&
        expect "no output" [ -z "$(written)" ] &&
        expect "exit status 0 of what goes on" "$@" --resume "$saved" "$data/hour.bin" \
            "$out/distances" &&
        expect "it has gone on" grep -q "went on after" "$log" &&
        expect "distances equal to one rank's" cmp -s "$data/hour.right" "$out/distances" &&
        expect "the checkpoint has gone" [ ! -e "$saved" ]
}

check_lost() {
    local i
    for i in $(seq "${LOST:-2}"); do
        if ((i % 2)); then
            check "mpirun: lost node $i, goes on on two" lost by_mpirun pair
        else
            check "mpirun: lost node $i, goes on on one" lost on_one
        fi
    done
}

# A batch job whose time, a minute, is up too early goes back to the queue until it is done. Slurm
# looks at the time every 30 s only: the signal comes after 10 to 40 s, before the end of the run.
requeued() {
    local id
    rm -rf "$saved"
    id=$(APSP_CHECKPOINT=$saved sbatch --parsable --time=1 --signal=B:USR1@50 --ntasks-per-node=1 \
        --output="$log" --open-mode=append \
        launch/slurm.sbatch --device cpu --threads 1 --method dense --tile 1 "$data/day.bin" \
        "$out/distances" 2>>"$log") &&
        expect "exit status 0" slurm_job "$id" &&
        expect "it was stopped" grep -q "stopped by a signal" "$log" &&
        expect "it has gone on" grep -q "went on after" "$log" &&
        expect "distances equal to one rank's" cmp -s "$data/day.right" "$out/distances" &&
        expect "the checkpoint has gone" [ ! -e "$saved" ]
}

end_by_force() {
    processes mpirun srun sbatch orted apsp | awk '{ print $1 }' | xargs -r kill -KILL
    until_true 10 gone
}

# kill_rank NODE: the first rank there.
kill_rank() {
    processes apsp | awk -v node="$1" '$3 == node { print $1; exit }' | xargs kill -KILL
}

signal_launcher() {
    processes mpirun | awk '{ print $1 }' | xargs kill "-$1"
}

# As a terminal does it: to all of the foreground.
interrupt_group() {
    kill -INT -- "-$job"
}

cancel_all() {
    scancel --user=root
}

no_slurmd() {
    ! processes slurmd | grep -q " $1$"
}

# node_comes_back NODE: as after a boot, but for the tasks, which are still there.
node_comes_back() {
    processes slurmd | awk -v node="$1" '$3 == node { print $1 }' | xargs kill
    until_true 10 no_slurmd "$1" && slurm_node_up "$1" && slurm_await 2 &&
        expect "no process is left within 30 s" until_true 30 gone
}

make_graphs() {
    make_graph random random -n 997 -d 5 -s 1 && make_graph grid grid -n 400 -s 2 &&
        make_graph dense dense -n 1500 -s 3 &&
        make_graph tiny random -n 4 -d 2 -s 4 && make_graph core random -n 1500 -d 4 -s 1 &&
        make_graph hour random -n 5000 -s 7 && make_graph day random -n 7000 -s 8 &&
        "$BUILD/apsp-gen" random -n 8000 -d 4 -s 5 -o "$data/long.bin"
}

check_mpirun() {
    local family
    for family in random grid dense tiny; do
        check "mpirun: $family, 6 ranks on 3 nodes" equal "$family" by_mpirun two
        check "mpirun: $family, ranks 3 + 1 + 2" equal "$family" by_mpirun uneven
    done
    check_sparse mpirun 2 by_mpirun pair
    check "mpirun: the report shows where the ranks are" reports
    check "mpirun: the graph is not on node3" hidden node3 "$data" refused 5 node3 by_mpirun two \
        "$data/dense.bin" "$out/distances"
    check "mpirun: node2 has another graph" other_graph node2 refused 5 node2 by_mpirun two \
        "$data/dense.bin" "$out/distances"
    check "mpirun: node2 has another output folder" hidden node2 "$out" refused 5 node2 by_mpirun \
        two "$data/dense.bin" "$out/distances"
    check "mpirun: node2 lacks the output folder" hidden node2 "$shared/results" refused 5 node2 \
        by_mpirun two "$data/dense.bin" "$out/distances"
}

check_mpirun_ends() {
    check "mpirun: a rank is killed" ended "kill_rank node3" by_mpirun two
    check "mpirun: the first rank is killed" ended "kill_rank node1" by_mpirun two
    check "mpirun: SIGTERM" ended "signal_launcher TERM" by_mpirun two
    check "mpirun: SIGINT" ended interrupt_group by_mpirun two
    check "mpirun: a node is cut off" ended "node_cut node2" by_mpirun two
    node_join node2
    check "mpirun: the node of the first rank is cut off" ended "node_cut node1" by_mpirun_quietly \
        two
    node_join node1
    check "mpirun: all is well again" equal random by_mpirun two
    check_lost
}

inside() {
    set -m # each job a process group, as on a terminal
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_plm_rsh_agent=$node_agent
    mkdir -p "$data" "$out"
    nodes_up 3 || { echo "FAIL the nodes do not start"; exit 1; }
    printf 'node%d slots=2\n' 1 2 3 >"$shared/hosts.two"
    printf 'node%d slots=%d\n' 1 3 2 1 3 2 >"$shared/hosts.uneven"
    printf 'node%d slots=1\n' 1 2 >"$shared/hosts.pair"
    make_graphs || { cat "$log"; echo "FAIL the graphs and right results"; exit 1; }
    "part_$CLUSTER_PART"
    count_results
    [ "$failed" -eq 0 ]
    exit
}

part_mpirun() {
    check_mpirun
    check_mpirun_ends
}

part_slurm() {
    local obstacle
    obstacle=$(slurm_obstacle)
    if [ -n "$obstacle" ]; then
        skip slurm "$obstacle"
    elif slurm_up 2; then
        check_slurm
    else
        echo "FAIL slurm starts"
        failed=$((failed + 1))
    fi
}

check_slurm() {
    local family
    for family in random grid dense tiny; do
        check "srun: $family, 4 ranks on 2 nodes" equal "$family" by_srun
    done
    check_sparse srun 2 by_srun
    check "sbatch launch/slurm.sbatch" equal random by_sbatch
    check "sbatch: a rank starts late" equal random late by_sbatch
    check "sbatch: the time is up, and the job goes on" requeued
    check "srun: the graph is not on node2" hidden node2 "$data" refused 5 node2 by_srun \
        "$data/dense.bin" "$out/distances"
    # Each of the two tasks believes that it is alone.
    jobs=2 check "srun: without --mpi=pmix" refused 7 --mpi=pmix by_srun_none "$data/dense.bin" \
        "$out/distances"
    check "srun: a task is killed" ended "kill_rank node2" by_srun
    check "srun: cancelled" ended cancel_all by_srun
    check "sbatch: cancelled" ended cancel_all by_sbatch
    # Nothing tells the tasks on the cut-off node; Slurm ends them when the node reports again.
    away=node2
    check "srun: a node is cut off" ended "node_cut node2" by_srun
    away=
    node_join node2
    check "srun: the node comes back" node_comes_back node2
    check "srun: all is well again" equal random by_srun
}

# both ARGUMENT...: the two parts; what the second says comes when the first has ended. As jobs, so
# that they hear of SIGINT (net.sh).
both() {
    local said status=0
    said=$(mktemp)
    set -m
    trap 'kill $(jobs -p) 2>/dev/null; rm -f "$said"' EXIT
    trap 'exit 130' INT TERM HUP
    CLUSTER_PART=slurm "$BASH" "$0" "$@" >"$said" 2>&1 &
    CLUSTER_PART=mpirun "$BASH" "$0" "$@" &
    wait %2 || status=1
    wait %1 || status=1
    cat "$said"
    exit "$status"
}

if [ -z "${CLUSTER_INSIDE-}" ]; then
    obstacle=$(net_obstacle)
    command -v mpirun >/dev/null || obstacle="needs mpirun"
    if [ -n "$obstacle" ]; then
        skip cluster "$obstacle"
        count_results
        exit 0
    fi
fi
[ -n "${CLUSTER_PART-}" ] || both "$@"
net_enter 890 "$@"
inside
