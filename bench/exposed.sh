#!/bin/bash
# make bench-cluster: BUILD=build bash bench/exposed.sh [N [MBIT [RUNS]]]
#
# Communication that is not hidden, against the model: two nodes (namespaces of this machine,
# tests/cluster/net.sh) with one rank of one thread each, n = 4000, over a link shaped to 100 Mb/s.
# Fails when the median of the runs is more than 20 % off. Needs root, and two idle cores.
#
# The model. In a round of width w one rank sends the other w n values of 4 bytes; in Ethernet
# frames of 1514 bytes 1448 are payload. Behind that a rank can do its part of the round before (n/2
# rows by n columns by w) but for the next pivot rows (w by n by w), which must be there first. It
# also closes the panels of the round (1.5 n by w by w), when all has arrived. What its work takes
# in all is the solve, less what it waited, over a link that is not shaped. The first round hides
# nothing.
#   exposed = sent(first round) + sum over the other rounds of max(0, sent - done meanwhile)
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/cluster/net.sh
n=${1:-4000}
mbit=${2:-100}
runs=${3:-5}
BUILD=$(realpath "${BUILD:-build}")
export APSP=$BUILD/apsp

# json NAME: a number in the last report.
json() {
    sed -nE "s/.*\"$1\":[[:space:]]*([0-9.eE+-]+).*/\1/p" "$shared/json"
}

# solve: prints "SOLVE EXPOSED" in seconds.
solve() {
    sh launch/mpirun.sh "$shared/hosts.mpi" --device cpu --threads 1 --dtype i32 --quiet --force \
        --json "$shared/json" "$shared/graph.bin" >&2 &&
        echo "$(json solve) $(json communication_exposed)"
}

# Both directions; the burst holds the largest packet that the sender's stack hands over at once.
shape() {
    local node
    for node in node1 node2; do
        on "$node" tc qdisc replace dev eth0 root tbf rate "${mbit}mbit" burst 128kb latency 1s ||
            return 1
    done
}

unshape() {
    on node1 tc qdisc del dev eth0 root && on node2 tc qdisc del dev eth0 root
}

# One line of the table. SOLVE EXPOSED are of the free link, SOLVE EXPOSED of the shaped one.
compare() {
    awk -v n="$n" -v mbit="$mbit" -v tile="$(json tile)" -v free="$1" -v waited="$2" -v solve="$3" \
        -v exposed="$4" '
        function round_of(w,    sent, meanwhile) {
            sent = 4 * w * n * 8 / (mbit * 1e6) * 1514 / 1448
            meanwhile = rate * w * (n * n / 2 - w * n)
            model += first++ ? (sent > meanwhile ? sent - meanwhile : 0) : sent
        }
        BEGIN {
            for (strip = 0; strip < 2; strip++)
                for (left = int((n + 1 - strip) / 2); left > 0; left -= tile)
                    work += (w = left < tile ? left : tile) * (n * n / 2 + 1.5 * w * n)
            rate = (free - waited) / work
            for (strip = 0; strip < 2; strip++)
                for (left = int((n + 1 - strip) / 2); left > 0; left -= tile)
                    round_of(left < tile ? left : tile)
            printf "%10.3f %10.3f %10.3f %10.3f %10.3f %+8.1f %%\n", free, waited, solve, model,
                exposed, 100 * (exposed / model - 1)
        }'
}

measure() {
    local free shaped
    echo "# n = $n, link $mbit Mb/s: $(echo "$n $mbit" | awk '{
        printf "%.2f", 4 * $1 * $1 * 8 / $2 / 1e6 }') s for the bytes alone; seconds"
    echo "#    solve    exposed      solve    exposed    exposed"
    echo "#     free       free     shaped      model   measured  difference"
    for _ in $(seq "$runs"); do
        free=$(solve) && shape && shaped=$(solve) && unshape || return 1
        # shellcheck disable=SC2086 # two numbers each
        compare $free $shaped | tee -a "$shared/table"
    done
    sort -k 6g "$shared/table" | awk '
        { difference[NR] = $6 }
        END {
            median = (difference[int((NR + 1) / 2)] + difference[int(NR / 2) + 1]) / 2
            printf "# measured against model, median of %d: %+.1f %%\n", NR, median
            exit median > 20 || median < -20
        }'
}

obstacle=$(net_obstacle)
if [ -n "$obstacle" ]; then
    echo "bench-cluster: skipped: $obstacle"
    exit 0
fi
net_enter 280 "$@"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=$node_agent
nodes_up 2 && printf 'node%d slots=1\n' 1 2 >"$shared/hosts.mpi" &&
    "$BUILD/apsp-gen" random -n "$n" -d 8 -s 1 -o "$shared/graph.bin" >/dev/null && measure
