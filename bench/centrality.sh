#!/bin/sh
# Betweenness and diameters beside NetworKit and igraph:
#     PYTHON=FOLDER/bin/python make bench-centrality
#
# The graphs of APSP_GRAPHS (default ../shared/graphs) and generated ones; ONLY names some parts:
# whole (betweenness from all vertices), some (from 500), diameter. bench/centrality.py tells the
# rest. One run of all parts takes an hour on 2 cores, most of it that of the peers.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} PYTHON=${PYTHON:-python3} graphs=${APSP_GRAPHS:-../shared/graphs}
if ! versions=$("$PYTHON" -c 'import igraph, networkit
print("networkit", networkit.__version__ + ", igraph", igraph.__version__)' 2>/dev/null); then
    echo "skip centrality: $PYTHON has no networkit and igraph"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# part NAME WHAT GRAPH...: the graphs that are there.
part() {
    name=$1 what=$2
    shift 2
    case " ${ONLY:-whole some diameter} " in
    *" $name "*) ;;
    *) return ;;
    esac
    for graph in "$@"; do
        file=${graph#+}
        [ -r "${file%:largest}" ] || echo "skip $graph: not there (APSP_GRAPHS names its folder)"
        [ ! -r "${file%:largest}" ] ||
            "$PYTHON" -B bench/centrality.py "$BUILD/apsp" "$work" "$what" "$graph"
    done
}

generate() { # FILE FAMILY...
    file=$1
    shift
    case " ${ONLY:-diameter} " in
    *" diameter "*) "$BUILD/apsp-gen" "$@" -s 1 --force -o "$file" ;;
    esac
}

cpu=$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
echo "# $cpu, $(nproc) cores; $(uptime | sed 's/.*load/load/'); $versions"
part whole betweenness "+$graphs/brightkite.txt.gz" "$graphs/soc-Slashdot0902.txt.gz"
SOURCES=500 IGRAPH=${IGRAPH:-1000000}
export SOURCES IGRAPH
part some betweenness "$graphs/USA-road-d.NY.gr.gz" "+$graphs/usroads48.txt.gz"
unset SOURCES IGRAPH
generate "$work/rmat-2^20.bin" rmat -n 1048576 -d 16 -w 1:1
generate "$work/grid-10^7.bin" grid -n 10000000
part diameter diameter "$graphs/USA-road-d.NY.gr.gz" "+$graphs/usroads48.txt.gz" \
    "$graphs/soc-Slashdot0902.txt.gz:largest" "+$graphs/soc-Slashdot0902.txt.gz:largest" \
    "+$work/rmat-2^20.bin:largest" "$work/grid-10^7.bin"
