/*
 * One instance of the kernels of decay.h. The including file defines
 *   RELAX_TARGET   as for relax_body.h
 *   DECAY(name)    the instance's name for a function
 * Loops have DECAY_BLOCK steps without branches, of which compilers make vectors.
 */
#include "kernels/cpu/decay.h"

#include "apsp.h"

#include <math.h>
#include <string.h>

enum { DECAY(lanes) = 8 };
typedef double DECAY(vector) __attribute__((vector_size(8 * DECAY(lanes))));
typedef int64_t DECAY(bits) __attribute__((vector_size(8 * DECAY(lanes))));

/* Least and largest of a type, and its values as doubles. */
#define DECAY_TYPE(name, T, inf)                                                                   \
    RELAX_TARGET static void DECAY(bounds_##name)(const T *in, size_t count, double bounds[2])     \
    {                                                                                              \
        T least[DECAY_BLOCK], most[DECAY_BLOCK];                                                   \
        for (size_t k = 0; k < DECAY_BLOCK && count < DECAY_BLOCK; k++)                            \
            least[k] = in[k < count ? k : 0];                                                      \
        in = count < DECAY_BLOCK ? least : in;                                                     \
        for (size_t k = 0; k < DECAY_BLOCK / 2; k++) {                                             \
            const T a = in[k], b = in[k + DECAY_BLOCK / 2];                                        \
            least[k] = a < b ? a : b;                                                              \
            most[k] = a > b ? a : b;                                                               \
        }                                                                                          \
        for (size_t half = DECAY_BLOCK / 4; half > 0; half /= 2)                                   \
            for (size_t k = 0; k < half; k++) {                                                    \
                least[k] = least[k + half] < least[k] ? least[k + half] : least[k];                \
                most[k] = most[k + half] > most[k] ? most[k + half] : most[k];                     \
            }                                                                                      \
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

/* The function of that name for the type. */
#define DECAY_CALL(name, ...)                                                                      \
    switch (dtype) {                                                                               \
    case DTYPE_U16:                                                                                \
        DECAY(name##_u16)(__VA_ARGS__);                                                            \
        break;                                                                                     \
    case DTYPE_I32:                                                                                \
        DECAY(name##_i32)(__VA_ARGS__);                                                            \
        break;                                                                                     \
    case DTYPE_I64:                                                                                \
        DECAY(name##_i64)(__VA_ARGS__);                                                            \
        break;                                                                                     \
    case DTYPE_F32:                                                                                \
        DECAY(name##_f32)(__VA_ARGS__);                                                            \
        break;                                                                                     \
    default:                                                                                       \
        DECAY(name##_f64)(__VA_ARGS__);                                                            \
    }

RELAX_TARGET static void DECAY(bounds)(enum dtype dtype, const void *values, size_t count,
                                       double bounds[2]){DECAY_CALL(bounds, values, count, bounds)}

RELAX_TARGET static void DECAY(widen)(enum dtype dtype, const void *values, size_t count,
                                      double to[DECAY_BLOCK])
{
    DECAY_CALL(widen, values, count, to)
}
#undef DECAY_CALL

/* Lanes are added by halves. */
RELAX_TARGET static inline double DECAY(fold)(const DECAY(vector) * lanes)
{
    double part[DECAY(lanes)];
    memcpy(part, lanes, sizeof part);
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

RELAX_TARGET static double DECAY(within)(const double *distance, double limit, const double *amount)
{
    DECAY(vector) sum = {0}, d, x;
    for (size_t k = 0; k < DECAY_BLOCK; k += DECAY(lanes)) {
        memcpy(&d, distance + k, sizeof d);
        memcpy(&x, amount + k, sizeof x);
        sum += (DECAY(vector))((DECAY(bits))x & (d <= limit));
    }
    return DECAY(fold)(&sum);
}

RELAX_TARGET static double DECAY(weigh)(const double *weight, const double *amount)
{
    DECAY(vector) sum = {0}, w, x;
    for (size_t k = 0; k < DECAY_BLOCK; k += DECAY(lanes)) {
        memcpy(&w, weight + k, sizeof w);
        memcpy(&x, amount + k, sizeof x);
        sum += w * x;
    }
    return DECAY(fold)(&sum);
}

/*
 * x becomes exp(x), for x from -690 to 690: 2^k exp(r) with |r| at most half of log 2, and the
 * series of exp(r), whose next term is below 2^-53. The sum with 1.5 * 2^52 rounds to an integer,
 * which is then in its lower bits. log 2 has two parts, so that k times the first is exact.
 */
RELAX_TARGET static inline void DECAY(exp)(DECAY(vector) * x)
{
    static const double share[] = {1.0 / 6227020800,
                                   1.0 / 479001600,
                                   1.0 / 39916800,
                                   1.0 / 3628800,
                                   1.0 / 362880,
                                   1.0 / 40320,
                                   1.0 / 5040,
                                   1.0 / 720,
                                   1.0 / 120,
                                   1.0 / 24,
                                   1.0 / 6,
                                   0.5,
                                   1,
                                   1};
    const double whole = 0x1.8p52;
    DECAY(vector) k = *x * 0x1.71547652b82fep0 + whole, power;
    const DECAY(bits) exponent = (DECAY(bits))k << 52;
    k -= whole;
    const DECAY(vector) r = (*x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    power = r * share[0] + share[1];
    for (size_t i = 2; i < sizeof share / sizeof *share; i++)
        power = power * r + share[i];
    *x = (DECAY(vector))((DECAY(bits))power + exponent);
}

/* weight = exp(-factor distance), where 0 stands for what is below 1e-290. */
RELAX_TARGET static void DECAY(exponential)(double *weight, const double *distance, double factor)
{
    const double end = 670;
    for (size_t k = 0; k < DECAY_BLOCK; k += DECAY(lanes)) {
        DECAY(vector) x;
        memcpy(&x, distance + k, sizeof x);
        x *= -factor;
        const DECAY(bits) seen = x > -end, near = seen & (x < end);
        x = (DECAY(vector))(
            ((DECAY(bits))x & near) |
            ((DECAY(bits))(DECAY(vector)){end, end, end, end, end, end, end, end} & ~near));
        DECAY(exp)(&x);
        x = (DECAY(vector))((DECAY(bits))x & seen);
        memcpy(weight + k, &x, sizeof x);
    }
}

/* By e = exp(-|x|), which is at most 1: 1 / (1 + e), or e / (1 + e) below 0. */
RELAX_TARGET static void DECAY(logistic)(double *weight, const double *distance, double middle,
                                         double factor)
{
    double size[DECAY_BLOCK], e[DECAY_BLOCK];
    for (size_t k = 0; k < DECAY_BLOCK; k++)
        size[k] = fabs(distance[k] - middle);
    DECAY(exponential)(e, size, factor);
    for (size_t k = 0; k < DECAY_BLOCK; k++)
        weight[k] = (distance[k] > middle ? e[k] : 1) / (1 + e[k]);
}

static const struct decay_kernels DECAY(kernels) = {
    .bounds = DECAY(bounds),
    .widen = DECAY(widen),
    .within = DECAY(within),
    .weigh = DECAY(weigh),
    .exponential = DECAY(exponential),
    .logistic = DECAY(logistic),
};
#undef DECAY
