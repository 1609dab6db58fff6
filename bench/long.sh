#!/bin/sh
# Whole runs to files as large as memory and larger, beside dd of as many bytes to the same disk,
# before and after: [DIR=/tmp] [BUILD=build] sh bench/long.sh [GRAPH...], a file.gr or the vertices
# of a grid; by default Luxembourg's roads (23.5 GB) and a grid of 110,000 vertices (48.4 GB). A
# graph whose file the disk has no room for is left out. Needs 2 idle cores and an idle disk.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} DIR=${DIR:-${TMPDIR:-/tmp}}
[ $# -gt 0 ] || set -- "${APSP_GRAPHS:-../shared/graphs}/luxembourg.gr" 110000
work=$(mktemp -d "$DIR/bench-long.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

seconds() { # COMMAND...
    begin=$(date +%s%N)
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    echo "$begin $(date +%s%N)" | awk '{ printf "%.2f", ($2 - $1) / 1e9 }'
}

solve() { # OPTION... GRAPH [DISTANCES]
    "$BUILD/apsp" --device cpu --dtype i32 --no-progress --force "$@"
}

# The disk's own speed: the file is gone, and what it held is free, before the next one.
copy() { # BYTES
    seconds dd if=/dev/zero of="$work/zeros" bs=16M count="$1" iflag=count_bytes conv=fsync
    rm "$work/zeros"
}

measure() { # NAME GRAPH
    n=$(awk '$1 == "p" { print $3; exit }' "$2")
    bytes=$((4 * n * n))
    room=$(df --output=avail -B 1 "$work" | tail -n 1)
    if [ "$room" -lt $((bytes + bytes / 32)) ]; then
        echo "skip $1: its distances are $bytes bytes, and $DIR has $room left"
        return
    fi
    alone=$(seconds solve --stats "$work/stats.csv" "$2")
    before=$(copy $bytes)
    whole=$(seconds solve "$2" "$work/distances")
    "$BUILD/apsp-verify" --rows=16 "$2" "$work/distances" >"$work/verdict"
    rm "$work/distances"
    after=$(copy $bytes)
    echo "$before $whole $after" | awk -v name="$1" -v n="$n" -v bytes=$bytes -v alone="$alone" '
        { dd = $1 < $3 ? $1 : $3
          printf "%-24s %7d %7.1f %10.2f %9.2f %9.2f %9.2f %7.2f %7.2f\n", name, n, bytes / 1e9,
              alone, $1, $2, $3, bytes / $2 / 1e9, dd / $2 }'
    sed 's/^/# /' "$work/verdict"
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/')"
echo "# $(awk '/^MemTotal/ { printf "%.1f GB of memory",
    $2 * 1024 / 1e9 }' /proc/meminfo); $(df --output=source,fstype,avail -h "$DIR" | tail -n 1)"
printf '%-24s %7s %7s %10s %9s %9s %9s %7s %7s\n' '# seconds' n GB statistics 'dd before' apsp \
    'dd after' GB/s 'to dd'
for graph in "$@"; do
    if [ -r "$graph" ]; then
        measure "$(basename "$graph" .gr)" "$graph"
    elif [ "$graph" -gt 0 ] 2>/dev/null; then
        "$BUILD/apsp-gen" grid -n "$graph" -s 1 --force -o "$work/grid.gr" >"$work/log"
        measure "grid $graph" "$work/grid.gr"
    else
        echo "skip $graph: it is not there (APSP_GRAPHS names the folder of Luxembourg's roads)"
    fi
done
