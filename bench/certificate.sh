#!/bin/sh
# What the certificate of all rows costs beside the solve: BUILD=build sh bench/certificate.sh [N
# [DEGREE]] (4000, 100), seconds of the phases of one run, the best of RUNS (default 3). Limit: the
# solve. Whole weights have tight edges, real ones a search a row.
set -eu
BUILD=${BUILD:-build} RUNS=${RUNS:-3}
n=${1:-4000} degree=${2:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

seconds() { # PHASE: of the last run
    awk -v phase="$1" '$1 == phase { print $2 }' "$work/log"
}

# certify NAME TYPE OPTION...: a line for random edges with weights by those options of apsp-gen
certify() {
    name=$1 type=$2
    shift 2
    "$BUILD/apsp-gen" random -n "$n" -d "$degree" -s 1 "$@" --force -o "$work/graph.mtx"
    for _ in $(seq "$RUNS"); do
        "$BUILD/apsp" --device cpu --method dense --dtype "$type" --sums solver --verify=all \
            --no-progress "$work/graph.mtx" >"$work/log"
        echo "$(seconds solve) $(seconds verify)"
    done | awk -v name="$name" -v type="$type" '
        NR == 1 || $1 < solve { solve = $1 }
        NR == 1 || $2 < verify { verify = $2 }
        END { printf "%-22s %-4s %9.3f %9.3f %8.2f %7.0f\n", name, type, solve, verify,
            verify / solve, 1 }'
}

echo "# $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; $(uptime |
    sed 's/.*load/load/'); n = $n, m = $((n * degree))"
printf '%-22s %-4s %9s %9s %8s %7s\n' '# weights' type solve verify share limit
certify 'whole' i32 -w 0:1000
certify 'real' f64 -w 0.000000000:1.000000000
certify 'real' f32 -w 0.000000000:1.000000000
certify 'real, some negative' f64 -w 0.00000000:1.00000000 --potential 3
