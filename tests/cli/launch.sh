#!/bin/sh
# --ranks and the scripts of launch/: what mpirun would take for its own, and how the command ends when mpirun or a rank does not
# do as it should. (Signals are tests/cli/signals.sh.)
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
    [ "$status" -eq "$code" ] && [ "$(grep -c '^apsp: ' stderr)" -eq 1 ] && grep -q "^apsp: .*$words" stderr && return
    echo "# exit status $status"
    sed 's/^/# /' stderr
    return 1
}

# obeys COMMAND...: it reads a file called `:` and writes ./evil; or says that there is no such file.
obeys() {
    cp graph.bin :
    rm -f out ran
    "$@" --quiet : ./out >stdout 2>stderr
    status=$?
    rm -f :
    [ $status -eq 0 ] && cmp -s out right && ends 5 ': cannot open' "$@" : ./evil && [ ! -e ran ] && return
    echo "# exit status $status"
    sed 's/^/# /' stderr
    return 1
}
check "launch: a file called ':' with --ranks" obeys "$apsp" --ranks 2
for words in "-- --mca x" "--json --mca a b" "-- --tune x" "-- -x PATH" "-- --app evil" "-- -gmca x" "-- -np 3" "-- : :" "-- --quoted x"; do
    # shellcheck disable=SC2086
    check "launch: names $words with --ranks" ends 5 'cannot open the graph' "$apsp" --ranks 2 $words
done
check "launch: an empty name with --ranks" ends 2 'name of GRAPH is empty' "$apsp" --ranks 2 ''
printf '%s slots=2\n' "$(hostname)" >hosts
export APSP="$apsp"
if mpirun --hostfile hosts true 2>stderr; then
    check "launch: mpirun.sh" obeys sh "$launch/mpirun.sh" hosts
else
    echo "skip launch: mpirun.sh: no mpirun by the name of this host"
fi
# In place of srun and of two GPUs: what comes after the options is run, and `:` begins another program.
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
check "launch: slurm.sbatch" env PATH="$scratch/bin:$PATH" sh -c '"$@"' sh bash "$launch/slurm.sbatch" --quiet ./graph.bin :
check "launch: slurm.sbatch, a file called ':'" cmp : right
rm -f :
check "launch: two-gpu.sh, its words" sh -c 'grep -q "quoted =--device =gpu \"\$@\"" "$1"' sh "$launch/two-gpu.sh"
check "launch: a word that is not marked" ends 2 "'x' does not begin with =" "$apsp" --quoted =-- x
check "launch: the same on ranks" ends 2 "'x' does not begin with =" mpirun --oversubscribe -n 2 "$apsp" --quoted =-- x

# mpirun fails by itself.
for framework in rmaps plm; do
    check "launch: mpirun fails, $framework" ends 7 'mpirun failed .*A requested component was not found' \
        env OMPI_MCA_$framework=nonsense "$apsp" --ranks 2 graph.bin
done
printf '#!/bin/sh\nexit 3\n' >bin/mpirun
chmod +x bin/mpirun
check "launch: mpirun fails without a word" ends 3 'mpirun failed with exit code 3' env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin
printf '#!/bin/sh\nprintf "\\r[==   ] 40" >&2\nkill -KILL $$\n' >bin/mpirun
check "launch: mpirun is killed" ends 137 'mpirun was ended by signal 9' env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin
# What a run notes while it goes on is no line of its end: here that its checkpoint finds no room.
cat >bin/mpirun <<'EOF'
#!/bin/sh
ulimit -f 256
"$APSP" --device cpu --quiet --method dense --tile 2 --checkpoint-every 0.0000001 --checkpoint saved graph.bin
kill -KILL $$
EOF
check "launch: mpirun is killed after a note" ends 137 'mpirun was ended by signal 9' env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin
check "launch: the note" grep -q '^note: no checkpoint could be written: ' stderr
# It leaves a process behind, and its own name.
printf '#!/bin/sh\nsleep 1000 & echo $! >pid\nexit 9\n' >bin/mpirun
check "launch: mpirun leaves a rank" ends 9 'exit code 9' env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin
check "launch: that is ended" sh -c '! kill -0 "$(cat pid)" 2>/dev/null'
# What mpirun says is passed on while it runs.
cat >bin/mpirun <<'EOF'
#!/bin/sh
echo ready >&2
for _ in $(seq 100); do
    [ ! -e heard ] || exit 3
    sleep 0.1
done
EOF
passes_on() {
    env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin >stdout 2>stderr &
    for _ in $(seq 80); do
        grep -q '^ready$' stderr && touch heard && break
        sleep 0.1
    done
    wait $!
    [ $? -eq 3 ] && [ -e heard ]
}
check "launch: mpirun's words while it runs" passes_on
# All its ranks end, and it does not; or have ended before anybody has seen them, and it has waited for them.
mkdir soon sooner
printf '#!/bin/sh\ntrue & exec sleep 1000\n' >soon/mpirun
printf '#!/bin/sh\n(true); exec sleep 1000\n' >sooner/mpirun
chmod +x soon/mpirun sooner/mpirun
(cd soon && ends 7 'mpirun did not end' env PATH="$scratch/soon:$PATH" "$apsp" --ranks 2 ../graph.bin) &
soon=$!
(cd sooner && ends 7 'mpirun did not end' env PATH="$scratch/sooner:$PATH" "$apsp" --ranks 2 ../graph.bin) &
sooner=$!
printf '#!/bin/sh\nsleep 2 & while :; do read x </proc/self/stat; done\n' >bin/mpirun
check "launch: mpirun does not end" ends 7 'mpirun did not end' env PATH="$scratch/bin:$PATH" "$apsp" --ranks 2 graph.bin
check "launch: mpirun does not end, its ranks at once" wait $soon
check "launch: mpirun does not end, and has waited for its ranks" wait $sooner
rm bin/mpirun
check "launch: SIGCHLD is ignored" timeout -s KILL 60 env --ignore-signal=CHLD "$apsp" --ranks 2 --quiet graph.bin
check "launch: too few open files" ends 7 'needs 80 open files, and may have 24' sh -c 'ulimit -n 24; "$@"' sh "$apsp" --ranks 2 graph.bin
check "launch: few open files, and more allowed" sh -c 'ulimit -S -n 24; "$@"' sh "$apsp" --ranks 2 --quiet graph.bin

# Who reads stderr may go: the run goes on.
deaf() {
    rm -f out
    { "$apsp" --quiet --progress --method dense --tile 1 --device cpu "$@" graph.bin out 2>&1 >/dev/null; echo $? >status; } | true
    [ "$(cat status)" -eq 0 ] && cmp out right
}
check "launch: a progress bar that nobody reads" deaf
check "launch: a progress bar that nobody reads, --ranks 2" deaf --ranks 2
# Not by a line of shell: only a terminal gets its lines in the middle.
if command -v script >/dev/null; then
    check "launch: a graph from a terminal" sh -c 'script -qec "$1 --ranks 2 -" /dev/null </dev/null | grep -q "ranks read no graph from a terminal"' sh "$apsp"
else
    echo "skip launch: a graph from a terminal: there is no script(1)"
fi
finish
