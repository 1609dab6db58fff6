#!/bin/sh
# Checkpoints of the sparse engine: runs that signals stop and kill at random moments while they
# make rows, and that go on with other numbers of ranks to the same bytes; what is no checkpoint of
# this run; damage; what cannot be saved. SEED is the draw. On a machine with a GPU: DEVICE=gpu.
# Runs are slowed by a checkpoint after each block of rows, or they would be over before a signal
# comes.
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
n=${VERTICES:-2000}
slowly="--checkpoint-every 0.0000001"

# clear: there is neither a checkpoint nor a result.
clear() {
    rm -rf "$folder" "$place"
    mkdir "$place"
}

apsp() {
    timeout 60 "$BUILD/apsp" --method "${method:-sparse}" --threads 1 --quiet "$@" 2>>"$said"
}

# on_ranks: $ranks is an option, of 1 to 3 ranks.
on_ranks() {
    draw 1 2 $most
    ranks="--device $device"
    if [ "$drawn" -gt 1 ]; then
        ranks="--ranks $drawn"
        [ "$device" = cpu ] || ranks="--gpus $drawn --share-gpus"
    fi
}

# stopped SIGNAL ARGUMENTS: a run that gets the signal one of $moments, in seconds, after its first
# checkpoint; its exit status is $status.
moments="0 0.02 0.1 0.3"
stopped() {
    signal=$1
    shift
    : >"$said"
    before=$(ls -li --full-time "$folder"/checkpoint.* 2>/dev/null)
    "$BUILD/apsp" --method "${method:-sparse}" --threads 1 --quiet "$@" 2>>"$said" &
    run=$!
    while kill -0 $run 2>/dev/null && [ "$(ls -li --full-time "$folder"/checkpoint.* 2>/dev/null)" \
        = "$before" ]; do sleep 0.005; done
    # shellcheck disable=SC2086
    draw $moments
    sleep "$drawn"
    kill -"$signal" $run 2>/dev/null
    wait $run 2>/dev/null
    status=$?
}

# flip FILE OFFSET: turns a bit round there.
flip() {
    old=$(od -An -j"$2" -N1 -tu1 "$1" | tr -d ' ')
    printf '%b' "\\0$(printf %o $((old ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# same: the results are those of the run that nobody has stopped, and nothing else is left.
same() {
    [ "$(ls -A "$place")" = "$(ls -A "$scratch/right")" ] && [ ! -e "$folder" ] || return 1
    for one in "$scratch/right"/*; do cmp -s "$one" "$place/${one##*/}" || return 1; done
}

# replacing: what goes on has an option to, where the run before it was killed when results had
# their names already.
replacing() {
    force=
    [ -z "$(ls "$place")" ] || force=--force
}

# chain LINKS ARGUMENTS: a run that is stopped, or killed, so many times, each on other ranks, and
# is right at last. RIGHT/ in its arguments is where results go.
chain() {
    links=$1
    shift
    clear
    rm -rf "$scratch/right"
    mkdir "$scratch/right"
    case $* in
    *harmonic*) on=$device ;; # its last digits are the device's
    *) on=cpu ;;
    esac
    # shellcheck disable=SC2046
    apsp --device "$on" $(echo "$@" | sed "s,RIGHT/,$scratch/right/,g") || return 1
    # shellcheck disable=SC2046
    set -- $(echo "$@" | sed "s,RIGHT/,$place/,g")
    again=--checkpoint force=
    for link in $(seq "$links"); do
        on_ranks
        draw USR1 KILL
        # shellcheck disable=SC2086
        stopped "$drawn" $slowly $ranks $force "$again" "$folder" "$@"
        [ $status -ne 0 ] || break
        case $signal:$status in
        USR1:75) [ "$(wc -l <"$said")" -eq 1 ] && grep \
            -q "stopped by a signal, [0-9]* of [0-9]* rows done; --resume $folder" "$said" ||
            return 1 ;;
        KILL:137) ;;
        *) return 1 ;;
        esac
        # Ranks hear of a SIGKILL to the command a moment later, and may have come to the end
        # before.
        until [ ! -d "$folder" ] || flock -n "$folder/." true; do sleep 0.05; done
        [ -d "$folder" ] || { status=0 && break; }
        again=--resume
        replacing
    done
    if [ $status -ne 0 ]; then
        on_ranks
        # shellcheck disable=SC2086
        apsp $ranks $force --resume "$folder" "$@" || return 1
    fi
    same
}

