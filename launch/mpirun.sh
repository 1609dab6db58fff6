#!/bin/sh
# apsp on the nodes of a host file, through Open MPI's mpirun:
#
#   launch/mpirun.sh HOSTFILE [apsp options] GRAPH [DISTANCES]
#
# Starts one rank per slot. The program, GRAPH and the directory of DISTANCES must have the same
# path on every node.
#   APSP=PROGRAM           the program to run; default: build/apsp of this tree, else the apsp in
#                          PATH
#   OMPI_MCA_<name>=value  any further Open MPI setting. On nodes with several networks
#                          OMPI_MCA_btl_tcp_if_include=10.0.0.0/24, say, and the same value for
#                          OMPI_MCA_oob_tcp_if_include
set -eu

[ $# -ge 2 ] || {
    echo "usage: launch/mpirun.sh HOSTFILE [apsp options] GRAPH [DISTANCES]" >&2
    exit 2
}
hostfile=$1
shift
[ -r "$hostfile" ] || {
    echo "mpirun.sh: cannot read the host file $hostfile" >&2
    exit 5
}

tree=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "${APSP-}" ]; then
    APSP=$tree/build/apsp
    [ -x "$APSP" ] || APSP=apsp
fi

# Each word behind the program's name is marked: mpirun would take `:`, and some options, for its
# own (man apsp, --quoted).
for word; do
    set -- "$@" "=$word"
    shift
done

# --map-by slot   fills a node before the next: consecutive ranks share one, so that a broadcast
#                 crosses the network seldom.
# --bind-to none  the program finds its share of the cores and binds its own threads.
# oob_tcp_*       a node that vanishes is noticed after 5 + 3 * 2 seconds and the job ended; the
#                 default is minutes.
exec mpirun --hostfile "$hostfile" --map-by slot --bind-to none \
    --mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 \
    --mca oob_tcp_keepalive_probes 3 \
    "$APSP" --quoted "$@"
