/*
 * The smaller and the larger of two words, lane by lane; a word of 32 bits without sign has two. No
 * value is negative, negative zero or no number, so bits of reals are compared as integers where
 * that is quicker, and integers as reals.
 */
#ifndef GPU_EXTREMES_CUH
#define GPU_EXTREMES_CUH

#include "kernels/gpu/gpu.h"

#ifdef __HIP_PLATFORM_AMD__
typedef uint16_t word_lanes __attribute__((ext_vector_type(2)));
static __device__ __forceinline__ uint32_t least_of(uint32_t a, uint32_t b)
{
    return __builtin_bit_cast(uint32_t,
                              __builtin_elementwise_min(__builtin_bit_cast(word_lanes, a),
                                                        __builtin_bit_cast(word_lanes, b)));
}
static __device__ __forceinline__ uint32_t most_of(uint32_t a, uint32_t b)
{
    return __builtin_bit_cast(uint32_t,
                              __builtin_elementwise_max(__builtin_bit_cast(word_lanes, a),
                                                        __builtin_bit_cast(word_lanes, b)));
}
#else
static __device__ __forceinline__ uint32_t least_of(uint32_t a, uint32_t b)
{
    return __vminu2(a, b);
}
static __device__ __forceinline__ uint32_t most_of(uint32_t a, uint32_t b)
{
    return __vmaxu2(a, b);
}
#endif
static __device__ __forceinline__ int32_t least_of(int32_t a, int32_t b)
{
    return min(a, b);
}
static __device__ __forceinline__ int32_t most_of(int32_t a, int32_t b)
{
    return max(a, b);
}
static __device__ __forceinline__ float least_of(float a, float b)
{
    return __int_as_float(min(__float_as_int(a), __float_as_int(b)));
}
static __device__ __forceinline__ float most_of(float a, float b)
{
    return __int_as_float(max(__float_as_int(a), __float_as_int(b)));
}

/* 64 bits are compared as doubles where the device is made for these, else as integers. */
#if defined(__AMDGCN__) && defined(__GFX9__) /* CDNA; fmin() would quiet what might signal */
static __device__ __forceinline__ double least_of(double a, double b)
{
    double least;
    asm("v_min_f64 %0, %1, %2" : "=v"(least) : "v"(a), "v"(b));
    return least;
}
static __device__ __forceinline__ double most_of(double a, double b)
{
    double most;
    asm("v_max_f64 %0, %1, %2" : "=v"(most) : "v"(a), "v"(b));
    return most;
}
#elif defined(__CUDA_ARCH__) &&                                                                    \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
static __device__ __forceinline__ double least_of(double a, double b)
{
    return b < a ? b : a;
}
static __device__ __forceinline__ double most_of(double a, double b)
{
    return b > a ? b : a;
}
#else
#define GPU_WIDE_INTEGERS
static __device__ __forceinline__ int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static __device__ __forceinline__ int64_t most_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static __device__ __forceinline__ double least_of(double a, double b)
{
    return __longlong_as_double(
        least_of((int64_t)__double_as_longlong(a), (int64_t)__double_as_longlong(b)));
}
static __device__ __forceinline__ double most_of(double a, double b)
{
    return __longlong_as_double(
        most_of((int64_t)__double_as_longlong(a), (int64_t)__double_as_longlong(b)));
}
#endif

#ifndef GPU_WIDE_INTEGERS
static __device__ __forceinline__ int64_t least_of(int64_t a, int64_t b)
{
    return __double_as_longlong(least_of(__longlong_as_double(a), __longlong_as_double(b)));
}
static __device__ __forceinline__ int64_t most_of(int64_t a, int64_t b)
{
    return __double_as_longlong(most_of(__longlong_as_double(a), __longlong_as_double(b)));
}
#endif

/* The least of three words of 32 bits, where that is one instruction. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ __forceinline__ int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    return __vimin3_s32(a, b, c);
}
static __device__ __forceinline__ uint32_t least_of(uint32_t a, uint32_t b, uint32_t c)
{
    return __vimin3_u16x2(a, b, c);
}
#else
static __device__ __forceinline__ int32_t least_of(int32_t a, int32_t b, int32_t c)
{
#ifdef __AMDGCN__ /* as C the compiler turns the minima of several steps into a tree, with more of \
                     the operands */
    int32_t least;
    asm("v_min3_i32 %0, %1, %2, %3" : "=v"(least) : "v"(a), "v"(b), "v"(c));
    return least;
#else
    return min(min(a, b), c);
#endif
}
#endif
static __device__ __forceinline__ float least_of(float a, float b, float c)
{
    return __int_as_float(least_of(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
}

/* The smaller one of c and the larger of a and b. */
template <class W> __device__ __forceinline__ W least_most(W c, W a, W b)
{
    return least_of(c, most_of(a, b));
}
#if defined(__GFX11__) || defined(__GFX12__)
#define GPU_LEAST_MOST /* is one instruction */
template <> __device__ __forceinline__ int32_t least_most(int32_t c, int32_t a, int32_t b)
{
    int32_t least;
    asm("v_maxmin_i32 %0, %1, %2, %3" : "=v"(least) : "v"(a), "v"(b), "v"(c));
    return least;
}
template <> __device__ __forceinline__ float least_most(float c, float a, float b)
{
    return __int_as_float(least_most(__float_as_int(c), __float_as_int(a), __float_as_int(b)));
}
#endif

#endif
