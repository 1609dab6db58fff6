/* The CPU kernels with AVX2: 12 of 16 registers accumulate. */
#include "relax_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define RELAX(name)   avx2_i32_##name
#define RELAX_TARGET  __attribute__((target("avx2")))
#define RELAX_ISA     "avx2"
#define T             int32_t
#define T_INF         INF_I32
#define V             __m256i
#define V_LANES       8
#define V_LOAD(p)     _mm256_loadu_si256((const __m256i_u *)(p))
#define V_STORE(p, v) _mm256_storeu_si256((__m256i_u *)(p), v)
#define V_SET1(x)     _mm256_set1_epi32(x)
#define V_ADD(a, b)   _mm256_add_epi32(a, b)
#define V_MIN(a, b)   _mm256_min_epi32(a, b)
#define MR            6
#define EACH_ROW(X)   X(0) X(1) X(2) X(3) X(4) X(5)
#include "relax_cpu_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT] = {[DTYPE_I32] = &avx2_i32_kernels};

const struct relax_kernels *relax_avx2(enum dtype dtype)
{
    return instances[dtype];
}
#else
const struct relax_kernels *relax_avx2(enum dtype dtype)
{
    (void)dtype;
    return NULL;
}
#endif
