/* The CPU kernels with AVX-512: 24 of 32 registers accumulate. */
#include "relax_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define RELAX(name)   avx512_i32_##name
#define RELAX_TARGET  __attribute__((target("avx512f,avx512bw")))
#define RELAX_ISA     "avx512"
#define T             int32_t
#define T_INF         INF_I32
#define V             __m512i
#define V_LANES       16
#define V_LOAD(p)     _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_SET1(x)     _mm512_set1_epi32(x)
#define V_ADD(a, b)   _mm512_add_epi32(a, b)
#define V_MIN(a, b)   _mm512_min_epi32(a, b)
#define MR            12
#define EACH_ROW(X)   X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#include "relax_cpu_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT] = {[DTYPE_I32] = &avx512_i32_kernels};

const struct relax_kernels *relax_avx512(enum dtype dtype)
{
    return instances[dtype];
}
#else
const struct relax_kernels *relax_avx512(enum dtype dtype)
{
    (void)dtype;
    return NULL;
}
#endif
