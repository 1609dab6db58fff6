#!/bin/sh
# Outputs that are no regular files, and standard input and output: each does what cat would. In a
# mount namespace of its own with a /dev of its own, so that nothing outside it can be replaced.
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
    ln -s /proc/self/fd "$dev/fd" && ln -s /proc/self/fd/0 "$dev/stdin" &&
        ln -s /proc/self/fd/1 "$dev/stdout" &&
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
        check "targets: $name on $ranks ranks, the report on stderr" grep -q '^# apsp ' \
            "$scratch/report"
        $run --force "$graph" "$name" 2>/dev/null >"$scratch/out"
        check "targets: $name on $ranks ranks, into a file" holds "$scratch/out"
    done
    $run --quiet "$graph" - </dev/null >"$scratch/out" 2>"$scratch/report"
    check "targets: --quiet and - on $ranks ranks" sh -c 'cmp -s "$1" "$2" && [ ! -s "$3" ]' sh \
        "$right" "$scratch/out" "$scratch/report"
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
    check "targets: a FIFO with the suffix of a matrix on $ranks ranks" sh \
        -c '[ "$1" -eq 2 ] && grep -q "is a matrix" "$2"' sh $? "$scratch/log"
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
    check "targets: a link to a file, without --force, on $ranks ranks" [ "$(cat "$scratch/file")" \
        = old ]
    $run --quiet --force "$graph" "$scratch/link"
    check "targets: a link to a file on $ranks ranks" holds "$scratch/file"
    check "targets: which is still a link on $ranks ranks" [ -L "$scratch/link" ]
    mkdir -p "$scratch/shared"
    chmod 1777 "$scratch/shared"
    ln -sf "$scratch/file" "$scratch/shared/link"
    $run --quiet --force "$graph" "$scratch/shared/link"
    check "targets: a link of our own in a folder for all on $ranks ranks" holds "$scratch/file"
    echo old >"$scratch/file"
    chown -h 65534 "$scratch/shared/link"
    ln -sf shared/link "$scratch/way"
    for link in shared/link way; do
        $run --quiet --force "$graph" "$scratch/$link" 2>"$scratch/log"
        check "targets: $link of another user in a folder for all on $ranks ranks" \
            sh \
            -c '[ "$1" -eq 5 ] && grep -q "another user has put" "$2" && [ "$(cat "$3")" = old ]' \
            sh $? "$scratch/log" "$scratch/file"
    done
    ln -sfn "$scratch" "$scratch/folder"
    $run --quiet --force "$graph" "$scratch/folder" 2>"$scratch/log"
    check "targets: a link to a folder on $ranks ranks" [ $? -eq 5 -a -L "$scratch/folder" ]
    $run --quiet --force "$graph" /dev/null
    check "targets: /dev/null on $ranks ranks" [ $? -eq 0 -a -c /dev/null ]
    TMPDIR=$scratch $run --quiet "$graph" /dev/full 2>"$scratch/log"
    check "targets: /dev/full on $ranks ranks" grep \
        -q "/dev/full: .*No space left.* complete file is $scratch/apsp-full.kept" "$scratch/log"

    $run --quiet --force - "$scratch/out" <"$graph"
    check "targets: a graph from standard input, a file, on $ranks ranks" holds "$scratch/out"
    gzip -c "$graph" | $run --quiet - - >"$scratch/out"
    check "targets: from a compressed pipe to a pipe on $ranks ranks" holds "$scratch/out"
    : | $run --quiet - 2>"$scratch/log"
    check "targets: an empty standard input on $ranks ranks" grep \
        -q "standard input: byte 0: the file is empty" "$scratch/log"
