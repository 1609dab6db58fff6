#!/bin/sh
# Distances as HDF5: what h5py reads is what the .npy of the same run has, on any number of ranks;
# what cannot be is refused, and leaves nothing.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

mkdir "$scratch/dir"
out=$scratch/dir/out
graph=$scratch/graph.gr
"$BUILD/apsp-gen" disconnected -n 300 -s 2 -w 1:9 -o "$graph"

# refuses CODE WORDS COMMAND...: that exit code, the words in the one line on stderr, and no file.
refuses() {
    code=$1 words=$2
    shift 2
    "$@" >/dev/null 2>"$scratch/log"
    status=$?
    [ "$status" -eq "$code" ] && [ "$(grep -c '^apsp: ' "$scratch/log")" -eq 1 ] &&
        grep -q -e "$words" "$scratch/log" && [ -z "$(ls -A "$scratch/dir")" ] && return
    echo "# exit status $status, left: $(ls -A "$scratch/dir")"
    sed 's/^/# /' "$scratch/log"
    return 1
}

# The libraries are files that are empty, in a mount namespace of its own.
libraries=$(ldconfig -p 2>/dev/null | awk '/libhdf5(_serial)?\.so\./ { print $NF }')
hidden() {
    LIBRARIES=$libraries unshare -m sh \
        -c \
        'for l in $LIBRARIES; do mount --bind /dev/null "$(realpath "$l")" 2>/dev/null; done; exec "$@"' \
        sh "$@"
}
if unshare -m true 2>/dev/null; then
    # Before the graph is looked for.
    check "hdf5: without the library" refuses 2 \
        'libhdf5_serial.so.103 .*install the package libhdf5-103-1;' \
        hidden "$BUILD/apsp" "$scratch/none.gr" "$out.h5"
    check "hdf5: without the library, 3 ranks" refuses 2 'install the package libhdf5-103-1;' \
        hidden mpirun --oversubscribe -n 3 "$BUILD/apsp" "$scratch/none.gr" "$out.hdf5"
    check "hdf5: nothing else needs it" hidden "$BUILD/apsp" --quiet "$graph" "$scratch/raw"
else
    echo "skip hdf5: without the library: needs the right to mount"
fi
if [ -z "$libraries" ]; then
    echo "skip hdf5: the library is not installed"
    finish
fi

# Distances that do not compress, for files that are too large.
"$BUILD/apsp-gen" random -n 1500 -d 8 -w 1:100000000 -s 2 -o "$scratch/large.gr"

check "hdf5: pairs are for others" refuses 2 'is a matrix: name it one of' "$BUILD/apsp" \
    --nearest 2 "$graph" "$out.h5"
check "hdf5: a type that does not hold the distances" refuses 3 'u8 is exact below' "$BUILD/apsp" \
    --output-type u8 "$scratch/large.gr" "$out.h5"
touch "$out.h5"
"$BUILD/apsp" --quiet "$graph" "$out.h5" 2>"$scratch/log"
check "hdf5: a file that exists" [ $? -eq 2 ]
check "hdf5: which stays" [ ! -s "$out.h5" ]
check "hdf5: and is replaced" sh -c '"$1" --quiet --force "$2" "$3" && [ -s "$3" ]' sh \
    "$BUILD/apsp" "$graph" "$out.h5"
ln -s "$out.h5" "$scratch/link.h5"
"$BUILD/apsp" --quiet --force "$graph" "$scratch/link.h5"
check "hdf5: a link stays" [ -L "$scratch/link.h5" ]
mkfifo "$scratch/pipe.h5"
timeout 60 cat "$scratch/pipe.h5" >"$scratch/copy.h5" &
"$BUILD/apsp" --quiet "$graph" "$scratch/pipe.h5"
wait
check "hdf5: into a pipe" cmp "$out.h5" "$scratch/copy.h5"
for ranks in 1 2 5; do
    rm -f "$out.h5"
    mpi $ranks "$BUILD/apsp" --quiet --verify=all "$graph" "$out.h5"
    check "hdf5: the same file on $ranks ranks" cmp "$out.h5" "$scratch/copy.h5"
done
check "hdf5: and no other" [ "$(ls -A "$scratch/dir")" = out.h5 ]
rm "$out.h5"

