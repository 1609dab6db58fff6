#!/bin/sh
# --ranks and the scripts of launch/: words that mpirun would take for its own, and the limits of a
# process.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

if [ ! -e "$APSP_MPI_MODULE" ]; then
    echo "skip launch: this build has no MPI"
    finish
fi
apsp=$(realpath "$BUILD")/apsp
launch=$(realpath launch)
"$BUILD/apsp-gen" random -n 300 -s 3 -o "$scratch/graph.bin"
"$apsp" --quiet "$scratch/graph.bin" "$scratch/right"
cd "$scratch" || exit 1
printf '#!/bin/sh\necho evil >ran\n' >evil
chmod +x evil

# ends CODE WORDS COMMAND...: that exit code within 30 s, one line with the words.
ends() {
    code=$1 words=$2
    shift 2
    timeout -k 5 30 "$@" >stdout 2>stderr
    status=$?
    [ "$status" -eq "$code" ] && [ "$(grep -c '^apsp: ' stderr)" -eq 1 ] &&
        grep -q "^apsp: .*$words" stderr && return
    echo "# exit status $status"
    sed 's/^/# /' stderr
    return 1
}

# obeys COMMAND...: it reads a file called `:` and writes ./evil; or says that there is no such
# file.
obeys() {
    cp graph.bin :
    rm -f out ran
    "$@" --quiet : ./out >stdout 2>stderr
    status=$?
    rm -f :
    [ $status -eq 0 ] && cmp -s out right && ends 2 "GRAPH ':' is not there" "$@" : ./evil &&
        [ ! -e ran ] && return
    echo "# exit status $status"
    sed 's/^/# /' stderr
    return 1
}
check "launch: a file called ':' with --ranks" obeys "$apsp" --ranks 2
for words in "-- --mca x" "--json=--mca a b" "-- --tune x" "-- -x PATH" "-- -gmca x" "-- -np 3" \
    "-- : :" "-- --quoted x"; do
    # shellcheck disable=SC2086
    check "launch: names $words with --ranks" ends 5 'cannot open the graph' "$apsp" --ranks 2 \
        $words
done
check "launch: names -- --app evil with --ranks" ends 2 "GRAPH '--app' is not there" "$apsp" \
    --ranks 2 -- --app evil
check "launch: an empty name with --ranks" ends 2 'name of GRAPH is empty' "$apsp" --ranks 2 ''
printf '%s slots=2\n' "$(hostname)" >hosts
export APSP="$apsp"
if mpirun --hostfile hosts true 2>stderr; then
    check "launch: mpirun.sh" obeys sh "$launch/mpirun.sh" hosts
else
    echo "skip launch: mpirun.sh: no mpirun by the name of this host"
fi
# In place of srun and of two GPUs: what comes after the options is run, and `:` begins another
# program.
mkdir bin
cat >bin/srun <<'EOF'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
    shift
done
for word; do
    [ "$word" = : ] && touch ran
done
[ ! -e ran ] || exit 1
exec "$@"
EOF
chmod +x bin/srun
check "launch: slurm.sbatch" env PATH="$scratch/bin:$PATH" sh -c '"$@"' sh bash \
    "$launch/slurm.sbatch" --quiet ./graph.bin :
check "launch: slurm.sbatch, a file called ':'" cmp : right
rm -f :
check "launch: two-gpu.sh, its words" sh -c 'grep -q "quoted =--device =gpu \"\$@\"" "$1"' sh \
    "$launch/two-gpu.sh"
check "launch: a word that is not marked" ends 2 "'x' does not begin with =" "$apsp" --quoted =-- x
check "launch: the same on ranks" ends 2 "'x' does not begin with =" mpirun --oversubscribe -n 2 \
    "$apsp" --quoted =-- x

check "launch: few open files, and more allowed" sh -c 'ulimit -S -n 16; "$@"' sh "$apsp" \
    --ranks 20 --quiet graph.bin
check "launch: too few open files" ends 5 'Too many open files' sh -c 'ulimit -n 8; "$@"' sh \
    "$apsp" --ranks 20 graph.bin

# Who reads stderr may go: the run goes on.
deaf() {
    rm -f out
    { "$apsp" --quiet --progress --method dense --tile 1 --device cpu "$@" graph.bin \
        out 2>&1 >/dev/null; echo $? >status; } | true
    [ "$(cat status)" -eq 0 ] && cmp out right
}
check "launch: a progress bar that nobody reads" deaf
check "launch: a progress bar that nobody reads, --ranks 2" deaf --ranks 2
finish
