/* Sums and largest values of the tiles of a walk, and who was not reached. */
#ifndef SPARSE_COUNT_CUH
#define SPARSE_COUNT_CUH

#include "kernels/reduce.h"
#include "sparse/gpu/product.cuh"

#include <type_traits>

namespace
{

enum { SUMMED = 4096 /* times 16 values of 15 bits are below 2^32 */ };

/* The counts of a lane, over the tasks of one group: its words' values. */
template <class Op> struct lane_counts {
    static constexpr int wide = 16 / sizeof(typename Op::word), sources = wide * Op::lanes;
    std::conditional_t<Op::lanes == 2, uint32_t, int64_t>
        sum[sources]; /* of SUMMED tasks, at least */
    typename Op::word most[wide];
};

template <class V> __device__ __forceinline__ V larger(V a, V b)
{
    return REDUCE_MOST(a, b);
}

/* Two values a word. */
__device__ __forceinline__ uint32_t larger_pair(uint32_t a, uint32_t b)
{
#if defined(__HIP__)
    return larger(a & 0xffffu, b & 0xffffu) | larger(a & 0xffff0000u, b & 0xffff0000u);
#else
    return __vmaxu2(a, b);
#endif
}

template <class Op>
__device__ __forceinline__ typename Op::word larger_word(typename Op::word a, typename Op::word b)
{
    if constexpr (Op::lanes == 2)
        return larger_pair(a, b);
    else
        return larger(a, b);
}

/* Is one of the values of a word at least `limit`? */
template <class Op>
__device__ __forceinline__ bool reaches(typename Op::word w, typename Op::value limit)
{
    if constexpr (Op::lanes == 2)
        return (w & 0xffffu) >= limit || w >> 16 >= limit;
    else
        return w >= limit;
}

/* The largest of the targets, by words; true if one of all is at least `limit`. */
template <class Op, int T>
__device__ __forceinline__ bool find_most(typename tile<Op, T>::row &most, const tile<Op, T> &acc,
                                          typename Op::value limit)
{
    typename Op::word all = 0;
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++) {
        most.at[s] = acc.at[0].at[s];
#pragma unroll
        for (int j = 1; j < T; j++)
            most.at[s] = larger_word<Op>(most.at[s], acc.at[j].at[s]);
        all = larger_word<Op>(all, most.at[s]);
    }
    return reaches<Op>(all, limit);
}

/* A lane's targets beyond the last that counts are copies of it: that one counts so many times,
 * while the others count once. Less than once, so that all of these together do. */
template <int T> __device__ __forceinline__ int times_of_last(int valid)
{
    return 1 - max(0, min(T, T - valid));
}

/* The values of a word, one by one. */
template <class Op, int T>
__device__ __forceinline__ void add_each(lane_counts<Op> &counts, const tile<Op, T> &acc, int s,
                                         int times)
{
#pragma unroll
    for (int j = 0; j < T - 1; j++)
        counts.sum[s] = REDUCE_SUM(counts.sum[s], acc.at[j].at[s], 1);
    counts.sum[s] = REDUCE_SUM(counts.sum[s], (int64_t)acc.at[T - 1].at[s], times);
}

/* Adds all targets. Their sum fits 32 bits where a word has so many. */
template <class Op, int T>
__device__ __forceinline__ void add_sums(lane_counts<Op> &counts, const tile<Op, T> &acc, int times)
{
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++) {
        const typename Op::word last = acc.at[T - 1].at[s];
        if constexpr (Op::lanes == 2) {
            uint32_t low = 0, high = 0;
#pragma unroll
            for (int j = 0; j < T; j += 2) { /* two of 15 bits fit 16 */
                uint32_t both = acc.at[j].at[s] + (T > 1 ? acc.at[(j + 1) % T].at[s] : 0);
                low += both & 0xffffu;
                high += both >> 16;
            }
            counts.sum[2 * s] += low + (times - 1) * (last & 0xffffu);
            counts.sum[2 * s + 1] += high + (times - 1) * (last >> 16);
        } else if constexpr (sizeof(typename Op::word) == 4) {
            uint32_t sum = 0;
#pragma unroll
            for (int j = 0; j < T - 1; j++)
                sum += (uint32_t)acc.at[j].at[s];
            counts.sum[s] += REDUCE_SUM(sum, (uint32_t)last, (uint32_t)times);
        } else {
            add_each(counts, acc, s, times);
        }
    }
}

/* Unreached ones become 0. */
template <class Op, int T>
__device__ __forceinline__ void drop_lost(tile<Op, T> &acc, int times, uint32_t *lost)
{
#pragma unroll
    for (int s = 0; s < lane_counts<Op>::sources; s++) {
        int none = 0;
#pragma unroll
        for (int j = 0; j < T; j++) {
            typename Op::word &word = acc.at[j].at[s / Op::lanes];
            if (Op::lane(word, s % Op::lanes) >= Op::infinity) {
                none += j < T - 1 ? 1 : times;
                word = Op::with_lane(word, s % Op::lanes, 0);
            }
        }
        if (none > 0)
            atomicAdd(lost + s, (uint32_t)none);
    }
}

/* Values below this have sums of 32 bits over the targets of a lane, and over a group. */
template <class Op> __device__ __forceinline__ constexpr typename Op::value count_limit()
{
    return sizeof(typename Op::value) == 4 ? (typename Op::value)(0x100000000u / (WALK_ROW / 4))
                                           : Op::infinity;
}

/* The first `valid` targets of the lane. Values too large for sums of 32 bits are added one by one.
 */
template <class Op, int T>
__device__ __forceinline__ void count_tile(lane_counts<Op> &counts, tile<Op, T> &acc, int valid,
                                           uint32_t *lost)
{
    static_assert(T <= WALK_ROW / 16, "a lane has fewer targets than a group has sources");
    constexpr typename Op::value limit = count_limit<Op>();
    const int times = times_of_last<T>(valid);
    typename tile<Op, T>::row most;
    bool large = find_most<Op, T>(most, acc, limit);
    if (large) {
        drop_lost<Op, T>(acc, times, lost);
        large = find_most<Op, T>(most, acc, limit);
    }
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++)
        counts.most[s] = larger_word<Op>(counts.most[s], most.at[s]);
    if constexpr (sizeof(typename Op::value) == 4)
        if (large) {
#pragma unroll
            for (int s = 0; s < tile<Op, T>::wide; s++)
                add_each(counts, acc, s, times);
            return;
        }
    add_sums<Op, T>(counts, acc, times);
}

} // namespace

#endif
