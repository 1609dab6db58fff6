#!/bin/sh
# Hosts with files of one name: played by ranks in mount namespaces of their own.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

if ! unshare -m true 2>/dev/null; then
    echo "skip hosts: no right to mount"
    finish
fi

# elsewhere FILE ARGUMENTS...: rank 1 of 2 sees FILE in place of the graph.
elsewhere() {
    file=$1
    shift
    mpi 2 unshare -m sh -c '
        [ "$OMPI_COMM_WORLD_RANK" = 0 ] || mount --bind "$1" "$2" || exit 99
        shift 2
        exec "$@"' sh "$file" "$graph" "$BUILD/apsp" --no-progress --quiet --force "$@" </dev/null
}

graph=$scratch/graph.gr
other=$scratch/other.gr
printf 'p sp 4 4\na 1 2 7\na 2 3 9\na 3 4 1\na 4 1 5\n' >"$graph"
"$BUILD/apsp" --no-progress --quiet "$graph" "$scratch/right"

cp "$graph" "$other"
elsewhere "$other" "$graph" "$scratch/out"
check "hosts: copies are one graph" cmp "$scratch/right" "$scratch/out"

sed 's/a 3 4 1/a 3 4 2/' "$graph" >"$other"
touch -r "$graph" "$other"
rm -f "$scratch/out"
elsewhere "$other" "$graph" "$scratch/out" 2>"$scratch/error"
status=$?
check "hosts: other edges of the same size and time are refused" [ "$status" -eq 5 ]
check "hosts: in one line" [ "$(grep -c '^apsp: .* is not the file of rank 0' "$scratch/error")" \
    -eq 1 ]
check "hosts: nothing is left" [ ! -e "$scratch/out" ]
finish
