/*
 * One instance of the kernels of decay.h. The including file defines
 *   RELAX_TARGET   as for relax_body.h
 *   DECAY(name)    the instance's name for a function
 *   DECAY_REALS    the doubles of a register
 *   DECAY_MADD     a b + c of vectors of these
 * Loops have DECAY_BLOCK steps without branches, of which compilers make vectors.
 */
#include "kernels/cpu/decay.h"

#include "apsp.h"

#include <math.h>
#include <string.h>

typedef double DECAY(reals) __attribute__((vector_size(8 * DECAY_REALS)));
typedef int64_t DECAY(bits) __attribute__((vector_size(8 * DECAY_REALS)));
/* Sums at a time; and vectors that take the same steps side by side, since each step waits for the
 * one before. */
enum { DECAY(kinds) = 4, DECAY(side) = 2 };
#define EACH for (size_t v = 0; v < DECAY(side); v++)

/* The lesser and the larger of each of the first `half` entries and those behind them. */
#define DECAY_HALF(half)                                                                           \
    for (size_t k = 0; k < (half); k++) {                                                          \
        least[k] = least[k + (half)] < least[k] ? least[k + (half)] : least[k];                    \
        most[k] = most[k + (half)] > most[k] ? most[k + (half)] : most[k];                         \
    }

