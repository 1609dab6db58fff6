/*
 * Halves of rows (rows/half.h): of the tasks, those of vertices before the last source of a group
 * and of the supernodes above it; of their values, those of vertices before the row's source. The
 * values of a target are added up over the lanes that have it.
 */
#ifndef SPARSE_HALF_CUH
#define SPARSE_HALF_CUH

#include "sparse/gpu/count.cuh"

namespace
{

/* Whether the halves of a group need a task: its targets begin before the last source, or its
 * supernode is above that. */
__device__ __forceinline__ bool is_of_half(const struct walk_group &group, uint32_t first,
                                           uint32_t low, uint32_t end)
{
    return first <= group.high || (low <= group.high && group.high < end);
}

__device__ __forceinline__ uint32_t lanes_xor(uint32_t value, int lanes)
{
    return (uint32_t)team_xor((int)value, lanes);
}

__device__ __forceinline__ int64_t lanes_xor(int64_t value, int lanes)
{
    const uint32_t low = lanes_xor((uint32_t)value, lanes),
                   high = lanes_xor((uint32_t)((uint64_t)value >> 32), lanes);
    return (int64_t)((uint64_t)high << 32 | low);
}

/* The target that a lane has at the end of combine_lanes. */
template <int T> __device__ __forceinline__ int target_of(int across)
{
    int target = 0;
#pragma unroll
    for (int count = T, half = 1; count > 1; count /= 2, half *= 2)
        target += across & half ? count / 2 : 0;
    return target;
}

/* value[0] becomes that of one target, from the values of all lanes that share these: in each step
 * two lanes divide their targets. */
template <int T, class V, class F>
__device__ __forceinline__ V combine_lanes(V (&value)[T], int across, F combine)
{
    int count = T;
#pragma unroll
    for (int step = 1; step < ACROSS; step *= 2) {
        const bool upper = across & step;
        const int half = count / 2;
        if (half == 0)
            value[0] = combine(value[0], lanes_xor(value[0], step));
#pragma unroll
        for (int j = 0; j < T / 2; j++)
            if (j < half) {
                const V sent = upper ? value[j] : value[j + half],
                        kept = upper ? value[j + half] : value[j];
                value[j] = combine(kept, lanes_xor(sent, step));
            }
        count = half > 0 ? half : 1;
    }
    return value[0];
}

/* Values of V of each target of a lane, and the largest. */
template <class V, class Op, int T>
__device__ __forceinline__ void add_targets(const struct walk_work &work, tile<Op, T> &acc,
                                            uint32_t first, int valid, int across)
{
    V sum[T], most[T];
#pragma unroll
    for (int j = 0; j < T; j++) {
        sum[j] = most[j] = 0;
#pragma unroll
        for (int s = 0; s < lane_counts<Op>::sources; s++) {
            const V value = (V)Op::lane(acc.at[j].at[s / Op::lanes], s % Op::lanes);
            sum[j] = REDUCE_SUM(sum[j], value, 1);
            most[j] = REDUCE_MOST(most[j], value);
        }
    }
    const V all = combine_lanes<T>(sum, across, [](V a, V b) { return a + b; }),
            largest = combine_lanes<T>(most, across, [](V a, V b) { return larger(a, b); });
    const int target = target_of<T>(across);
    if (across / T > 0 || target >= valid)
        return;
    atomicAdd((unsigned long long *)work.column.sum + first + target, (unsigned long long)all);
    atomicMax((unsigned long long *)work.column.most + first + target, (unsigned long long)largest);
}

/* Zeros in place of values that are not of the halves, and of those that are lost, which are
 * counted. Targets beyond the last have none. */
template <class Op, int T>
__device__ __forceinline__ void keep_half(const struct walk_work &work,
                                          const struct walk_group &group, tile<Op, T> &acc,
                                          uint32_t first, int valid, int across, uint32_t *lost)
{
    const uint32_t low = group.low + across * lane_counts<Op>::sources;
#pragma unroll
    for (int j = 0; j < T; j++) {
        uint32_t gone = 0;
#pragma unroll
        for (int s = 0; s < lane_counts<Op>::sources; s++) {
            typename Op::word &word = acc.at[j].at[s / Op::lanes];
            const bool kept = j < valid && low + s > first + j && low + s <= group.high,
                       reached = Op::lane(word, s % Op::lanes) < Op::infinity;
            if (kept && reached)
                continue;
            word = Op::with_lane(word, s % Op::lanes, 0);
            if (kept) {
                atomicAdd(lost + s, 1);
                gone++;
            }
        }
        if (gone > 0)
            atomicAdd(work.column.reached + first + j, 0u - gone);
    }
}

/* A sum over a group of values below count_limit. */
template <class Op>
using half_sum = std::conditional_t<sizeof(typename Op::value) == 8, int64_t, uint32_t>;

/* A sum over a group of any values. */
template <class Op>
using any_sum = std::conditional_t<sizeof(typename Op::value) == 2, uint32_t, int64_t>;

/* The part of a tile that belongs to the halves. All lanes of a warp come here together. */
template <class Op, int T>
__device__ __forceinline__ void
count_half(const struct walk_work &work, const struct walk_group &group, const struct task &task,
           tile<Op, T> &acc, int lane, lane_counts<Op> &counts, uint32_t *lost)
{
    const int at = lane / ACROSS * T, valid = (int)task.targets - at, across = lane % ACROSS;
    const uint32_t first = task.first + at;
    typename tile<Op, T>::row most;
    if (task.first > group.high)
        return;
    if (task.first + task.targets <= group.low &&
        team_all(!find_most<Op, T>(most, acc, count_limit<Op>()))) {
        count_tile<Op, T>(counts, acc, valid, lost);
        add_targets<half_sum<Op>, Op, T>(work, acc, first, valid, across);
        return;
    }
    keep_half<Op, T>(work, group, acc, first, valid, across, lost);
    count_tile<Op, T>(counts, acc, valid, lost);
    add_targets<any_sum<Op>, Op, T>(work, acc, first, valid, across);
}

} // namespace

#endif
