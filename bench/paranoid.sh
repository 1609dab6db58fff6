#!/bin/sh
# What --paranoid sees and what it costs: BUILD=build DEVICE=cpu SEEDS=50 SIZES="1000 2000" RUNS=15
# sh bench/paranoid.sh; SEEDS=0 for the cost alone.
#
# Faults: SEEDS times for each area (src/dense/flip.h) one bit turns round in the middle of a solve
# of 1,200 vertices. Planted; of these how many make a distance wrong, which nobody sees without a
# check; how many the word sums see; beside it the share that is to be expected, 1. With VERIFY=yes
# also how many --verify sees, which certifies 64 rows.
# Cost: RUNS times a solve without sums, one with them and one without, by bench/sums.c (processor
# time of one thread), on a GPU by bench/gpu.cu (medians of several); the median of what sums add to
# the mean of both others, beside the median of what these differ by, which is what a run can tell,
# and the limit of 3 %.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh
set --
device=${DEVICE:-cpu} seeds=${SEEDS:-50}
case $device in
gpu) several="--gpus 2 --share-gpus --transport ${TRANSPORT:-host}" ;;
*) several="--ranks 2 --transport ${TRANSPORT:-mpi}" ;;
esac

solve() {
    "$BUILD/apsp" --quiet --no-progress --method dense --dtype i32 \
        --force "$@" 2>"$scratch/log$area"
}

# turn AREA OPTIONS...
turn() {
    area=$1
    shift
    planted=0 wrong=0 proved=0 seen=0
    for seed in $(seq "$seeds"); do
        export APSP_FLIP="$area:$seed"
        solve --paranoid "$@" "$graph"
        status=$?
        grep -q '^flip: ' "$scratch/log$area" || continue
        planted=$((planted + 1))
        [ "$status" -eq 8 ] && grep -q 'bit flip in memory' "$scratch/log$area" &&
            seen=$((seen + 1))
        solve "$@" "$graph" "$scratch/out$area"
        cmp -s "$scratch/out$area" "$scratch/right" && continue
        wrong=$((wrong + 1))
        [ "${VERIFY:-}" ] || continue
        solve --verify "$@" "$graph"
        [ $? -eq 8 ] && proved=$((proved + 1))
    done
    printf '%-6s %8d %8d %14s %8d %10s\n' "$area" "$planted" "$wrong" "${VERIFY:+$proved}" "$seen" \
        "$planted"
}

graph=$scratch/graph.bin area=
if [ "$seeds" -gt 0 ]; then
    "$BUILD/apsp-gen" random -n 1200 -s 1 -o "$graph"
    solve --device "$device" "$graph" "$scratch/right"
    printf '%-6s %8s %8s %14s %8s %10s\n' area planted wrong 'of 64 rows' sums expected
    for area in strip row col; do # side by side
        turn $area --device "$device" &
    done
    turn raw $several &
    wait
fi

# cost: of the lines of three solves a run
cost() {
    awk '
        function median(of, count, i, k, at) {
            for (i = 2; i <= count; i++)
                for (k = i; k > 1 && of[k - 1] > of[k]; k--) { at = of[k]; of[k] = of[k - 1];
                    of[k - 1] = at }
            return count % 2 ? of[(count + 1) / 2] : (of[count / 2] + of[count / 2 + 1]) / 2
        }
        $1 == "solve" || $1 == "sums" {
            key = $2 " " $3
            if (!(key in count))
                name[++names] = key
            ms[key, ++count[key]] = $5
        }
        END {
            printf "%-4s %8s %12s %10s %10s %8s\n", "type", "n", "plain, ms", "cost", "noise",
                "limit"
            for (i = 1; i <= names; i++) {
                runs = 0
                for (at = 1; at + 2 <= count[name[i]]; at += 3) {
                    before = ms[name[i], at]; with = ms[name[i], at + 1];
                        after = ms[name[i], at + 2]
                    both = (before + after) / 2
                    runs++; plain[runs] = both; costs[runs] = with / both - 1
                    noise[runs] = (before > after ? before - after : after - before) / both
                }
                split(name[i], part, " ")
                printf "%-4s %8d %12.3f %8.2f %% %8.2f %% %6.1f %%\n", part[1], part[2],
                    median(plain, runs), 100 * median(costs, runs),
                    100 * median(noise, runs), 3
            }
        }'
}

echo "# $(uptime | sed 's/.*load/load/')"
if [ "$device" = gpu ]; then
    for dtype in ${TYPES:-u16 i32 f32}; do
        for n in ${SIZES:-1000 5000 10000 20000}; do
            set -- "$@" "$dtype"
            for _ in $(seq "${RUNS:-5}"); do
                set -- "$@" plain "$n" sums "$n" plain "$n"
            done
        done
    done
    "$BUILD/bench/gpu" "$@" | tee "$scratch/lines"
else
    for dtype in ${TYPES:-u16 i32 f32}; do
        for n in ${SIZES:-1000 2000 3000}; do
            "$BUILD/bench/sums" "$dtype" "$n" "${RUNS:-15}"
        done
    done >"$scratch/lines"
fi
cost <"$scratch/lines"