done
# The ranks that the program starts by itself are not to differ from one. refused CODE WORDS
# COMMAND...: one line, at once.
refused() {
    code=$1
    words=$2
    shift 2
    timeout 60 "$@" 2>"$scratch/log"
    [ $? -eq "$code" ] && [ "$(grep -c '^apsp: ' "$scratch/log")" -eq 1 ] &&
        grep -q -- "$words" "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
# early NAME: a reader of NAME, or of standard output, that leaves after ten bytes of 640,000.
"$BUILD/apsp-gen" random -n 400 -d 4 -s 3 -o "$scratch/large.gr"
early() {
    if [ "$1" = - ]; then
        { refused 5 "standard output: cannot be written: Broken pipe" $run \
            --quiet "$scratch/large.gr" - && echo >"$scratch/fine"; } | head -c 10 >/dev/null
        return
    fi
    head -c 10 "$1" >/dev/null &
    refused 5 "$1: cannot be written: Broken pipe" $run --quiet "$scratch/large.gr" "$1" &&
        echo >"$scratch/fine"
    wait $!
}
mkdir "$scratch/sub"
for ranks in 1 2; do
    run="$BUILD/apsp --no-progress --ranks $ranks"
    $run --force "$graph" /dev/stdout 2>"$scratch/report" | cat >"$scratch/out"
    check "targets: /dev/stdout with --ranks $ranks" holds "$scratch/out"
    check "targets: and the report on stderr with --ranks $ranks" grep -q '^# apsp ' \
        "$scratch/report"
    { echo before && $run --quiet "$graph" - && echo after; } >"$scratch/out"
    { echo before && cat "$right" && echo after; } >"$scratch/whole"
    check "targets: - among other output with --ranks $ranks" cmp -s "$scratch/whole" "$scratch/out"
    for name in - "$scratch/pipe"; do
        rm -f "$scratch/fine"
        early "$name"
        check "targets: a reader of ${name##*/} that leaves, with --ranks $ranks" [ \
            -e "$scratch/fine" ]
    done

    rm -f "$scratch/file" "$scratch/link"
    ln -s file "$scratch/link"
    check "targets: a dangling link without --force, with --ranks $ranks" refused 2 "link: exists" \
        $run --quiet "$graph" "$scratch/link"
    check "targets: and no file, with --ranks $ranks" [ ! -e "$scratch/file" ]
    $run --quiet --force "$graph" "$scratch/link"
    check "targets: a dangling link with --ranks $ranks" holds "$scratch/file"
    ln -sf ../link "$scratch/sub/second"
    echo old >"$scratch/file"
    $run --quiet --force "$graph" "$scratch/sub/second"
    check "targets: a link to a link with --ranks $ranks" holds "$scratch/file"
    check "targets: which are still links with --ranks $ranks" [ -L "$scratch/sub/second" -a \
        -L "$scratch/link" ]

    # Descriptors: what is open gets the bytes, under whatever name or none.
    $run --quiet "$graph" /dev/fd/3 3>"$scratch/out"
    check "targets: /dev/fd/3, a file, with --ranks $ranks" holds "$scratch/out"
    echo before >"$scratch/out"
    $run --quiet --force "$graph" /dev/fd/3 3>>"$scratch/out"
    { echo before && cat "$right"; } >"$scratch/whole"
    check "targets: /dev/fd/3, the end of a file, with --ranks $ranks" cmp -s "$scratch/whole" \
        "$scratch/out"
    exec 3>"$scratch/out" 4<"$scratch/out"
    rm "$scratch/out"
    $run --quiet --force "$graph" /dev/fd/3
    exec 3>&-
    cat <&4 >"$scratch/whole"
    exec 4<&-
    check "targets: /dev/fd/3, a file without a name, with --ranks $ranks" holds "$scratch/whole"
    check "targets: and none of its old name, with --ranks $ranks" [ \
        -z "$(find "$scratch" -maxdepth 1 -name "out*")" ]
    $run --quiet "$graph" /dev/fd/3 3>&1 >/dev/null | cat >"$scratch/out"
    check "targets: /dev/fd/3, a pipe, with --ranks $ranks" holds "$scratch/out"
    if command -v bash >/dev/null; then
        bash \
            -c \
            '"$1" --quiet --ranks "$2" --stats >(cat >"$3/stats") --json=>(cat >"$3/json") <(cat "$4") >(cat >"$3/out") && sleep 1' \
            bash \
            "$BUILD/apsp" $ranks "$scratch/sub" "$graph"
        check "targets: process substitution with --ranks $ranks" holds "$scratch/sub/out"
        check "targets: of several files with --ranks $ranks" [ "$(wc -l <"$scratch/sub/stats")" \
            -eq 91 -a -s "$scratch/sub/json" ]
    else
        echo "skip targets: process substitution: bash is not installed"
    fi
    for pair in "--stats - $graph -" "--stats /dev/stdout $graph -" \
        "--json - --stats /dev/fd/1 $graph"; do
        check "targets: standard output twice, $pair, with --ranks $ranks" refused 2 \
            "the same file" $run --quiet $pair
    done
done
(sleep 1 && cat "$graph") | "$BUILD/apsp" --quiet - - >"$scratch/out"
check "targets: a standard input that lets itself wait for" holds "$scratch/out"
"$BUILD/apsp-verify" --quiet - "$right" <"$graph"
check "targets: apsp-verify with -" [ $? -eq 0 ]
"$BUILD/apsp-gen" random -n 90 -d 4 -s 3 -o - >"$scratch/gen.bin"
"$BUILD/apsp" --quiet --force "$scratch/gen.bin" "$scratch/out"
check "targets: apsp-gen -o -" holds "$scratch/out"
check "targets: the links of /dev are as before" [ "$links" = \
    "$(ls -l /dev/stdout /dev/null | cut -c 1-10)" ]
check "targets: no temporary file stays" [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 \
    -name '.*.apsp-tmp' -newer "$graph" 2>/dev/null)" ]
finish