/* Least and largest of a type, and its values as doubles. */
#define DECAY_TYPE(name, T, inf)                                                                   \
    RELAX_TARGET static void DECAY(bounds_##name)(const T *in, size_t count, double bounds[2])     \
    {                                                                                              \
        T all[DECAY_BLOCK], least[DECAY_BLOCK / 2], most[DECAY_BLOCK / 2];                         \
        for (size_t k = 0; k < DECAY_BLOCK && count < DECAY_BLOCK; k++)                            \
            all[k] = in[k < count ? k : 0];                                                        \
        in = count < DECAY_BLOCK ? all : in;                                                       \
        for (size_t k = 0; k < DECAY_BLOCK / 2; k++) {                                             \
            const T a = in[k], b = in[k + DECAY_BLOCK / 2];                                        \
            least[k] = a < b ? a : b;                                                              \
            most[k] = a > b ? a : b;                                                               \
        }                                                                                          \
        DECAY_HALF(16)                                                                             \
        DECAY_HALF(8)                                                                              \
        DECAY_HALF(4)                                                                              \
        DECAY_HALF(2)                                                                              \
        DECAY_HALF(1)                                                                              \
        bounds[0] = least[0] < (inf) ? (double)least[0] : (double)INFINITY;                        \
        bounds[1] = most[0] < (inf) ? (double)most[0] : (double)INFINITY;                          \
    }                                                                                              \
    RELAX_TARGET static void DECAY(widen_##name)(const T *in, size_t count, double *to)            \
    {                                                                                              \
        T all[DECAY_BLOCK];                                                                        \
        for (size_t k = 0; k < DECAY_BLOCK && count < DECAY_BLOCK; k++)                            \
            all[k] = k < count ? in[k] : (inf);                                                    \
        in = count < DECAY_BLOCK ? all : in;                                                       \
        for (size_t k = 0; k < DECAY_BLOCK; k++)                                                   \
            to[k] = in[k] < (inf) ? (double)in[k] : (double)INFINITY;                              \
    }

DECAY_TYPE(u16, uint16_t, APSP_UNREACHABLE_U16)
DECAY_TYPE(i32, int32_t, INF_I32)
DECAY_TYPE(i64, int64_t, INF_I64)
DECAY_TYPE(f32, float, (float)INFINITY)
DECAY_TYPE(f64, double, (double)INFINITY)
#undef DECAY_TYPE
#undef DECAY_HALF

/* The function of that name for the type; before it stands DECAY, or what takes its result. */
#define DECAY_CALL(call, name, ...)                                                                \
    switch (dtype) {                                                                               \
    case DTYPE_U16:                                                                                \
        call(name##_u16)(__VA_ARGS__);                                                             \
        break;                                                                                     \
    case DTYPE_I32:                                                                                \
        call(name##_i32)(__VA_ARGS__);                                                             \
        break;                                                                                     \
    case DTYPE_I64:                                                                                \
        call(name##_i64)(__VA_ARGS__);                                                             \
        break;                                                                                     \
    case DTYPE_F32:                                                                                \
        call(name##_f32)(__VA_ARGS__);                                                             \
        break;                                                                                     \
    default:                                                                                       \
        call(name##_f64)(__VA_ARGS__);                                                             \
    }

RELAX_TARGET static void DECAY(bounds)(enum dtype dtype, const void *values, size_t count,
                                       double bounds[2]){
    DECAY_CALL(DECAY, bounds, values, count, bounds)}

RELAX_TARGET
    static void DECAY(widen)(enum dtype dtype, const void *values, size_t count,
                             double to[DECAY_BLOCK]){DECAY_CALL(DECAY, widen, values, count, to)}

RELAX_TARGET static void DECAY(between)(double *weight, const double *distance, size_t count,
                                        double low, double high)
{
    const DECAY(reals) one = 1 - (DECAY(reals)){0};
    for (size_t k = 0; k < count; k += DECAY_REALS) {
        DECAY(reals) d;
        memcpy(&d, distance + k, sizeof d);
        d = (DECAY(reals))((DECAY(bits))one & (d > low) & (d <= high));
        memcpy(weight + k, &d, sizeof d);
    }
}

/* Some parts of the sums of `count` kinds, which is a constant. */
RELAX_TARGET static inline __attribute__((always_inline)) void
DECAY(weigh_some)(const double *weight, const double *amount, size_t count, double *sum)
{
    DECAY(reals) part[DECAY(kinds)], w, x;
    for (size_t c = 0; c < count; c++)
        memcpy(&part[c], sum + c * DECAY_LANES, sizeof part[c]);
    for (size_t k = 0; k < DECAY_BLOCK; k += DECAY_LANES) {
        memcpy(&w, weight + k, sizeof w);
        for (size_t c = 0; c < count; c++) {
            memcpy(&x, amount + c * DECAY_BLOCK + k, sizeof x);
            part[c] = DECAY_MADD(w, x, part[c]);
        }
    }
    for (size_t c = 0; c < count; c++)
        memcpy(sum + c * DECAY_LANES, &part[c], sizeof part[c]);
}

RELAX_TARGET static void DECAY(weigh)(const double *weight, const double *amount, size_t kinds,
                                      double *sum)
{
    for (size_t i = 0; i < DECAY_LANES; i += DECAY_REALS) {
        size_t c = 0;
        for (; c + DECAY(kinds) <= kinds; c += DECAY(kinds))
            DECAY(weigh_some)
        (weight + i, amount + c * DECAY_BLOCK + i, DECAY(kinds), sum + c * DECAY_LANES + i);
        for (; c < kinds; c++)
            DECAY(weigh_some)
        (weight + i, amount + c * DECAY_BLOCK + i, 1, sum + c * DECAY_LANES + i);
    }
}

/*
 * x becomes exp(x), for x from -690 to 690: 2^k exp(r) with |r| at most half of log 2. exp(r) is
 * its interpolation in 11 points of Chebyshev, with a relative error below 4e-16, by G. Estrin's
 * scheme, whose steps wait less for one another. The sum with 1.5 * 2^52 rounds to an integer,
 * which is then in its lower bits. log 2 has two parts, so that k times the first is exact.
 */
/* x times a number, plus y. */
#define DECAY_SUM(x, number, y) DECAY_MADD(x, (number)-zero, y)
RELAX_TARGET static inline __attribute__((always_inline)) void DECAY(exp)(DECAY(reals) * x)
{
    const double whole = 0x1.8p52;
    const DECAY(reals) zero = {0};
    DECAY(reals) k[DECAY(side)], r[DECAY(side)], r2[DECAY(side)], p[DECAY(side)], q[DECAY(side)];
    DECAY(bits) exponent[DECAY(side)];
    EACH k[v] = x[v] * 0x1.71547652b82fep0 + whole;
    EACH exponent[v] = (DECAY(bits))k[v] << 52;
    EACH k[v] -= whole;
    EACH r[v] =
        DECAY_SUM(k[v], -0x1.a39ef35793c76p-33, DECAY_SUM(k[v], -0x1.62e42fee00000p-1, x[v]));
    EACH r2[v] = r[v] * r[v];
    EACH p[v] = DECAY_SUM(r2[v], 0x1.28a2c0a99e1f7p-22,
                          DECAY_SUM(r[v], 0x1.72faf02873319p-19, 0x1.a019a66a7378bp-16 - zero));
    EACH q[v] =
        DECAY_MADD(DECAY_SUM(r[v], 0x1.a01978c6b760ep-13, 0x1.6c16c17f43a64p-10 - zero), r2[v],
                   DECAY_SUM(r[v], 0x1.1111112dd67d7p-7, 0x1.55555555520afp-5 - zero));
    EACH p[v] = DECAY_MADD(p[v], r2[v] * r2[v], q[v]);
    EACH q[v] = DECAY_MADD(DECAY_SUM(r[v], 0x1.555555554b757p-3, 0x1.0000000000005p-1 - zero),
                           r2[v], DECAY_SUM(r[v], 0x1.000000000001ep+0, 1 - zero));
    EACH p[v] = DECAY_MADD(p[v], r2[v] * r2[v], q[v]);
    EACH x[v] = (DECAY(reals))((DECAY(bits))p[v] + exponent[v]);
}

/* x becomes exp(-factor x), where 0 stands for what is below 1e-290. */
RELAX_TARGET static inline __attribute__((always_inline)) void DECAY(fall)(DECAY(reals) * x,
                                                                           double factor)
{
    const double end = 670;
    const DECAY(reals) ends = end - (DECAY(reals)){0};
    DECAY(bits) seen[DECAY(side)], near[DECAY(side)];
    EACH x[v] *= -factor;
    EACH seen[v] = x[v] > -end;
    EACH near[v] = seen[v] & (x[v] < end);
    EACH x[v] = (DECAY(reals))(((DECAY(bits))x[v] & near[v]) | ((DECAY(bits))ends & ~near[v]));
    DECAY(exp)(x);
    EACH x[v] = (DECAY(reals))((DECAY(bits))x[v] & seen[v]);
}

/* GCC copies more than one vector in halves, and a vector that is read after that has to wait. */
RELAX_TARGET static void DECAY(exponential)(double *weight, const double *distance, size_t count,
                                            double factor)
{
    for (size_t k = 0; k < count; k += DECAY(side) * DECAY_REALS) {
        DECAY(reals) x[DECAY(side)];
        EACH memcpy(&x[v], distance + k + v * DECAY_REALS, sizeof x[v]);
        DECAY(fall)(x, factor);
        EACH memcpy(weight + k + v * DECAY_REALS, &x[v], sizeof x[v]);
    }
}

/* By e = exp(-|x|), which is at most 1: 1 / (1 + e), or e / (1 + e) beyond the middle. */
RELAX_TARGET static void DECAY(logistic)(double *weight, const double *distance, size_t count,
                                         double middle, double factor)
{
    const DECAY(reals) one = 1 - (DECAY(reals)){0};
    for (size_t k = 0; k < count; k += DECAY(side) * DECAY_REALS) {
        DECAY(reals) x[DECAY(side)];
        DECAY(bits) far[DECAY(side)];
        EACH memcpy(&x[v], distance + k + v * DECAY_REALS, sizeof x[v]);
        EACH far[v] = x[v] > middle;
        EACH x[v] = (DECAY(reals))((DECAY(bits))(x[v] - middle) & INT64_MAX);
        DECAY(fall)(x, factor);
        EACH x[v] = (DECAY(reals))(((DECAY(bits))x[v] & far[v]) | ((DECAY(bits))one & ~far[v])) /
                    (1 + x[v]);
        EACH memcpy(weight + k + v * DECAY_REALS, &x[v], sizeof x[v]);
    }
}
#undef EACH

#include "kernels/cpu/decay_side_body.h"
#undef DECAY_CALL

static const struct decay_kernels DECAY(kernels) = {
    .bounds = DECAY(bounds),
    .widen = DECAY(widen),
    .between = DECAY(between),
    .weigh = DECAY(weigh),
    .exponential = DECAY(exponential),
    .logistic = DECAY(logistic),
    .side_widen = DECAY(side_widen),
    .side_offset = DECAY(side_offset),
    .side_alike = DECAY(side_alike),
    .side_class = DECAY(side_class),
    .side_row = DECAY(side_row),
    .side_expand = DECAY(side_expand),
    .side_moments = DECAY(side_moments),
    .side_weigh = DECAY(side_weigh),
    .side_series = DECAY(side_series),
    .series_exponential = DECAY(series_exponential),
    .series_logistic = DECAY(series_logistic),
};
#undef DECAY