roads=$scratch/roads.bin
signed=$scratch/signed.mtx
decimals=$scratch/decimals.mtx
"$BUILD/apsp-gen" grid -n "$n" -s 3 -w 1:100 -o "$roads"
"$BUILD/apsp-gen" grid -n "$n" -s 4 -w 0:90 --potential 50 -o "$signed"
"$BUILD/apsp-gen" grid -n "$n" -s 5 -w 0.25:9.75 -o "$decimals"
check "checkpoint: rows" chain 3 "$roads" RIGHT/out.npy
check "checkpoint: rows, trees and counts" chain 2 --predecessors RIGHT/trees \
    --stats RIGHT/stats.csv --count in,harmonic --names RIGHT/names "$roads" RIGHT/out
# Bins depend on the bound of the distances: with heavy weights only a search finds a good one.
"$BUILD/apsp-gen" grid -n "$n" -s 5 -w 1:1000 -o "$scratch/heavy.bin"
check "checkpoint: a histogram and the type by itself" chain 2 --stats RIGHT/stats.json \
    --count histogram "$scratch/heavy.bin" RIGHT/out.npy
check "checkpoint: statistics alone" chain 2 --stats RIGHT/stats.csv "$roads"
check "checkpoint: counts alone" chain 2 --stats RIGHT/stats.json --count in,harmonic,histogram \
    "$roads"
check "checkpoint: some rows and columns" chain 1 --sources 3-900,1700 --targets 5-99,2 "$roads" \
    RIGHT/out.u16
check "checkpoint: rows, negative weights" chain 1 --stats RIGHT/stats.csv "$signed" RIGHT/out.npy
check "checkpoint: rows, each verified" chain 2 --verify=all "$roads" RIGHT/out.npy
check "checkpoint: rows, decimals" chain 1 --output-type i32 "$decimals" RIGHT/out.npy
check "checkpoint: betweenness" chain 2 --betweenness RIGHT/between.csv "$roads"
check "checkpoint: betweenness of edges, and rows" chain 2 --betweenness RIGHT/between.json \
    --betweenness-edges "$roads" RIGHT/out.npy
# Searches need no rows of the engine: one at a time on roads, else side by side.
check "checkpoint: betweenness by searches" chain 2 --betweenness RIGHT/between.json \
    --betweenness-edges --unweighted "$roads"
"$BUILD/apsp-gen" rmat -n "$n" -d 8 -s 7 -w 1:1 -o "$scratch/shallow.bin"
method=sssp
check "checkpoint: betweenness by searches side by side" chain 2 --betweenness RIGHT/between.json \
    --betweenness-edges --betweenness-ends "$scratch/shallow.bin"
method=

