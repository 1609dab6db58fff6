/* The CPU kernels with AVX2: 12 of 16 registers accumulate. */
#include "kernels/cpu/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#define RELAX_TARGET __attribute__((target("avx2,fma")))
#define RELAX_ISA    "avx2"
#define MR           6
#define EACH_ROW(X)  X(0) X(1) X(2) X(3) X(4) X(5)
#define ISA(name)    avx2_##name
#define ISA_KERNELS  isa_avx2

static bool avx2_supported(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* AVX2 compares 64-bit numbers but has no minimum of them. */
RELAX_TARGET static inline __m256i avx2_min_i64(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

RELAX_TARGET static inline __m256i avx2_max_i64(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}

/* Reals and 16-bit elements of A: see avx512.c. */
RELAX_TARGET static inline __m256 avx2_min_f32(__m256 a, __m256 b)
{
    return _mm256_castsi256_ps(_mm256_min_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

RELAX_TARGET static inline __m256 avx2_max_f32(__m256 a, __m256 b)
{
    return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

/* All bits of the lanes whose bit is set. */
static const int64_t avx2_lanes[16][4] __attribute__((aligned(32))) = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1},
};

#define V_BYTES         32
#define V_16            16
#define V_32            8
#define V_64            4
#define V_WHOLE         __m256i
#define V_F32           __m256
#define V_F64           __m256d
#define V_ANY(v)        (!BITS_NONE(v))
#define V_STREAM(p, v)  _mm256_stream_si256((__m256i *)(void *)(p), (__m256i)(v))
#define V_MIN_U16(a, b) _mm256_min_epu16(a, b)
#define V_MAX_U16(a, b) _mm256_max_epu16(a, b)
#define V_MIN_I32(a, b) _mm256_min_epi32(a, b)
#define V_MAX_I32(a, b) _mm256_max_epi32(a, b)
#define V_MIN_I64(a, b) avx2_min_i64(a, b)
#define V_MAX_I64(a, b) avx2_max_i64(a, b)
#define V_MIN_F32(a, b) avx2_min_f32(a, b)
#define V_MAX_F32(a, b) avx2_max_f32(a, b)
#define V_MIN_F64(a, b) _mm256_min_pd(a, b)
#define V_MAX_F64(a, b) _mm256_max_pd(a, b)
#define A_U16           uint32_t
#define A_OF_U16(x)     ((uint32_t)(x)*0x10001u)
#define SPREAD_U16(a)   _mm256_set1_epi32((int)*(a))
#define BITS_NONE(v)    _mm256_testz_si256((__m256i)(v), (__m256i)(v))

#define AVX2_MASK(bits)        _mm256_load_pd((const double *)avx2_lanes[bits])
#define PATHS_ADD(a, bits, b)  ((a) + _mm256_and_pd(AVX2_MASK(bits), b))
#define PATHS_PICK(bits, a, b) _mm256_blendv_pd(b, a, AVX2_MASK(bits))
#define DECAY_MADD(a, b, c)    _mm256_fmadd_pd(a, b, c)
#include "kernels/cpu/isa_body.h"
#else
const struct isa isa_avx2 = {.name = "avx2"};
#endif
