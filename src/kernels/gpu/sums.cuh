/* Word sums on the GPU (kernels/sums.h): of values in registers, and into the sums of a round. */
#ifndef GPU_SUMS_CUH
#define GPU_SUMS_CUH

#include "kernels/gpu/op.cuh"

#include <type_traits>

/* For a word of 32 bits, or the two of one of 64. */
template <class W> __device__ __forceinline__ uint32_t word_sum(W w)
{
    if constexpr (std::is_same_v<W, float>) {
        uint32_t bits = __float_as_uint(w);
#ifdef __AMDGCN__ /* else the compiler adds up pairs of lanes, for which it has no registers */
        asm volatile("" : "+v"(bits));
#endif
        return bits;
    } else if constexpr (std::is_same_v<W, double>)
        return (uint32_t)__double2loint(w) + (uint32_t)__double2hiint(w);
    else if constexpr (sizeof(W) == 8)
        return (uint32_t)w + (uint32_t)(w >> 32);
    else
        return (uint32_t)w;
}

/* For the value in this column of a row, which may be one half of a word. */
template <class Op>
__device__ __forceinline__ uint32_t value_sum(typename Op::value v, uint32_t col)
{
    if constexpr (Op::lanes > 1)
        return (uint32_t)v << (col % Op::lanes * (32 / Op::lanes));
    else
        return word_sum(v);
}

/* For the lanes within [lo, hi); `at`, of the first one, is a multiple of the lanes. */
template <class Op>
__device__ __forceinline__ uint32_t lanes_sum(typename Op::word w, uint32_t at, uint32_t lo,
                                              uint32_t hi)
{
    if (at >= lo && at + (Op::lanes - 1) < hi)
        return word_sum(w);
    uint32_t sum = 0;
    if constexpr (Op::lanes > 1)
#pragma unroll
        for (int l = 0; l < Op::lanes; l++)
            if (at + l >= lo && at + l < hi)
                sum += value_sum<Op>(Op::lane(w, l), l);
    return sum;
}

/* Whole warps call it. */
static __device__ __forceinline__ void sum_add(uint32_t *to, uint32_t part)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    part = __reduce_add_sync(~0u, part);
    if (threadIdx.x % 32 == 0)
#endif
        atomicAdd(to, part);
}

/* The slot of this block among the round's. */
static __device__ __forceinline__ struct sums *sum_slot(struct sums *round)
{
    return round + (blockIdx.x + blockIdx.y) % GPU_SUM_SLOTS;
}

#endif