# The core is solved once: who goes on reads it, on other ranks too, and solves it again only if it
# is damaged. It is large enough for that to be the quicker way on a CPU.
"$BUILD/apsp-gen" random -n 4000 -d 6 -s 6 -w 1:100 -o "$scratch/random.bin"
cored() {
    clear
    APSP_KAPPA=30 apsp --device "$device" --dtype i64 --sources 0-99 --checkpoint "$folder" \
        --checkpoint-every 0.0000001 --checkpoint-keep --stats "$scratch/core.csv" \
        "$scratch/random.bin" &&
        [ -e "$folder/checkpoint.core" ] && rm -rf "$scratch/with" &&
            cp -r "$folder" "$scratch/with" || return 1
    for damage in '' 5000; do
        rm -rf "$folder"
        cp -r "$scratch/with" "$folder"
        [ -z "$damage" ] || flip "$folder/checkpoint.core" "$damage"
        on_ranks
        : >"$said"
        # shellcheck disable=SC2086
        apsp $ranks --dtype i64 --sources 0-99 --resume "$folder" --stats "$place/core.csv" \
            --force "$scratch/random.bin" && cmp -s "$place/core.csv" "$scratch/core.csv" &&
            [ ! -e "$folder" ] &&
                [ "$(grep -c 'the dense core is solved anew: .*row [0-9]* is damaged' "$said")" \
                -eq $((${#damage} / 4)) ] || return 1
    done
}
# A signal that comes while the core is solved does not wait for that.
solving() {
    clear
    moments=0.05
    APSP_ISA=plain APSP_KAPPA=30 stopped USR1 --device cpu --dtype i64 --sources 0-99 \
        --checkpoint "$folder" --checkpoint-every 0.0000001 --stats "$place/core.csv" \
        "$scratch/random.bin"
    moments="0 0.02 0.1 0.3"
    [ $status -eq 75 ] && grep -q "stopped by a signal, 0 of 100 rows done" "$said" &&
        [ ! -e "$folder/checkpoint.core" ] &&
        apsp --dtype i64 --sources 0-99 --resume "$folder" --stats "$place/core.csv" \
            "$scratch/random.bin" && cmp -s "$place/core.csv" "$scratch/core.csv" &&
            [ ! -e "$folder" ]
}
if [ "$device" = cpu ]; then
    check "checkpoint: a core is kept" cored
    check "checkpoint: a core is left" solving
else
    echo "skip checkpoint: a core: a $device closes it sooner than a disk gives it"
fi
clear

# What follows needs a folder with two checkpoints, and the rows beside the result.
two=$scratch/two
kept=$scratch/kept
while [ ! -e "$two/checkpoint.2" ]; do
    clear
    # shellcheck disable=SC2086
    stopped USR1 $slowly --checkpoint "$folder" --predecessors "$place/trees" \
        --stats "$place/stats.csv" "$roads" "$place/out.npy"
    [ $status -ne 75 ] || mv "$folder" "$two"
done
cp -r "$place" "$kept"
check "checkpoint: a run that was stopped leaves its rows, hidden" [ \
    "$(find "$place" -name '.*.apsp-tmp' | wc -l) $(find "$place" -type f | wc -l)" = "2 2" ]
newer=checkpoint.1 older=checkpoint.2
# the number of a checkpoint is in its bytes 16 to 23
[ "$(od -An -j16 -N8 -tu8 "$two/checkpoint.1")" -gt "$(od -An -j16 -N8 -tu8 "$two/checkpoint.2")" \
    ] || { newer=checkpoint.2 older=checkpoint.1; }
rm -rf "$scratch/right"
mkdir "$scratch/right"
apsp --device cpu --predecessors "$scratch/right/trees" --stats "$scratch/right/stats.csv" \
    "$roads" "$scratch/right/out.npy"

# fresh: copies of them.
fresh() {
    rm -rf "$folder" "$place"
    cp -r "$two" "$folder"
    cp -r "$kept" "$place"
    : >"$said"
}

# left: what is in these folders.
left() {
    find "$folder" "$place" -type f -exec sha256sum {} + | sort
}

# refuse CODE WORDS ARGUMENTS: resuming the copy so ends with the code and one line with these
# words, and leaves all as it is.
refuse() {
    code=$1 words=$2
    shift 2
    "$BUILD/apsp" --device "$device" --threads 1 --quiet "$@" 2>"$said"
    [ $? -eq "$code" ] && [ "$(wc -l <"$said")" -eq 1 ] && grep -q -e "$words" "$said" &&
        [ "$(left)" = "$untouched" ]
}

files="--predecessors $place/trees --stats $place/stats.csv"
"$BUILD/apsp-gen" grid -n "$n" -s 9 -w 1:100 -o "$scratch/other.bin"
fresh
untouched=$(left)
# refused NAME ARGUMENTS OF refuse
refused() {
    name=$1
    shift
    check "checkpoint: $name" refuse "$@"
}
# shellcheck disable=SC2086
{
    refused "rows of another graph" 3 "another graph" --resume "$folder" $files \
        "$scratch/other.bin" "$place/out.npy"
    refused "rows of another engine" 2 "a checkpoint of another engine" --method dense \
        --resume "$folder" $files "$roads" "$place/out.npy"
    refused "rows of another type" 2 "distances of type" --dtype i64 --resume "$folder" $files \
        "$roads" "$place/out.npy"
    refused "rows of another type in files" 2 "other sources, targets or results" \
        --output-type f64 --resume "$folder" $files "$roads" "$place/out.npy"
    refused "rows in another format" 2 "other sources, targets or results" --resume "$folder" \
        $files "$roads" "$place/out.i32"
    refused "other counts" 2 "other sources, targets or results" --count in --resume "$folder" \
        $files "$roads" "$place/out.npy"
    refused "one result fewer" 2 "other sources, targets or results" --resume "$folder" \
        --stats "$place/stats.csv" "$roads" "$place/out.npy"
    refused "other sources" 2 "other sources, targets or results" --sources 1-99 \
        --resume "$folder" $files "$roads" "$place/out.npy"
    refused "other targets" 2 "other sources, targets or results" --targets 1-99 \
        --resume "$folder" $files "$roads" "$place/out.npy"
    refused "rows that are not resumed" 2 "--resume goes on from it" --checkpoint "$folder" $files \
        "$roads" "$place/out.npy"
    refused "rows beside another result" 5 "out.npy.*beside it: No such file" --resume "$folder" \
        $files "$roads" "$scratch/out.npy"
}
# chosen: searches without rows need no matrix, and their checkpoint is not for other paths.
chosen() {
    clear
    "$BUILD/apsp" --device "$device" --unweighted --checkpoint "$folder" --checkpoint-keep \
        --checkpoint-every 0.0000001 --betweenness "$place/all.csv" "$roads" >"$said" ||
        return 1
    ! grep -q "^# solver *dense" "$said" || return 1
    untouched=$(left)
    refuse 2 "other sources, targets or results" --unweighted --resume "$folder" \
        --betweenness-ends --betweenness "$place/ends.csv" "$roads"
}
check "checkpoint: betweenness, the engine of least cost" chosen
# unsaved WHAT ARGUMENTS: this is what the engine's checkpoints cannot hold, and nothing is begun.
unsaved() {
    what=$1
    shift
    clear
    "$BUILD/apsp" --method sparse --quiet --checkpoint "$folder" "$@" >"$scratch/printed" 2>"$said"
    [ $? -eq 2 ] && [ "$(wc -l <"$said")" -eq 1 ] &&
        grep -q -e "its checkpoints do not hold $what" "$said" && [ -z "$(ls -A "$place")" ] &&
        [ ! -e "$folder" ]
}
check "checkpoint: no pairs" unsaved "$place/pairs.csv" --nearest 3 "$roads" "$place/pairs.csv"
check "checkpoint: no stream" unsaved - "$roads" -
check "checkpoint: no device" unsaved /dev/null "$roads" /dev/null
check "checkpoint: no exact quantiles" unsaved "--count exact" --stats "$place/stats.json" \
    --count exact "$roads"

# resumes: the copy goes on, and is right.
resumes() {
    # shellcheck disable=SC2086
    apsp --resume "$folder" $files "$roads" "$place/out.npy" && same
}

# goes_on WORDS: from the older one, says so, and is right.
goes_on() {
    resumes && grep -q "$1" "$said" && [ "$(wc -l <"$said")" -eq 2 ]
}

size=$(stat -c %s "$two/$newer")
for where in 4096 $((size / 2)) $((size - 1)); do
    fresh
    flip "$folder/$newer" "$where"
    check "checkpoint: of rows, a bit flip at byte $where" goes_on "$newer: is damaged"
done
fresh
truncate -s $((size - 1)) "$folder/$newer"
resumes_older() {
    resumes && grep -q "has the wrong length" "$said"
}
check "checkpoint: of rows, cut off" resumes_older
# damaged WORDS: where rows of both checkpoints are damaged the run ends; where the older has none
# of them it goes on from that.
damaged() {
    # shellcheck disable=SC2086
    apsp --resume "$folder" $files "$roads" "$place/out.npy"
    case $? in
    0) grep -q "damage is found: .*$1" "$said" && same ;;
    5) tail -n 1 "$said" | grep -q "$1" && [ -e "$folder/$newer" ] && [ ! -e "$place/out.npy" ] ;;
    *) false ;;
    esac
}
fresh
truncate -s 0 "$place"/.out.npy.*.apsp-tmp
truncate -s "$(stat -c %s "$scratch/right/out.npy")" "$place"/.out.npy.*.apsp-tmp
check "checkpoint: damaged rows" damaged "row [0-9]* of those that the checkpoint names is damaged"
fresh
truncate -s 4096 "$place"/.out.npy.*.apsp-tmp
check "checkpoint: rows that are cut off" damaged \
    "row [0-9]* of those that the checkpoint names is damaged"
fresh
rm "$place"/.trees.*
gone() {
    # shellcheck disable=SC2086
    apsp --resume "$folder" $files "$roads" "$place/out.npy"
    [ $? -eq 5 ] && grep -q "trees.*beside it: No such file" "$said"
}
check "checkpoint: rows that are gone" gone

# Results that have their names when the run fails, which then keeps its checkpoint, or is killed:
# it goes on, and replaces them.
named() {
    # shellcheck disable=SC2086
    for again in "--checkpoint $folder" "--force --resume $folder"; do
        "$BUILD/apsp" --method sparse --threads 1 --quiet $slowly $again $files "$roads" \
            "$place/out.npy" --json /dev/full 2>"$said"
        [ $? -eq 5 ] && cmp -s "$scratch/right/out.npy" "$place/out.npy" &&
            cmp -s "$scratch/right/trees" "$place/trees" && [ -e "$folder/checkpoint.1" ] ||
            return 1
    done
    rm "$place/trees"
    # shellcheck disable=SC2086
    apsp --force --resume "$folder" $files "$roads" "$place/out.npy" && same
}
clear
check "checkpoint: rows that have their names" named

# A run without checkpoints, or with others, leaves those rows alone; the folder's own next one does
# not.
alone() {
    apsp "$roads" "$place/out.npy" && [ "$(find "$place" -name '.*.apsp-tmp' | wc -l)" -eq 2 ] &&
        rm "$place/out.npy" && resumes
}
fresh
check "checkpoint: another run with the same results" alone
anew() {
    # shellcheck disable=SC2086
    apsp --force --checkpoint "$folder" $files "$roads" "$place/out.npy" && same
}
fresh
check "checkpoint: of rows, begun anew" anew

# The report: what was done before, what checkpoints took.
reported() {
    # shellcheck disable=SC2086
    "$BUILD/apsp" --method sparse --threads 1 --json "$scratch/json" --resume "$folder" $files \
        "$roads" "$place/out.npy" >"$said" &&
        grep -q "^# checkpoint .*, went on after [0-9,]* rows, wrote 0 checkpoints" "$said" &&
            grep -q '"resumed":	[1-9]' "$scratch/json" &&
        grep -q '"order":	"read"' "$scratch/json" && same
}
fresh
check "checkpoint: of rows, the report" reported

# In a batch job SIGTERM asks; elsewhere it ends the run, which goes on from its last checkpoint as
# after a SIGKILL.
moments=0
for job in 1 ''; do
    clear
    [ -z "$job" ] || { SLURM_JOB_ID=1 && export SLURM_JOB_ID; }
    # shellcheck disable=SC2086
    stopped TERM $slowly --checkpoint "$folder" $files "$roads" "$place/out.npy"
    unset SLURM_JOB_ID
    expected=${job:+75}
    check "checkpoint: of rows, SIGTERM ${job:+in a batch job}" [ $status -eq "${expected:-143}" ]
    check "checkpoint: of rows, after SIGTERM" resumes
done

# `auto` may take this engine: of a large grid, where it does.
"$BUILD/apsp-gen" grid -n 6000 -s 3 -w 1:100 -o "$scratch/large.bin"
taken() {
    rm -rf "$folder"
    "$BUILD/apsp" --device cpu --checkpoint "$folder" --stats "$scratch/large.csv" \
        "$scratch/large.bin" >"$said" && grep -q '^# solver     sparse' "$said" &&
        [ ! -e "$folder" ]
}
check "checkpoint: the engine is chosen" taken

# No room for the checkpoint of a run that a signal stops: nothing stays of it.
no_room() {
    clear
    : >"$said"
    (ulimit -f 64 && exec "$BUILD/apsp" --method sparse --device "$device" --threads 1 --quiet \
        --checkpoint-every 0.0000001 --checkpoint "$folder" --stats "$place/stats.csv" \
        --count in --sources 0-99 "$roads" 2>"$said") &&
        grep -q "no checkpoint could be written" "$said" && [ ! -e "$folder" ]
}
check "checkpoint: of rows, no room" no_room
finish
