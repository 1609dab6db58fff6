/* The CPU kernels with AVX-512: 24 of 32 registers accumulate. */
#include "kernels/cpu/decay.h"
#include "kernels/cpu/paths.h"
#include "kernels/cpu/relax.h"
#include "kernels/cpu/small.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#define RELAX_TARGET __attribute__((target("avx512f,avx512bw")))
#define RELAX_ISA    "avx512"
#define MR           12
#define V_ANY(v)     (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) != 0)
#define EACH_ROW(X)  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

/* No distance is negative, so the bits of reals are in the order of integers, and their
 * minimum leaves the units that add reals free. */
RELAX_TARGET static inline __m512 avx512_min_f32(__m512 a, __m512 b)
{
    return _mm512_castsi512_ps(_mm512_min_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
}

RELAX_TARGET static inline __m512d avx512_min_f64(__m512d a, __m512d b)
{
    return _mm512_castsi512_pd(_mm512_min_epi64(_mm512_castpd_si512(a), _mm512_castpd_si512(b)));
}

RELAX_TARGET static inline __m512 avx512_max_f32(__m512 a, __m512 b)
{
    return _mm512_castsi512_ps(_mm512_max_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
}

RELAX_TARGET static inline __m512d avx512_max_f64(__m512d a, __m512d b)
{
    return _mm512_castsi512_pd(_mm512_max_epi64(_mm512_castpd_si512(a), _mm512_castpd_si512(b)));
}

/* A 16-bit element is held twice: 32 bits are spread by the load itself, 16 would need the unit
 * that shuffles. */
#define RELAX(name)    avx512_u16_##name
#define T              uint16_t
#define T_INF          INF_U16
#define T_WEIGHT       whole
#define A              uint32_t
#define A_OF(x)        ((uint32_t)(x)*0x10001u)
#define V              __m512i
#define V_LANES        32
#define V_LOAD(p)      _mm512_loadu_si512(p)
#define V_STORE(p, v)  _mm512_storeu_si512(p, v)
#define V_STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define V_SET1(x)      _mm512_set1_epi16((short)(x))
#define V_SPREAD(a)    _mm512_set1_epi32((int)*(a))
#define V_ADD(a, b)    _mm512_add_epi16(a, b)
#define V_MIN(a, b)    _mm512_min_epu16(a, b)
#define V_MAX(a, b)    _mm512_max_epu16(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx512_i32_##name
#define T              int32_t
#define T_INF          INF_I32
#define T_WEIGHT       whole
#define A              int32_t
#define A_OF(x)        (x)
#define V              __m512i
#define V_LANES        16
#define V_LOAD(p)      _mm512_loadu_si512(p)
#define V_STORE(p, v)  _mm512_storeu_si512(p, v)
#define V_STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define V_SET1(x)      _mm512_set1_epi32(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm512_add_epi32(a, b)
#define V_MIN(a, b)    _mm512_min_epi32(a, b)
#define V_MAX(a, b)    _mm512_max_epi32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx512_i64_##name
#define T              int64_t
#define T_INF          INF_I64
#define T_WEIGHT       whole
#define A              int64_t
#define A_OF(x)        (x)
#define V              __m512i
#define V_LANES        8
#define V_LOAD(p)      _mm512_loadu_si512(p)
#define V_STORE(p, v)  _mm512_storeu_si512(p, v)
#define V_STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define V_SET1(x)      _mm512_set1_epi64(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm512_add_epi64(a, b)
#define V_MIN(a, b)    _mm512_min_epi64(a, b)
#define V_MAX(a, b)    _mm512_max_epi64(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx512_f32_##name
#define T              float
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              float
#define A_OF(x)        (x)
#define V              __m512
#define V_LANES        16
#define V_LOAD(p)      _mm512_loadu_ps(p)
#define V_STORE(p, v)  _mm512_storeu_ps(p, v)
#define V_STREAM(p, v) _mm512_stream_ps(p, v)
#define V_SET1(x)      _mm512_set1_ps(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm512_add_ps(a, b)
#define V_MIN(a, b)    avx512_min_f32(a, b)
#define V_MAX(a, b)    avx512_max_f32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx512_f64_##name
#define T              double
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              double
#define A_OF(x)        (x)
#define V              __m512d
#define V_LANES        8
#define V_LOAD(p)      _mm512_loadu_pd(p)
#define V_STORE(p, v)  _mm512_storeu_pd(p, v)
#define V_STREAM(p, v) _mm512_stream_pd(p, v)
#define V_SET1(x)      _mm512_set1_pd(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm512_add_pd(a, b)
#define V_MIN(a, b)    avx512_min_f64(a, b)
#define V_MAX(a, b)    avx512_max_f64(a, b)
#include "kernels/cpu/relax_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT][COMBINES] = {
    [DTYPE_U16] = {&avx512_u16_sum_kernels, &avx512_u16_most_kernels},
    [DTYPE_I32] = {&avx512_i32_sum_kernels, &avx512_i32_most_kernels},
    [DTYPE_I64] = {&avx512_i64_sum_kernels, &avx512_i64_most_kernels},
    [DTYPE_F32] = {&avx512_f32_sum_kernels, &avx512_f32_most_kernels},
    [DTYPE_F64] = {&avx512_f64_sum_kernels, &avx512_f64_most_kernels},
};

const struct relax_kernels *relax_avx512(enum dtype dtype, enum combine combine)
{
    return instances[dtype][combine];
}

#define BITS_OF(width, name) avx512_bits_##width##_##name
#define BITS_BYTES           64
#define BITS_NONE(v)         (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) == 0)
#include "kernels/cpu/bits_widths.h"

const struct bits_kernels *bits_avx512(size_t width)
{
    return bits_of_width(width);
}
#define PATHS(name)            avx512_paths_##name
#define PATHS_LANES            8
#define PATHS_ADD(a, bits, b)  _mm512_mask_add_pd(a, (__mmask8)(bits), a, b)
#define PATHS_PICK(bits, a, b) _mm512_mask_mov_pd(b, (__mmask8)(bits), a)
#include "kernels/cpu/paths_body.h"

const struct paths_kernels *paths_avx512(void)
{
    return &avx512_paths_kernels;
}

#define DECAY(name)         avx512_decay_##name
#define DECAY_REALS         8
#define DECAY_MADD(a, b, c) _mm512_fmadd_pd(a, b, c)
#include "kernels/cpu/decay_body.h"

const struct decay_kernels *decay_avx512(void)
{
    return &avx512_decay_kernels;
}

#define SMALL(name) avx512_small_##name
#include "kernels/cpu/small_body.h"

const struct small_kernels *small_avx512(void)
{
    return &avx512_small_kernels;
}
#else
const struct relax_kernels *relax_avx512(enum dtype dtype, enum combine combine)
{
    (void)dtype;
    (void)combine;
    return NULL;
}

const struct bits_kernels *bits_avx512(size_t width)
{
    (void)width;
    return NULL;
}

const struct paths_kernels *paths_avx512(void)
{
    return NULL;
}

const struct decay_kernels *decay_avx512(void)
{
    return NULL;
}

const struct small_kernels *small_avx512(void)
{
    return NULL;
}
#endif