limited() {
    (ulimit -f 8192 && refuses 5 'File too large' "$BUILD/apsp" "$scratch/large.gr" "$out.h5")
}
check "hdf5: a file that grows too large" limited
interrupted() {
    "$BUILD/apsp" --quiet --threads 1 --method dense --tile 1 "$scratch/large.gr" \
        "$out.h5" >/dev/null 2>&1 &
    running=$!
    tries=0
    while [ ! -e "$scratch/dir/.out.h5.apsp-tmp" ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -TERM $running
    wait $running
    [ $? -ne 0 ] && [ $tries -lt 200 ] && [ -z "$(ls -A "$scratch/dir")" ]
}
check "hdf5: SIGTERM leaves nothing" interrupted
# full SIZE RANKS: nobody waits for space. A file system of that size, for what is kept of 5.5 MB
# and for the file.
full() {
    on_disk "$1" "$scratch/dir" sh \
        -c 'mpirun --oversubscribe -n "$2" "$3" --write-retry 0 "$4" "$1/out.h5"
        status=$?
        ls -A "$1" >&2
        exit $status' sh "$scratch/dir" "$2" "$BUILD/apsp" \
            "$scratch/large.gr" >/dev/null 2>"$scratch/log"
    status=$?
    [ $status -eq 5 ] && [ "$(grep -c '^apsp: .*No space left' "$scratch/log")" -eq 1 ] &&
        ! grep -q '^\.\?out' "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
# The disk grows when the run says that it waits: only the bytes of the rows show that it must.
waits() {
    on_disk 9m "$scratch/dir" sh \
        -c '{ "$2" --no-progress --write-retry 60 "$3" "$1/out.h5"; echo "status $?"; } >"$4" 2>&1 &
        until grep -q -e "waits up to 60 s for space" -e "^status" "$4"; do sleep 0.1; done
        mount -o remount,size=20m "$1"
        wait
        "$5" --quiet "$3" "$1/out.h5"' sh "$scratch/dir" "$BUILD/apsp" "$scratch/large.gr" \
        "$scratch/log" "$BUILD/apsp-verify" &&
        grep -q 'there is space again' "$scratch/log" &&
        grep -q '^status 0$' "$scratch/log" && return
    sed 's/^/# /' "$scratch/log"
    return 1
}
if can_mount; then
    for ranks in 1 3; do
        check "hdf5: no space for the rows, $ranks ranks" full 2m $ranks
        check "hdf5: no space for the file, $ranks ranks" full 9m $ranks
    done
    check "hdf5: the file waits for the space of its rows" waits
else
    echo "skip hdf5: full file systems: needs the right to mount"
fi

python=${PYTHON:-python3}
if ! "$python" -c 'import h5py' 2>/dev/null; then
    echo "skip hdf5: $python has no h5py; PYTHON names another one"
    finish
fi
"$BUILD/apsp-gen" random -n 90 -d 3 -w 0.5:2.5 -s 4 -o "$scratch/real.mtx"
awk 'NR > 1 && $1 == "a" { print "v" $2 ",\"v " $3 "\"," $4 }' "$graph" >"$scratch/names.csv"
awk '$1 == "p" { print } $1 == "a" { print $1, $2, $3, $4 * 4000000000 }' \
    "$graph" >"$scratch/wide.gr"
sed -e '1d' -e 's/^a //' "$scratch/wide.gr" >"$scratch/wide.txt"
# GRAPH and options: the .npy of the same run, names in the order of --names.
for case in "graph.gr" "graph.gr --output-type narrow" "graph.gr --output-type u16" \
    "graph.gr --output-type i64" "graph.gr --output-type f32" \
    "wide.txt" "real.mtx" "real.mtx --dtype f32" "names.csv" "graph.gr --sources 7,3,100-299" \
    "graph.gr --targets 9,2,5 --output-type u16" \
    "graph.gr --sources 5,4 --targets 1-40 --method dense" "names.csv --sources v3,v1"; do
    name=${case%% *}
    options=${case#"$name"}
    for ranks in 1 3; do
        rm -f "$out".*
        mpi $ranks "$BUILD/apsp" --quiet $options "$scratch/$name" "$out.npy"
        mpi $ranks "$BUILD/apsp" --quiet --names "$out.names" $options "$scratch/$name" "$out.hdf5"
        check "hdf5: $case on $ranks ranks" "$python" tests/cli/hdf5.py "$out.hdf5" "$out.npy" \
            "$out.names" "$scratch/$name" $options
    done
done
finish
