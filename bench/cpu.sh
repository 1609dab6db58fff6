#!/bin/sh
# The solve against the ceiling of the processor for that type, in relaxations per second:
# relaxations_per_second of the report against ceiling_cpu. The two alternate; a ratio takes the
# larger of the ceilings just before and just after the solve; the median of RUNS ratios (default 5)
# counts. Exit 1 if one is below its bar. Needs 2 idle cores.
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-5}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mkdir -p "$BUILD/bench"
work=$(mktemp -d "$BUILD/bench/cpu.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
worst=0

graph() { # FAMILY N: path of a graph of that kind, made on demand
    file=$work/$1-$2.bin
    [ -f "$file" ] || "$BUILD/apsp-gen" "$1" -n "$2" -s 1 -o "$file" >&2
    echo "$file"
}

solve() { # ISA RANKS THREADS GRAPH TYPE: G relaxations per second
    APSP_ISA=$1 "$BUILD/apsp" --device cpu --method dense --ranks "$2" --threads "$3" --dtype "$5" \
        --quiet --no-progress --force \
        --json "$work/report.json" "$4" >&2
    tr ',{}' '\n\n\n' < "$work/report.json" |
        awk -F: '/"relaxations_per_second"/ { printf "%.2f\n", $2 / 1e9 }'
}

measure() { # FAMILY N ISA RANKS THREADS BAR TYPE: one line of the table
    if ! before=$("$BUILD/bench/ceiling_cpu" "$3" 2 "$7" 2> "$work/errors"); then
        echo "# $3: not on this processor"
        return
    fi
    input=$(graph "$1" "$2")
    run=0
    : > "$work/runs"
    while [ $run -lt "$RUNS" ]; do
        rate=$(solve "$3" "$4" "$5" "$input" "$7")
        after=$("$BUILD/bench/ceiling_cpu" "$3" 2 "$7")
        echo "$rate $before $after" >> "$work/runs"
        before=$after run=$((run + 1))
    done
    awk '{ top = $2 > $3 ? $2 : $3; print $1 / top, $1, top }' "$work/runs" | sort -n |
        awk -v name="$1 $2 $3 $4 $5 $7" -v bar="$6" '
            { line[NR] = $0 }
            END {
                split(line[int((NR + 1) / 2)], m); split(line[1], low); split(line[NR], high);
                    split(name, c)
                printf "%-8s %6d %-4s %-7s %5d %7d %8.1f %8.1f %6.3f %6.3f %6.3f %5.2f %s\n",
                    c[1], c[2], c[6], c[3], c[4], c[5], m[3], m[2], low[1], m[1], high[1], bar,
                        (m[1] >= bar ? "ok" : "BELOW")
                exit (m[1] < bar)
            }' || worst=1
}

model=$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
echo "# $model, $(nproc) cores; $(uptime | sed 's/.*load/load/')"
echo "# G relaxations/s; ratio of solve to ceiling: lowest, median and highest of $RUNS"
printf '#%-7s %6s %-4s %-7s %5s %7s %8s %8s %6s %6s %6s %5s\n' \
    family n type isa ranks threads ceiling solve low median high bar
measure random 4000 avx512 1 2 0.75 i32
measure random 4000 avx512 1 2 0.65 u16
measure dense 4000 avx512 1 2 0.75 i32
measure random 4000 avx512 2 1 0.70 i32
measure dense 4000 avx512 2 1 0.70 i32
measure random 1000 avx512 1 2 0.40 i32
measure random 4000 avx2 1 2 0.75 i32
measure dense 4000 avx2 1 2 0.75 i32
exit $worst
