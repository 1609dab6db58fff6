/*
 * The types of distances on the GPU: one struct each, which all kernels take as a parameter.
 *
 *   value   what the matrix holds
 *   word    what a register holds: `lanes` values side by side in a row. The operand from the
 * column panel meets all of them, so there a word is one value in every lane (spread). step    a
 * relaxation of all lanes; where `paired`, of two k at once lower   *at = min(*at, v), atomically;
 * returns what was there single  the type for phase 1, one value a word
 *
 * These add the two parts of a path. maxima<Op> takes the larger part instead (base/algebra.h).
 *
 * No distance is negative, negative zero or no number, so the bits of a real compare as integers
 * do.
 */
#ifndef GPU_OP_CUH
#define GPU_OP_CUH

#include "kernels/gpu/extremes.cuh"
#include "kernels/gpu/kernels.h"

#include <cmath>

/* A word of one value. */
template <class V> struct op_plain {
    using value = V;
    using word = V;
    static constexpr int lanes = 1;
    static constexpr bool paired = false;
    static __host__ __device__ __forceinline__ constexpr word spread(value v)
    {
        return v;
    }
    static __device__ __forceinline__ value lane(word w, int)
    {
        return w;
    }
    static __device__ __forceinline__ word with_lane(word, int, value v)
    {
        return v;
    }
};

struct op_i32 : op_plain<int32_t> {
    using single = op_i32;
    static constexpr value infinity = INF_I32;
#ifdef __HIP__
    static constexpr bool paired = true; /* AMD: one minimum of three for two sums */
    static __device__ __forceinline__ word step(word c, word a, word b, word next_a, word next_b)
    {
        return least_of(c, a + b, next_a + next_b);
    }
#endif
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        return min(c, a + b);
    }
    static __device__ __forceinline__ value lower(value *at, value v)
    {
        return atomicMin(at, v);
    }
};

struct op_i64 : op_plain<int64_t> {
    using single = op_i64;
    static constexpr value infinity = INF_I64;
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        word sum = a + b;
        return sum < c ? sum : c;
    }
    static __device__ __forceinline__ value lower(value *at, value v)
    {
        return (value)atomicMin((unsigned long long *)at, (unsigned long long)v);
    }
};

struct op_f32 : op_plain<float> {
    using single = op_f32;
    static constexpr value infinity = HUGE_VALF;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr bool paired = true; /* one minimum of three for two sums */
    static __device__ __forceinline__ word step(word c, word a, word b, word next_a, word next_b)
    {
        return least_of(c, a + b, next_a + next_b);
    }
#elif defined(__HIP__)
    static constexpr bool paired = true;
    static __device__ __forceinline__ word step(word c, word a, word b, word next_a, word next_b)
    {
        return fminf(fminf(c, a + b), next_a + next_b);
    }
#endif
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        return fminf(c, a + b);
    }
    static __device__ __forceinline__ value lower(value *at, value v)
    {
        return __int_as_float(atomicMin((int *)at, __float_as_int(v)));
    }
};

struct op_f64 : op_plain<double> {
    using single = op_f64;
    static constexpr value infinity = HUGE_VAL;
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
#ifdef __AMDGCN__
        word least; /* fmin() would quiet what might signal, which nothing here does */
        asm("v_min_f64 %0, %1, %2" : "=v"(least) : "v"(c), "v"(a + b));
        return least;
#else
        word sum = a + b;
        return sum < c ? sum : c;
#endif
    }
    static __device__ __forceinline__ value lower(value *at, value v)
    {
        unsigned long long bits = (unsigned long long)__double_as_longlong(v);
        return __longlong_as_double((long long)atomicMin((unsigned long long *)at, bits));
    }
};

/* 16-bit values in words of 32 bits, for phase 1: too little work to be worth packing. */
struct op_u16_single : op_plain<int32_t> {
    using single = op_u16_single;
    static constexpr word infinity = INF_U16;
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        return min(c, a + b);
    }
};

/* Two values a word. The sum of two is below 2^16, so that nothing is carried from lane to lane. */
struct op_u16 {
    using value = uint16_t;
    using word = uint32_t;
    using single = op_u16_single;
    static constexpr int lanes = 2;
    static constexpr bool paired = false;
    static constexpr value infinity = INF_U16;
    static __host__ __device__ __forceinline__ constexpr word spread(value v)
    {
        return v * 0x10001u;
    }
    static __device__ __forceinline__ value lane(word w, int lane)
    {
        return (value)(w >> 16 * lane);
    }
    static __device__ __forceinline__ word with_lane(word w, int lane, value v)
    {
        return (w & 0xffff0000u >> 16 * lane) | (word)v << 16 * lane;
    }
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        return __viaddmin_u16x2(a, b, c);
#else
        return least_of(c, a + b);
#endif
    }
    /* There are no atomic minima of 16 bits: the word around the value is exchanged. */
    static __device__ __forceinline__ value lower(value *at, value v)
    {
        word *around = (word *)((uintptr_t)at & ~(uintptr_t)3), found = *around, expected;
        int which = (uintptr_t)at & 2 ? 1 : 0;
        do {
            expected = found;
            if (lane(expected, which) <= v)
                break;
            found = atomicCAS(around, expected, with_lane(expected, which, v));
        } while (found != expected);
        return lane(expected, which);
    }
};

/* The same types, where the value of a path is its largest part: two instructions a word, three for
 * two k, or one. */
template <class Op> struct maxima : Op {
    using word = typename Op::word;
    using single = maxima<typename Op::single>;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr bool paired = sizeof(word) == 4;
#elif defined(__HIP__) && !defined(GPU_LEAST_MOST)
    static constexpr bool paired = sizeof(word) == 4 && Op::lanes == 1;
#else
    static constexpr bool paired = false;
#endif
    static __device__ __forceinline__ word step(word c, word a, word b, word next_a, word next_b)
    {
        return least_of(c, most_of(a, b), most_of(next_a, next_b));
    }
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        return least_most(c, a, b);
    }
};

/* All types, in the order of enum dtype. */
template <class... Op> struct op_list {
    static_assert(sizeof...(Op) == DTYPE_COUNT, "a type each");
};
using op_sums = op_list<op_u16, op_i32, op_i64, op_f32, op_f64>;
using op_maxima =
    op_list<maxima<op_u16>, maxima<op_i32>, maxima<op_i64>, maxima<op_f32>, maxima<op_f64>>;

#endif
