#!/bin/sh
# Checkpoints: runs that signals stop and kill at random moments, and that go on with other ranks,
# tiles and transports to the same bytes; what is no checkpoint of this run; damage; no space; two
# runs on one folder. SEED is the draw. On a machine with a GPU: DEVICE=gpu VERTICES=3000, where the
# runs that go on from one another are by turns on it and on the cores. A GPU takes seconds to start
# and then solves in no time: runs are slowed by checkpoints whenever ranks ask one another, and
# their signals come after the first of them.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

seed=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "# SEED=$seed"
place=$scratch/place
folder=$scratch/folder
said=$scratch/said
mkdir "$place"
most=3
device=${DEVICE:-cpu}
n=${VERTICES:-1100}
pace=
[ "$device" = cpu ] || pace="--checkpoint-every 0.0000001"

# on ARGUMENTS: the device, unless they say which.
on() {
    case " $* " in
    *" --ranks "* | *" --gpus "* | *" --device "*) ;;
    *) echo "--device $device" ;;
    esac
}

apsp() {
    # shellcheck disable=SC2046
    timeout 60 "$BUILD/apsp" $(on "$@") --threads 1 --quiet "$@" 2>>"$said"
}

# begin ARGUMENTS: starts a run, whose process is $run, and comes back when its files are there, or
# it has ended.
begin() {
    : >"$said"
    rm -rf "${place:?}"/*
    # shellcheck disable=SC2046
    "$BUILD/apsp" $(on "$@") --threads 1 --quiet "$@" 2>>"$said" &
    run=$!
    while kill -0 $run 2>/dev/null && [ -z "$(ls -A "$place")" ]; do sleep 0.01; done
}

# checkpoints: those in the folder, and since when.
checkpoints() {
    ls -li --full-time "$folder"/checkpoint.* 2>/dev/null
}

# begin_solving ARGUMENTS: begin; where runs are slowed it comes back in or after the first
# checkpoint of this run.
begin_solving() {
    before=$(checkpoints)
    begin "$@"
    while [ -n "$pace" ] && kill -0 $run 2>/dev/null &&
        [ "$(checkpoints)" = "$before" ]; do sleep 0.005; done
}

# stopped ARGUMENTS: a run that gets SIGUSR1 after some time; its exit status is $status.
stopped() {
    # shellcheck disable=SC2086
    begin_solving $pace "$@"
    draw 0 0.02 0.1 0.2
    sleep "$drawn"
    kill -USR1 $run 2>/dev/null
    wait $run
    status=$?
}

# on_ranks: $ranks is one option, of 1 to 3 ranks and a transport.
on_ranks() {
    draw 1 2 $most
    number=$drawn transports="host direct"
    draw cpu "$device"
    ranks="--ranks $number"
    [ "$drawn" = cpu ] || { ranks="--gpus $number --share-gpus" transports="host peer"; }
    # shellcheck disable=SC2086
    draw $transports
    [ "$number" -eq 1 ] || ranks="$ranks --transport $drawn"
}

# chain RIGHT ARGUMENTS: a run that is stopped time and again, and at last is right. Each link has
# other ranks and tiles. $links is how many were.
chain() {
    right=$1
    shift
    rm -rf "$folder"
    links=0
    again=--checkpoint
    status=75
    while [ $status -eq 75 ] && [ $links -lt 3 ]; do
        on_ranks
        draw 2 3 5
        # shellcheck disable=SC2086
        stopped --method dense $ranks --tile "$drawn" "$again" "$folder" "$@" "$place/out.npy"
        [ $status -ne 75 ] || { [ -z "$(ls -A "$place")" ] && [ "$(wc -l <"$said")" -eq 1 ] &&
            grep -q "stopped by a signal, .* --resume $folder" "$said" || return 1; }
        [ $status -ne 75 ] || { again=--resume links=$((links + 1)); }
    done
    if [ $status -eq 75 ]; then
        on_ranks
        # shellcheck disable=SC2086
        apsp --method dense $ranks --resume "$folder" "$@" "$place/out.npy" || return 1
    elif [ $status -ne 0 ]; then
        return 1
    fi
    cmp -s "$place/out.npy" "$right" && [ ! -e "$folder" ]
}

small=$scratch/small.bin
signed=$scratch/signed.mtx
decimals=$scratch/decimals.mtx
"$BUILD/apsp-gen" random -n "$n" -s 3 -w 0:20 -o "$small"
"$BUILD/apsp-gen" random -n "$n" -s 4 -w 0:900 --potential 500 -o "$signed"
"$BUILD/apsp-gen" random -n "$n" -s 5 -w 0.25:9.75 -o "$decimals"
for type in u16 i32 i64 f32 f64; do
    apsp --force --dtype $type "$small" "$scratch/right.npy"
    check "checkpoint: stopped and resumed, $type" chain "$scratch/right.npy" --dtype $type "$small"
done
apsp "$signed" "$scratch/right.signed.npy"
check "checkpoint: stopped and resumed, negative weights" chain "$scratch/right.signed.npy" \
    "$signed"
apsp "$decimals" "$scratch/right.decimals.npy"
check "checkpoint: stopped and resumed, decimals" chain "$scratch/right.decimals.npy" "$decimals"
apsp --force --paranoid "$small" "$scratch/right.npy"
check "checkpoint: stopped and resumed, sums of words" chain "$scratch/right.npy" \
    --paranoid "$small"
apsp --predecessors "$scratch/right.tree.npy" --sources 3,700,12 --targets 5-99 "$small" \
    "$scratch/right.part.npy"
tree() {
    chain "$scratch/right.part.npy" --predecessors "$scratch/tree.npy" --force --sources 3,700,12 \
        --targets 5-99 "$small" &&
        cmp -s "$scratch/tree.npy" "$scratch/right.tree.npy"
}
check "checkpoint: stopped and resumed, trees and a part of the rows" tree

# Sums that are rounded depend on tiles and ranks: the same ones give the same bytes.
apsp --method dense --dtype f32 --sums solver --tile 5 "$decimals" "$scratch/right.rounded.npy"
rounded() {
    rm -rf "$folder"
    stopped --method dense --dtype f32 --sums solver --tile 5 --checkpoint "$folder" "$decimals" \
        "$place/out.npy"
    [ $status -eq 75 ] && apsp --dtype f32 --sums solver --tile 5 --resume "$folder" "$decimals" \
        "$place/out.npy"
    cmp -s "$place/out.npy" "$scratch/right.rounded.npy"
}
check "checkpoint: rounded sums" rounded

# Killed without a word, between and in checkpoints that are written as fast as can be.
apsp --force "$small" "$scratch/right.npy"
killed() {
    rm -rf "$folder"
    set -- --checkpoint
    for link in 1 2 3; do
        on_ranks
        # shellcheck disable=SC2086
        begin_solving --method dense $ranks --tile 3 --checkpoint-every 0.0000001 "$1" "$folder" \
            "$small" "$place/out.npy"
        draw 0.05 0.15 0.3
        sleep "$drawn"
        kill -KILL $run 2>/dev/null
        wait $run 2>/dev/null
        while pgrep -f "$folder" >/dev/null; do sleep 0.05; done # ranks may outlive it for a moment
        [ -e "$folder/checkpoint.1" ] && set -- --resume ||
            { rm -rf "$folder"; set -- --checkpoint; }
    done
    apsp --force "$1" "$folder" "$small" "$place/out.npy" &&
        cmp -s "$place/out.npy" "$scratch/right.npy" && [ ! -e "$folder" ]
}
check "checkpoint: killed and resumed" killed

# What follows needs a folder with two checkpoints.
two=$scratch/two
while [ ! -e "$two/checkpoint.2" ]; do
    rm -rf "$two"
    begin --method dense --tile 2 --checkpoint-every 0.0000001 --checkpoint "$two" "$small" \
        "$place/out.npy"
    while kill -0 $run 2>/dev/null && [ ! -e "$two/checkpoint.2" ]; do sleep 0.005; done
    kill -USR1 $run 2>/dev/null
    wait $run
done
newer=checkpoint.1 older=checkpoint.2
# the number of a checkpoint is in its bytes 16 to 23
[ "$(od -An -j16 -N8 -tu8 "$two/checkpoint.1")" -gt "$(od -An -j16 -N8 -tu8 "$two/checkpoint.2")" \
    ] || { newer=checkpoint.2 older=checkpoint.1; }
untouched=$(cat "$two"/* | checksum -)

# fresh: a copy of it as $folder.
fresh() {
    rm -rf "$folder" "${place:?}"/*
    cp -r "$two" "$folder"
    : >"$said"
}

# refuse CODE WORDS ARGUMENTS: resuming the copy so ends with the code and one line with these
# words, and leaves it as it is.
refuse() {
    code=$1 words=$2
    shift 2
    apsp "$@" "$place/out.npy"
    [ $? -eq "$code" ] && [ "$(wc -l <"$said")" -eq 1 ] && grep -q -e "$words" "$said" &&
        [ -z "$(ls -A "$place")" ] &&
        [ "$(cat "$folder"/* | checksum -)" = "$(cat "$scratch/before")" ]
}

# refused NAME ARGUMENTS OF refuse
refused() {
    name=$1
    shift
    cat "$folder"/* | checksum - >"$scratch/before"
    : >"$said"
    check "checkpoint: $name" refuse "$@"
}

fresh
"$BUILD/apsp-gen" random -n "$n" -s 9 -w 0:20 -o "$scratch/other.bin"
"$BUILD/apsp-gen" random -n $((n + 1)) -s 3 -w 0:20 -o "$scratch/larger.bin"
refused "another graph" 3 "another graph" --resume "$folder" "$scratch/other.bin"
refused "another number of vertices" 3 "$n vertices, and GRAPH has $((n + 1))" --resume "$folder" \
    "$scratch/larger.bin"
refused "edges reversed" 3 "another graph" --resume "$folder" --reverse "$small"
refused "edges without weights" 3 "another graph" --resume "$folder" --unweighted "$small"
refused "another type" 2 "distances of type" --resume "$folder" --dtype f64 "$small"
refused "another engine" 2 "a checkpoint of another engine" --resume "$folder" --method sparse \
    "$small"
refused "a folder with a checkpoint, not resumed" 2 "--resume goes on from it" \
    --checkpoint "$folder" "$small"
refused "two folders" 2 "two folders" --checkpoint "$folder" --resume "$two" "$small"
refused "no number of minutes" 2 "is not a number of minutes" --resume "$folder" \
    --checkpoint-every -1 "$small"
refused "no folder" 5 "no folder" --resume "$scratch/none" "$small"
mkdir "$scratch/empty"
refused "an empty folder" 5 "it holds no checkpoint" --resume "$scratch/empty" "$small"
check "checkpoint: a folder that is refused stays as it was" [ "$(cat "$folder"/* | checksum -)" = \
    "$untouched" ]

# patch FILE OFFSET BYTES
patch() {
    printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# goes_on WORDS: the run goes on from the older one, says so in two lines, and is right.
goes_on() {
    apsp --resume "$folder" "$small" "$place/out.npy" && grep -q "$1" "$said" &&
        cmp -s "$place/out.npy" "$scratch/right.npy"
}

# lost: no checkpoint is left, and nothing is written.
lost() {
    apsp --resume "$folder" "$small" "$place/out.npy"
    [ $? -eq 5 ] && [ -z "$(ls -A "$place")" ]
}

size=$(stat -c %s "$two/$newer")
for where in 4096 $((size / 2)) $((size - 8)); do
    fresh
    old=$(od -An -j"$where" -N1 -tu1 "$folder/$newer" | tr -d ' ')
    patch "$folder/$newer" "$where" "\\0$(printf %o $((old ^ 16)))"
    check "checkpoint: a bit flip at byte $where" goes_on "row [0-9]* is damaged"
done
fresh
patch "$folder/$newer" 40 x
check "checkpoint: a head that is damaged" goes_on "its head is damaged"
fresh
truncate -s $((size - 1)) "$folder/$newer"
check "checkpoint: a file that is cut off" goes_on "has the wrong length"
fresh
: >"$folder/$newer"
check "checkpoint: an empty file" goes_on "is not a checkpoint"
fresh
for one in "$newer" "$older"; do patch "$folder/$one" 5000 '\377\377\377\377\377\377'; done
check "checkpoint: both are damaged" lost
fresh
for one in "$newer" "$older"; do printf 'something else' >"$folder/$one"; done
check "checkpoint: both are something else" lost
# Damage does not cost the older one: what is written next takes the place of the damaged one.
next() {
    patch "$folder/$newer" 5000 '\377\377\377\377\377\377'
    cp "$folder/$older" "$scratch/older"
    begin --method dense --tile 1 --checkpoint-every 0 --resume "$folder" "$small" "$place/out.npy"
    kill -USR1 $run
    wait $run
    [ $? -eq 75 ] && cmp -s "$folder/$older" "$scratch/older" &&
        apsp --resume "$folder" "$small" "$place/out.npy" &&
        cmp -s "$place/out.npy" "$scratch/right.npy"
}
fresh
check "checkpoint: the next one replaces a damaged one" next

fresh
check "checkpoint: --force begins anew" apsp --force --checkpoint "$folder" "$scratch/other.bin" \
    "$place/out.npy"
fresh
kept() {
    apsp --checkpoint-keep --resume "$folder" --json "$scratch/json" --force "$small" \
        "$place/out.npy" && [ -e "$folder/$newer" ] &&
        grep -q '"resumed":	[1-9]' "$scratch/json" && grep -q '"status":	"done"' "$scratch/json"
}
check "checkpoint: --checkpoint-keep" kept
stays() {
    mkdir "$scratch/own" && apsp --checkpoint "$scratch/own" --force "$small" "$place/out.npy" &&
        [ -d "$scratch/own" ] && [ -z "$(ls -A "$scratch/own")" ]
}
check "checkpoint: a folder that was there stays" stays

# Runs that have not ended when a busy machine comes to send them a signal.
long=$scratch/long.bin
"$BUILD/apsp-gen" random -n $((3 * n)) -s 8 -o "$long"

# One folder is one run's. What it has said of itself is in its report.
alone() {
    rm -rf "$folder"
    begin --method dense --tile 1 --checkpoint "$folder" --json "$scratch/json" --force "$long" \
        "$place/out.npy"
    kill -STOP $run
    apsp --resume "$folder" "$long" "$scratch/second.npy"
    second=$?
    kill -USR1 $run
    kill -CONT $run
    wait $run
    [ $? -eq 75 ] && [ $second -eq 5 ] && grep -q "another run has its checkpoints there" "$said" &&
        grep -q '"status":	"stopped"' "$scratch/json" && grep -q '"exit":	75' "$scratch/json" &&
            grep -q '"taken":	1' "$scratch/json"
}
check "checkpoint: two runs on one folder" alone

# A job that is queued again has the same command line: the report that it has left is replaced, and
# nothing else.
again() {
    : >"$said"
    for file in json csv; do printf 'left' >"$scratch/left.$file"; done
    apsp --resume "$folder" --json "$scratch/left.json" --betweenness "$scratch/left.csv" "$small" \
        "$place/out.npy"
    [ $? -eq 2 ] && grep -q "left.csv.*exists" "$said" &&
        grep -q '"status":	"failed"' "$scratch/left.json" &&
        [ "$(cat "$scratch/left.csv")" = left ] || return 1
    apsp --resume "$folder" --json "$scratch/left.json" "$small" "$place/out.npy" &&
        grep -q '"status":	"done"' "$scratch/left.json" || return 1
    rm -rf "$folder"
    apsp --checkpoint "$folder" --json "$scratch/left.json" "$small" "$scratch/new.npy"
    [ $? -eq 2 ] && [ ! -e "$scratch/new.npy" ]
}
fresh
check "checkpoint: a report of the run that was stopped" again

# In a batch job SIGTERM asks, too; elsewhere it ends the run and what it has begun.
for job in 1 ''; do
    rm -rf "$folder" "${place:?}"/*
    env ${job:+SLURM_JOB_ID=1} "$BUILD/apsp" --device "$device" --threads 1 --quiet --method dense \
        --tile 1 --checkpoint "$folder" "$long" "$place/out.npy" 2>"$said" &
    run=$!
    while kill -0 $run 2>/dev/null && [ -z "$(ls -A "$place")" ]; do sleep 0.01; done
    kill -TERM $run
    expected=${job:+"75  checkpoint.1"}
    expected=${expected:-"143  "}
    wait $run
    check "checkpoint: SIGTERM ${job:+in a batch job}" [ "$? $(ls -A "$place") $(ls -A "$folder")" \
        = "$expected" ]
done

# Rows are made anew by the run that goes on; where solving is one round it is only they that a
# signal finds, and that is on the cores, as tiles of GPUs are small. A run that has nothing more to
# save does not stop.
"$BUILD/apsp-gen" dense -n 900 -w 1:1000 -o "$scratch/dense.bin"
rows() {
    rm -rf "$folder"
    set -- --device cpu --method dense --tile 900 --names "$place/names" \
        --betweenness "$place/middle.csv" "$scratch/dense.bin" "$place/out.npy"
    begin "$@" --checkpoint "$folder"
    kill -USR1 $run
    wait $run
    [ $? -eq 75 ] && grep -q "900 of 900 vertices" "$said" && [ -z "$(ls -A "$place")" ] || return 1
    begin "$@" --resume "$folder"
    kill -USR1 $run
    wait $run
    [ $? -eq 0 ] && grep -q "holds all that can be saved" "$said" || return 1
    apsp --betweenness "$scratch/middle.csv" "$scratch/dense.bin" "$scratch/all.npy" &&
        cmp -s "$place/out.npy" "$scratch/all.npy" &&
            cmp -s "$place/middle.csv" "$scratch/middle.csv"
}
check "checkpoint: stopped while rows are made" rows

# No room: a checkpoint that nobody waits for is left out, and told of; one that a signal has asked
# for is an error. Nothing stays of it.
room() {
    rm -rf "$folder"
    : >"$said"
    (ulimit -f 256 && apsp --method dense --tile 2 --checkpoint-every 0.0000001 \
        --checkpoint "$folder" "$small") || return 1
    grep -q "no checkpoint could be written" "$said" && [ ! -e "$folder" ]
}
check "checkpoint: no room" room
no_room() {
    rm -rf "$folder"
    (ulimit -f 256 && exec "$BUILD/apsp" --device "$device" --threads 1 --quiet --method dense \
        --tile 1 --checkpoint "$folder" "$long" 2>"$said") &
    run=$!
    while kill -0 $run 2>/dev/null && [ ! -e "$folder" ]; do sleep 0.01; done
    kill -USR1 $run
    wait $run
    [ $? -eq 5 ] && grep -q "no checkpoint could be written" "$said" &&
        [ -z "$(ls -A "$folder" 2>/dev/null)" ]
}
check "checkpoint: no room, and a signal" no_room
finish
