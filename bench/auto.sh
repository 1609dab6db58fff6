#!/bin/sh
# Whole runs by the engine that --method auto takes, and by each engine: statistics of all rows, or
# of a few. Seconds, the best of RUNS (default 2): sh bench/auto.sh [PATTERN [PART PARTS]], or make
# bench-auto. DEVICE, cpu or gpu, is that of all runs (default cpu); each has its list of graphs.
# PATTERN chooses graphs by their names. Exit 1 if auto has lost more than 50 ms and a tenth against
# the best engine. An engine is stopped at twice auto's time. APSP_GRAPHS: the folder
# of real graphs. Needs idle cores.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} RUNS=${RUNS:-2} DEVICE=${DEVICE:-cpu} graphs=${APSP_GRAPHS:-../shared/graphs}
pattern=${1:-.} part=${2:-0} parts=${3:-1}
number=0 done=0 lost=0
export LD_LIBRARY_PATH="$BUILD/lib:${LD_LIBRARY_PATH:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# best LIMIT METHOD OPTION...: seconds of whole runs; "-": longer than LIMIT, or impossible.
best() {
    limit=$1 method=$2
    shift 2
    for _ in $(seq "$RUNS"); do
        begin=$(date +%s%N)
        timeout "$limit" "$BUILD/apsp" --device "$DEVICE" --method "$method" --force --no-progress \
            --stats "$work/stats.csv" "$@" >"$work/$method.log" 2>&1 || return 0
        echo $((($(date +%s%N) - begin) / 1000))
    done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e6 }'
}

# compare GRAPH OPTION...: a line, with what auto has lost against the best engine.
compare() {
    auto=$(best 100 auto "$@")
    [ -n "$auto" ] || { cat "$work/auto.log" && exit 1; }
    taken=$(sed -n 's/^# solver *\([a-z]*\).*/\1/p' "$work/auto.log")
    limit=$(echo "$auto" | awk '{ print 2 * $1 + 0.2 }')
    dense=$(best "$limit" dense "$@") sparse=$(best "$limit" sparse "$@")
    sssp=$(best "$limit" sssp "$@")
    done=$((done + 1))
    echo "${dense:--} ${sparse:--} ${sssp:--} $auto" | awk -v name="$name" -v taken="$taken" '{
        best = $4
        for (i = 1; i <= 3; i++)
            if ($i != "-" && $i < best) best = $i
        loss = $4 - best; much = loss > 0.05 && loss > best / 10
        printf "| %-32s | %7s | %7s | %7s | %7.3f | %-6s | %6.3f |%s\n", name, $1, $2, $3, $4,
            taken, loss, much ? " too much" : ""
        exit much }' || lost=$((lost + 1))
}

# is_chosen NAME: whether this one is to be measured.
is_chosen() {
    name=$1
    echo "$name" | grep -q -e "$pattern" || return 1
    number=$((number + 1))
    [ $((number % parts)) -eq "$part" ]
}

# made "FAMILY OPTION..." [OPTION...]: a graph of apsp-gen, and the options of the run.
made() {
    made=$1
    shift
    is_chosen "$made${*:+ $*}" || return 0
    # shellcheck disable=SC2086 # words
    "$BUILD/apsp-gen" $made -s 1 --force -o "$work/graph.bin" >/dev/null
    compare "$@" "$work/graph.bin"
}

# real FILE [OPTION...]
real() {
    file=$1
    shift
    is_chosen "$file${*:+ $*}" || return 0
    [ -r "$graphs/$file" ] || { echo "skip $name: it is not in $graphs" && return 0; }
    compare "$@" "$graphs/$file"
}

measure_cpu() {
    made 'grid -n 1024'
    made 'grid -n 20000 -w 1:100'
    made 'grid -n 100000' --sources random:1
    made 'grid -n 100000 -w 1:1000' --sources random:10
    made 'grid -n 100000 -w 1:1000' --sources random:100
    made 'grid -n 100000 -w 1:1000' --sources random:1000
    made 'lattice -n 4000 -w 1:9'
    made 'path -n 4000'
    made 'path -n 100000 -w 1:9' --sources random:10
    made 'star -n 4000'
    made 'disconnected -n 4000 -d 8'
    made 'zero -n 4000 -d 8'
    made 'dense -n 1000'
    made 'dense -n 2000 -w 1:50' --sources random:10
    made 'random -n 500 -d 4 -w 1:9'
    made 'random -n 4000 -d 4 -w 1:100'
    made 'random -n 4000 -d 40 -w 1:100'
    made 'random -n 8000 -d 4' --unweighted
    made 'rmat -n 2000 -d 8 -w 1:100'
    made 'rmat -n 16384 -d 8' --undirected --unweighted
    made 'rmat -n 16384 -d 8 -w 1:100' --undirected
    made 'rmat -n 65536 -d 8' --undirected --unweighted
    made 'rmat -n 65536 -d 8 -w 1:100' --undirected --sources random:1
    made 'rmat -n 65536 -d 8 -w 1:100' --undirected --sources random:100
    real rome99.gr
    real luxembourg.gr --sources random:1
    real luxembourg.gr --sources random:100
    real luxembourg.gr
    real USA-road-d.NY.gr.gz --sources random:1
    real USA-road-d.NY.gr.gz --sources random:100
    real USA-road-d.NY.gr.gz --sources random:1000
    real usroads48.txt.gz --undirected --sources random:100
    real brightkite.txt.gz --undirected --unweighted
    real soc-Slashdot0902.txt.gz --unweighted --sources random:100
    real soc-Slashdot0902.txt.gz --unweighted
}

measure_gpu() {
    made 'random -n 500 -d 4 -w 1:9'
    made 'grid -n 100000' --sources random:1
    made 'cube -n 64000 -w 1:10'
    real rome99.gr
    real USA-road-d.NY.gr.gz --sources random:100
    made 'grid -n 20000 -w 1:100'
    made 'lattice -n 22500 -w 1:10'
    made 'cube -n 27000 -w 1:10'
    made 'path -n 4000'
    made 'star -n 4000'
    made 'disconnected -n 20000 -d 8'
    made 'zero -n 4000 -d 8'
    made 'dense -n 2000'
    made 'random -n 4000 -d 4 -w 1:100'
    made 'random -n 16384 -d 8 -w 1:100'
    made 'rmat -n 16384 -d 8' --undirected --unweighted
    made 'rmat -n 65536 -d 8' --undirected --unweighted
    made 'rmat -n 65536 -d 8 -w 1:100' --undirected
    made 'rmat -n 262144 -d 16' --undirected --unweighted
    made 'rmat -n 262144 -d 16 -w 1:100' --undirected --sources random:10000
    real luxembourg.gr
    real USA-road-d.NY.gr.gz
    real usroads48.txt.gz --undirected
    real brightkite.txt.gz --undirected --unweighted
    real soc-Slashdot0902.txt.gz --unweighted
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores;" \
    "$(uptime | sed 's/.*load/load/')"
echo "| graph | dense | sparse | sssp | auto | taken | loss |"
echo "|---|---|---|---|---|---|---|"
"measure_$DEVICE"
echo "# auto has lost too much on $lost of $done graphs"
[ "$lost" -eq 0 ]
