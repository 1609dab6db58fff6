/* The CPU kernels with AVX2: 12 of 16 registers accumulate. */
#include "kernels/cpu/decay.h"
#include "kernels/cpu/paths.h"
#include "kernels/cpu/relax.h"
#include "kernels/cpu/small.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#define RELAX_TARGET __attribute__((target("avx2,fma")))
#define RELAX_ISA    "avx2"
#define MR           6
#define V_ANY(v)     (!_mm256_testz_si256((__m256i)(v), (__m256i)(v)))
#define EACH_ROW(X)  X(0) X(1) X(2) X(3) X(4) X(5)

/* AVX2 compares 64-bit numbers but has no minimum of them. */
RELAX_TARGET static inline __m256i avx2_min_i64(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

RELAX_TARGET static inline __m256i avx2_max_i64(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}

/* Reals and 16-bit elements of A: see relax_avx512.c. */
RELAX_TARGET static inline __m256 avx2_min_f32(__m256 a, __m256 b)
{
    return _mm256_castsi256_ps(_mm256_min_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

RELAX_TARGET static inline __m256 avx2_max_f32(__m256 a, __m256 b)
{
    return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

#define RELAX(name)    avx2_u16_##name
#define T              uint16_t
#define T_INF          INF_U16
#define T_WEIGHT       whole
#define A              uint32_t
#define A_OF(x)        ((uint32_t)(x)*0x10001u)
#define V              __m256i
#define V_LANES        16
#define V_LOAD(p)      _mm256_loadu_si256((const __m256i_u *)(p))
#define V_STORE(p, v)  _mm256_storeu_si256((__m256i_u *)(p), v)
#define V_STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define V_SET1(x)      _mm256_set1_epi16((short)(x))
#define V_SPREAD(a)    _mm256_set1_epi32((int)*(a))
#define V_ADD(a, b)    _mm256_add_epi16(a, b)
#define V_MIN(a, b)    _mm256_min_epu16(a, b)
#define V_MAX(a, b)    _mm256_max_epu16(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx2_i32_##name
#define T              int32_t
#define T_INF          INF_I32
#define T_WEIGHT       whole
#define A              int32_t
#define A_OF(x)        (x)
#define V              __m256i
#define V_LANES        8
#define V_LOAD(p)      _mm256_loadu_si256((const __m256i_u *)(p))
#define V_STORE(p, v)  _mm256_storeu_si256((__m256i_u *)(p), v)
#define V_STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define V_SET1(x)      _mm256_set1_epi32(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm256_add_epi32(a, b)
#define V_MIN(a, b)    _mm256_min_epi32(a, b)
#define V_MAX(a, b)    _mm256_max_epi32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx2_i64_##name
#define T              int64_t
#define T_INF          INF_I64
#define T_WEIGHT       whole
#define A              int64_t
#define A_OF(x)        (x)
#define V              __m256i
#define V_LANES        4
#define V_LOAD(p)      _mm256_loadu_si256((const __m256i_u *)(p))
#define V_STORE(p, v)  _mm256_storeu_si256((__m256i_u *)(p), v)
#define V_STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define V_SET1(x)      _mm256_set1_epi64x(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm256_add_epi64(a, b)
#define V_MIN(a, b)    avx2_min_i64(a, b)
#define V_MAX(a, b)    avx2_max_i64(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx2_f32_##name
#define T              float
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              float
#define A_OF(x)        (x)
#define V              __m256
#define V_LANES        8
#define V_LOAD(p)      _mm256_loadu_ps(p)
#define V_STORE(p, v)  _mm256_storeu_ps(p, v)
#define V_STREAM(p, v) _mm256_stream_ps(p, v)
#define V_SET1(x)      _mm256_set1_ps(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm256_add_ps(a, b)
#define V_MIN(a, b)    avx2_min_f32(a, b)
#define V_MAX(a, b)    avx2_max_f32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    avx2_f64_##name
#define T              double
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              double
#define A_OF(x)        (x)
#define V              __m256d
#define V_LANES        4
#define V_LOAD(p)      _mm256_loadu_pd(p)
#define V_STORE(p, v)  _mm256_storeu_pd(p, v)
#define V_STREAM(p, v) _mm256_stream_pd(p, v)
#define V_SET1(x)      _mm256_set1_pd(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    _mm256_add_pd(a, b)
#define V_MIN(a, b)    _mm256_min_pd(a, b)
#define V_MAX(a, b)    _mm256_max_pd(a, b)
#include "kernels/cpu/relax_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT][COMBINES] = {
    [DTYPE_U16] = {&avx2_u16_sum_kernels, &avx2_u16_most_kernels},
    [DTYPE_I32] = {&avx2_i32_sum_kernels, &avx2_i32_most_kernels},
    [DTYPE_I64] = {&avx2_i64_sum_kernels, &avx2_i64_most_kernels},
    [DTYPE_F32] = {&avx2_f32_sum_kernels, &avx2_f32_most_kernels},
    [DTYPE_F64] = {&avx2_f64_sum_kernels, &avx2_f64_most_kernels},
};

const struct relax_kernels *relax_avx2(enum dtype dtype, enum combine combine)
{
    return instances[dtype][combine];
}

#define BITS_OF(width, name) avx2_bits_##width##_##name
#define BITS_BYTES           32
#define BITS_NONE(v)         _mm256_testz_si256((__m256i)(v), (__m256i)(v))
#include "kernels/cpu/bits_widths.h"

const struct bits_kernels *bits_avx2(size_t width)
{
    return bits_of_width(width);
}
/* All bits of the lanes whose bit is set. */
static const int64_t avx2_lanes[16][4] __attribute__((aligned(32))) = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1},
};
#define AVX2_MASK(bits)        _mm256_load_pd((const double *)avx2_lanes[bits])
#define PATHS(name)            avx2_paths_##name
#define PATHS_LANES            4
#define PATHS_ADD(a, bits, b)  ((a) + _mm256_and_pd(AVX2_MASK(bits), b))
#define PATHS_PICK(bits, a, b) _mm256_blendv_pd(b, a, AVX2_MASK(bits))
#include "kernels/cpu/paths_body.h"

const struct paths_kernels *paths_avx2(void)
{
    return &avx2_paths_kernels;
}

#define DECAY(name)         avx2_decay_##name
#define DECAY_REALS         4
#define DECAY_MADD(a, b, c) _mm256_fmadd_pd(a, b, c)
#include "kernels/cpu/decay_body.h"

const struct decay_kernels *decay_avx2(void)
{
    return &avx2_decay_kernels;
}

#define SMALL(name) avx2_small_##name
#include "kernels/cpu/small_body.h"

const struct small_kernels *small_avx2(void)
{
    return &avx2_small_kernels;
}
#else
const struct relax_kernels *relax_avx2(enum dtype dtype, enum combine combine)
{
    (void)dtype;
    (void)combine;
    return NULL;
}

const struct bits_kernels *bits_avx2(size_t width)
{
    (void)width;
    return NULL;
}

const struct paths_kernels *paths_avx2(void)
{
    return NULL;
}

const struct decay_kernels *decay_avx2(void)
{
    return NULL;
}

const struct small_kernels *small_avx2(void)
{
    return NULL;
}
#endif
