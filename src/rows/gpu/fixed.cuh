/* Sums whose terms meet in any order (base/fixed.h), by the lanes of a warp. */
#ifndef ROWS_GPU_FIXED_CUH
#define ROWS_GPU_FIXED_CUH

#include "kernels/gpu/team.cuh"

extern "C" {
#include "base/fixed.h"
}

namespace
{

enum {
    FETCHES = 4,       /* sums, or rows, under way at once */
    PLACE_TAKEN = 0x80 /* a byte of places: there is a sum, with this number below 64 */
};

/* Each operation rounds, as on cores. */
__device__ __forceinline__ double add(double a, double b)
{
#ifdef __HIP_PLATFORM_AMD__
#pragma clang fp contract(off)
    return a + b;
#else
    return __dadd_rn(a, b);
#endif
}

__device__ __forceinline__ double multiply(double a, double b)
{
#ifdef __HIP_PLATFORM_AMD__
#pragma clang fp contract(off)
    return a * b;
#else
    return __dmul_rn(a, b);
#endif
}

/* The integers of a term (base/fixed.h), as reals. */
struct rounded {
    double coarse, fine;

    __device__ void add_term(const struct fixed &fixed, double term)
    {
        const double most = add(add(term, fixed.coarse_round), -fixed.coarse_round),
                     rest = add(term, -most);
        coarse = add(coarse, most);
        fine = add(fine, add(add(rest, fixed.fine_round), -fixed.fine_round));
    }
};

/* The value of the lane whose number differs in this bit. */
__device__ __forceinline__ double from_lane(double value, int bit)
{
    const uint64_t bits = (uint64_t)__double_as_longlong(value);
    const uint64_t other = (uint64_t)(uint32_t)team_xor((int)(bits >> 32), bit) << 32 |
                           (uint32_t)team_xor((int)bits, bit);
    return __longlong_as_double((long long)other);
}

__device__ __forceinline__ double add_lanes(double value)
{
    for (int lanes = team_lanes / 2; lanes > 0; lanes /= 2)
        value = add(value, from_lane(value, lanes));
    return value;
}

__device__ __forceinline__ void add_whole(int64_t *to, double value, double factor)
{
    atomicAdd((unsigned long long *)to, (unsigned long long)(long long)(value * factor));
}

/* The terms of all lanes go to a sum. */
__device__ __forceinline__ void add_sum(const struct fixed &fixed, struct fixed_sum *sum,
                                        const rounded &terms)
{
    const double coarse = add_lanes(terms.coarse), fine = add_lanes(terms.fine);
    if (team_lane() > 0)
        return;
    add_whole(&sum->coarse, coarse, fixed.coarse_factor);
    add_whole(&sum->fine, fine, fixed.fine_factor);
}

/* The terms of all lanes go to FETCHES sums, each at the place that a byte of `places` tells, if
 * any. In each of three steps a lane hands half of its values to another one, and takes the other
 * half. It ends with one of them. */
__device__ __forceinline__ void add_sums(const struct fixed &fixed, struct fixed_sum *sum,
                                         uint32_t places, const rounded *terms)
{
    static_assert(FETCHES == 4, "eight values");
    double value[2 * FETCHES];
    int lanes = team_lanes / 2, own = 0;
#pragma unroll
    for (int f = 0; f < FETCHES; f++) {
        value[2 * f] = terms[f].coarse;
        value[2 * f + 1] = terms[f].fine;
    }
#pragma unroll
    for (int half = FETCHES; half > 0; half /= 2, lanes /= 2) {
        const bool upper = team_lane() & lanes;
        own += upper ? half : 0;
#pragma unroll
        for (int i = 0; i < half; i++)
            value[i] = add(upper ? value[i + half] : value[i],
                           from_lane(upper ? value[i] : value[i + half], lanes));
    }
    for (; lanes > 0; lanes /= 2)
        value[0] = add(value[0], from_lane(value[0], lanes));
    const uint32_t place = places >> own / 2 * 8 & 0xff;
    if (!(place & PLACE_TAKEN) || team_lane() % (team_lanes / (2 * FETCHES)) != 0)
        return;
    struct fixed_sum *at = sum + (place & ~PLACE_TAKEN);
    const bool coarse = own % 2 == 0;
    add_whole(coarse ? &at->coarse : &at->fine, value[0],
              coarse ? fixed.coarse_factor : fixed.fine_factor);
}

} // namespace

#endif
