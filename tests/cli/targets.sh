#!/bin/sh
# Outputs that are no regular files, and standard input and output: each does what cat would. In a mount namespace of
# its own with a /dev of its own, so that nothing outside it can be replaced.
set -u
cd "$(dirname "$0")/../.."
if [ -z "${APSP_TARGETS_INSIDE:-}" ]; then
    if ! unshare -m true 2>/dev/null; then
        echo "skip targets: needs the right to mount"
        exit 77
    fi
    APSP_TARGETS_INSIDE=1 exec unshare -m sh tests/cli/targets.sh
fi
. tests/common.sh

# A /dev with what the programs use; stops where it cannot be had.
make_dev() {
    dev=$scratch/dev
    mkdir "$dev" && mount -t tmpfs none "$dev" && mkdir "$dev/shm" || return 1
    for node in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$dev/${node%:*}" c 1 "${node#*:}" || return 1
    done
    ln -s /proc/self/fd "$dev/fd" && ln -s /proc/self/fd/0 "$dev/stdin" && ln -s /proc/self/fd/1 "$dev/stdout" &&
        ln -s /proc/self/fd/2 "$dev/stderr" && mount --bind "$dev" /dev
}
if ! make_dev 2>/dev/null; then
    echo "skip targets: needs a /dev of its own"
    exit 77
fi
trap 'umount /dev "$scratch/dev"; rm -rf "$scratch"' EXIT

graph=$scratch/graph.gr
"$BUILD/apsp-gen" random -n 90 -d 4 -s 3 -o "$graph"
right=$scratch/right
"$BUILD/apsp" --quiet "$graph" "$right"
links=$(ls -l /dev/stdout /dev/null | cut -c 1-10)

# holds FILE: the distances, and nothing else.
holds() {
    cmp -s "$right" "$1"
}

for ranks in 1 3; do
    run="mpirun --oversubscribe -n $ranks $BUILD/apsp --no-progress"
    [ $ranks -eq 1 ] && run="$BUILD/apsp --no-progress"
    for name in - /dev/stdout /proc/self/fd/1; do
        case $ranks$name in 3/*) continue ;; esac # of mpirun's ranks, each has its own
        $run "$graph" "$name" 2>"$scratch/report" | cat >"$scratch/out"
        check "targets: $name on $ranks ranks, into a pipe" holds "$scratch/out"
        check "targets: $name on $ranks ranks, the report on stderr" grep -q '^# apsp ' "$scratch/report"
        $run --force "$graph" "$name" 2>/dev/null >"$scratch/out"
        check "targets: $name on $ranks ranks, into a file" holds "$scratch/out"
    done
    $run --quiet "$graph" - </dev/null >"$scratch/out" 2>"$scratch/report"
    check "targets: --quiet and - on $ranks ranks" sh -c 'cmp -s "$1" "$2" && [ ! -s "$3" ]' sh "$right" "$scratch/out" "$scratch/report"
    $run --json - "$graph" 2>/dev/null >"$scratch/out"
    check "targets: --json - on $ranks ranks" grep -q '"vertices":' "$scratch/out"
    $run --stats - "$graph" 2>/dev/null >"$scratch/out"
    check "targets: --stats - on $ranks ranks" [ "$(wc -l <"$scratch/out")" -eq 91 ]

    $run --quiet --force --nearest 2 "$graph" "$scratch/near.csv"
    for name in - /dev/stdout /proc/self/fd/1; do
        case $ranks$name in 3/*) continue ;; esac
        $run --quiet --nearest 2 "$graph" "$name" 2>"$scratch/log" | cat >"$scratch/out"
        check "targets: pairs to $name on $ranks ranks" cmp "$scratch/near.csv" "$scratch/out"
        check "targets: of which nothing stays on $ranks ranks" [ -z "$(ls -A /dev | grep apsp)" ]
    done

    rm -f "$scratch/pipe"
    mkfifo "$scratch/pipe"
    cat "$scratch/pipe" >"$scratch/out" &
    $run --quiet --nearest 2 "$graph" "$scratch/pipe"
    wait $!
    check "targets: pairs to a FIFO on $ranks ranks" cmp "$scratch/near.csv" "$scratch/out"
    mkfifo "$scratch/pipe.npy"
    $run --quiet --within 9 "$graph" "$scratch/pipe.npy" 2>"$scratch/log"
    check "targets: a FIFO with the suffix of a matrix on $ranks ranks" sh -c '[ "$1" -eq 2 ] && grep -q "is a matrix" "$2"' sh $? "$scratch/log"
    rm -f "$scratch/pipe.npy"

    rm -f "$scratch/pipe"
    mkfifo "$scratch/pipe"
    cat "$scratch/pipe" >"$scratch/out" &
    $run --quiet "$graph" "$scratch/pipe"
    wait $!
    check "targets: a FIFO on $ranks ranks" holds "$scratch/out"
    check "targets: which is still there on $ranks ranks" [ -p "$scratch/pipe" ]

    echo old >"$scratch/file"
    ln -sf file "$scratch/link"
    $run --quiet "$graph" "$scratch/link" 2>/dev/null
    check "targets: a link to a file, without --force, on $ranks ranks" [ "$(cat "$scratch/file")" = old ]
    $run --quiet --force "$graph" "$scratch/link"
    check "targets: a link to a file on $ranks ranks" holds "$scratch/file"
    check "targets: which is still a link on $ranks ranks" [ -L "$scratch/link" ]
    ln -sfn "$scratch" "$scratch/folder"
    $run --quiet --force "$graph" "$scratch/folder" 2>"$scratch/log"
    check "targets: a link to a folder on $ranks ranks" [ $? -eq 5 -a -L "$scratch/folder" ]
    $run --quiet --force "$graph" /dev/null
    check "targets: /dev/null on $ranks ranks" [ $? -eq 0 -a -c /dev/null ]
    $run --quiet "$graph" /dev/full 2>"$scratch/log"
    check "targets: /dev/full on $ranks ranks" grep -q "/dev/full: .*No space left" "$scratch/log"

    $run --quiet --force - "$scratch/out" <"$graph"
    check "targets: a graph from standard input, a file, on $ranks ranks" holds "$scratch/out"
    gzip -c "$graph" | $run --quiet - - >"$scratch/out"
    check "targets: from a compressed pipe to a pipe on $ranks ranks" holds "$scratch/out"
    : | $run --quiet - 2>"$scratch/log"
    check "targets: an empty standard input on $ranks ranks" grep -q "standard input: byte 0: the file is empty" "$scratch/log"
done
(sleep 1 && cat "$graph") | "$BUILD/apsp" --quiet - - >"$scratch/out"
check "targets: a standard input that lets itself wait for" holds "$scratch/out"
"$BUILD/apsp" --quiet "$graph" - 2>"$scratch/log" | true
"$BUILD/apsp-verify" --quiet - "$right" <"$graph"
check "targets: apsp-verify with -" [ $? -eq 0 ]
"$BUILD/apsp-gen" random -n 90 -d 4 -s 3 -o - >"$scratch/gen.bin"
"$BUILD/apsp" --quiet --force "$scratch/gen.bin" "$scratch/out"
check "targets: apsp-gen -o -" holds "$scratch/out"
check "targets: the links of /dev are as before" [ "$links" = "$(ls -l /dev/stdout /dev/null | cut -c 1-10)" ]
check "targets: no temporary file stays" [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name '.*.apsp-tmp' -newer "$graph" 2>/dev/null)" ]
finish
