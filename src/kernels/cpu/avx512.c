/* The CPU kernels with AVX-512: 24 of 32 registers accumulate. */
#include "kernels/cpu/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#define RELAX_TARGET __attribute__((target("avx512f,avx512bw")))
#define RELAX_ISA    "avx512"
#define MR           12
#define EACH_ROW(X)  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define ISA(name)    avx512_##name
#define ISA_KERNELS  isa_avx512

static bool avx512_supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

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

RELAX_TARGET static inline __m512i avx512_some(size_t bytes, uint64_t bits, __m512i v)
{
    return bytes == 2   ? _mm512_maskz_mov_epi16((__mmask32)bits, v)
           : bytes == 4 ? _mm512_maskz_mov_epi32((__mmask16)bits, v)
                        : _mm512_maskz_mov_epi64((__mmask8)bits, v);
}

#define V_BYTES                64
#define V_16                   32
#define V_32                   16
#define V_64                   8
#define V_WHOLE                __m512i
#define V_F32                  __m512
#define V_F64                  __m512d
#define V_ANY(v)               (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) != 0)
#define V_STREAM(p, v)         _mm512_stream_si512((void *)(p), (__m512i)(v))
#define V_SOME(bytes, bits, v) (V) avx512_some(bytes, bits, (__m512i)(v))
#define V_MIN_U16(a, b)        _mm512_min_epu16(a, b)
#define V_MAX_U16(a, b)        _mm512_max_epu16(a, b)
#define V_MIN_I32(a, b)        _mm512_min_epi32(a, b)
#define V_MAX_I32(a, b)        _mm512_max_epi32(a, b)
#define V_MIN_I64(a, b)        _mm512_min_epi64(a, b)
#define V_MAX_I64(a, b)        _mm512_max_epi64(a, b)
#define V_MIN_F32(a, b)        avx512_min_f32(a, b)
#define V_MAX_F32(a, b)        avx512_max_f32(a, b)
#define V_MIN_F64(a, b)        avx512_min_f64(a, b)
#define V_MAX_F64(a, b)        avx512_max_f64(a, b)
/* A 16-bit element is held twice: 32 bits are spread by the load itself, 16 would need the unit
 * that shuffles. */
#define A_U16         uint32_t
#define A_OF_U16(x)   ((uint32_t)(x)*0x10001u)
#define SPREAD_U16(a) _mm512_set1_epi32((int)*(a))
#define BITS_NONE(v)  (!V_ANY(v))

#define PATHS_ADD(a, bits, b)  _mm512_mask_add_pd(a, (__mmask8)(bits), a, b)
#define PATHS_PICK(bits, a, b) _mm512_mask_mov_pd(b, (__mmask8)(bits), a)
#define DECAY_MADD(a, b, c)    _mm512_fmadd_pd(a, b, c)
#include "kernels/cpu/isa_body.h"
#else
const struct isa isa_avx512 = {.name = "avx512"};
#endif
