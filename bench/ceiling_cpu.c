/*
 * ceiling_cpu [ISA] [THREADS] [TYPE]: the most relaxations (one add and one min each) of a type
 * (i32, the default, or u16) per second that this processor does with an instruction set (avx512,
 * avx2 or plain; default: the widest there is). Prints one number, in G/s.
 *
 * Operands and accumulators stay in registers and there is no memory traffic, so that only the
 * vector units count. The accumulators fill the register file but for operands and one temporary:
 * enough independent chains to cover the latency, and no spills.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_4(X)  X(0) X(1) X(2) X(3)
#define ROWS_6(X)  ROWS_4(X) X(4) X(5)
#define ROWS_12(X) ROWS_6(X) X(6) X(7) X(8) X(9) X(10) X(11)

#define MAKE(i) V c##i##_0 = SET1(rand()), c##i##_1 = SET1(rand());
#define STEP(i)                                                                                    \
    c##i##_0 = MIN(c##i##_0, ADD(a, b0));                                                          \
    c##i##_1 = MIN(c##i##_1, ADD(a, b1));                                                          \
    __asm__ volatile("" : "+" REGISTER(a));
#define FOLD(i) sum = ADD(sum, ADD(c##i##_0, c##i##_1));
/* The empty assembly makes the compiler believe that the operands change. */
#define KERNEL(name, TARGET, ROWS)                                                                 \
    TARGET static int32_t name(long steps)                                                         \
    {                                                                                              \
        V a = SET1(rand()), b0 = SET1(rand()), b1 = SET1(rand()), sum = SET1(0);                   \
        int32_t first;                                                                             \
        ROWS(MAKE)                                                                                 \
        for (long i = 0; i < steps; i++) {                                                         \
            ROWS(STEP)                                                                             \
            __asm__ volatile("" : "+" REGISTER(b0), "+" REGISTER(b1));                             \
        }                                                                                          \
        ROWS(FOLD)                                                                                 \
        memcpy(&first, &sum, sizeof first);                                                        \
        return first;                                                                              \
    }

typedef int32_t plain_v __attribute__((vector_size(16)));
typedef uint16_t plain_w __attribute__((vector_size(16)));

static inline plain_v plain_min(plain_v a, plain_v b)
{
    plain_v less = a < b;
    return (a & less) | (b & ~less);
}

static inline plain_w plain_min_u16(plain_w a, plain_w b)
{
    plain_w less = (plain_w)(a < b);
    return (a & less) | (b & ~less);
}

#if defined(__x86_64__)
#define REGISTER(v) "v"(v)
#else
#define REGISTER(v) "w"(v)
#endif

#define V         plain_v
#define SET1(x)   ((x) - (V){0})
#define ADD(x, y) ((x) + (y))
#define MIN(x, y) plain_min(x, y)
KERNEL(plain, , ROWS_4)
#undef V
#undef SET1
#undef MIN
#define V         plain_w
#define SET1(x)   ((uint16_t)(x) - (V){0})
#define MIN(x, y) plain_min_u16(x, y)
KERNEL(plain_u16, , ROWS_4)
#undef V
#undef SET1
#undef ADD
#undef MIN

#if defined(__x86_64__)
#include <immintrin.h>
#define V         __m256i
#define SET1(x)   _mm256_set1_epi32(x)
#define ADD(x, y) _mm256_add_epi32(x, y)
#define MIN(x, y) _mm256_min_epi32(x, y)
KERNEL(avx2, __attribute__((target("avx2"))), ROWS_6)
#undef SET1
#undef ADD
#undef MIN
#define SET1(x)   _mm256_set1_epi16((short)(x))
#define ADD(x, y) _mm256_add_epi16(x, y)
#define MIN(x, y) _mm256_min_epu16(x, y)
KERNEL(avx2_u16, __attribute__((target("avx2"))), ROWS_6)
#undef V
#undef SET1
#undef ADD
#undef MIN
#define V         __m512i
#define SET1(x)   _mm512_set1_epi32(x)
#define ADD(x, y) _mm512_add_epi32(x, y)
#define MIN(x, y) _mm512_min_epi32(x, y)
KERNEL(avx512, __attribute__((target("avx512f"))), ROWS_12)
#undef SET1
#undef ADD
#undef MIN
#define SET1(x)   _mm512_set1_epi16((short)(x))
#define ADD(x, y) _mm512_add_epi16(x, y)
#define MIN(x, y) _mm512_min_epu16(x, y)
KERNEL(avx512_u16, __attribute__((target("avx512f,avx512bw"))), ROWS_12)
#endif

static const struct {
    const char *name, *type;
    int32_t (*kernel)(long steps);
    int lanes, rows;
} kernels[] = {
#if defined(__x86_64__)
    {"avx512", "i32", avx512, 16, 12}, {"avx512", "u16", avx512_u16, 32, 12},
    {"avx2", "i32", avx2, 8, 6},       {"avx2", "u16", avx2_u16, 16, 6},
#endif
    {"plain", "i32", plain, 4, 4},     {"plain", "u16", plain_u16, 8, 4},
};

enum { KERNELS = sizeof kernels / sizeof kernels[0], PASSES = 5 };

static int supported(int i)
{
#if defined(__x86_64__)
    if (strcmp(kernels[i].name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if (strcmp(kernels[i].name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return strcmp(kernels[i].name, "plain") == 0;
}

/* The best of a few passes of about 0.1 s. */
static double rate(int i, int threads)
{
    long steps = 200000000L / kernels[i].rows / 2;
    double best = 0;
    int32_t sink = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        double start = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(^ : sink)
        sink ^= kernels[i].kernel(steps);
        double seconds = omp_get_wtime() - start;
        double done = 2.0 * kernels[i].rows * kernels[i].lanes * (double)steps * threads;
        best = done / seconds > best ? done / seconds : best;
    }
    return sink == 1 ? best * (1 + 1e-12) : best;
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[2]) : omp_get_max_threads();
    const char *type = argc > 3 ? argv[3] : "i32";
    for (int i = 0; i < KERNELS; i++)
        if (supported(i) && strcmp(type, kernels[i].type) == 0 &&
            (argc < 2 || strcmp(argv[1], kernels[i].name) == 0)) {
            printf("%.2f\n", rate(i, threads > 0 ? threads : 1) / 1e9);
            return 0;
        }
    fprintf(stderr, "usage: ceiling_cpu [avx512|avx2|plain] [THREADS] [i32|u16], an instruction "
                    "set of this processor\n");
    return 2;
}
