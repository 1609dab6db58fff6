/*
 * The part of decay_body.h, which includes it, for rows side by side: DECAY_SIDE targets, each with
 * `width` distances. All loops take as many rows at a time as a register has doubles.
 */

/* T becomes a double by way of B. Infinity of an integer type is a large number first. */
#define DECAY_SIDE_TYPE(name, T, B, inf)                                                           \
    RELAX_TARGET static void DECAY(side_widen_##name)(const T *in, size_t width, size_t count,     \
                                                      double *to, double *low, double *high)       \
    {                                                                                              \
        typedef T few __attribute__((vector_size(sizeof(T) * DECAY_REALS)));                       \
        typedef B between __attribute__((vector_size(sizeof(B) * DECAY_REALS)));                   \
        const double none = (double)(inf);                                                         \
        for (size_t r = 0; r < width; r += DECAY_REALS) {                                          \
            DECAY(reals) least, most, d;                                                           \
            few x;                                                                                 \
            memcpy(&least, low + r, sizeof least);                                                 \
            memcpy(&most, high + r, sizeof most);                                                  \
            for (size_t v = 0; v < count; v++) {                                                   \
                memcpy(&x, in + v * width + r, sizeof x);                                          \
                d = __builtin_convertvector(__builtin_convertvector(x, between), DECAY(reals));    \
                memcpy(to + v * width + r, &d, sizeof d);                                          \
                DECAY(side_bounds)(&least, &most, d);                                              \
            }                                                                                      \
            DECAY(side_infinite)(&least, none);                                                    \
            if (DECAY(side_infinite)(&most, none))                                                 \
                for (size_t v = 0; v < count; v++) {                                               \
                    memcpy(&d, to + v * width + r, sizeof d);                                      \
                    DECAY(side_infinite)(&d, none);                                                \
                    memcpy(to + v * width + r, &d, sizeof d);                                      \
                }                                                                                  \
            memcpy(low + r, &least, sizeof least);                                                 \
            memcpy(high + r, &most, sizeof most);                                                  \
        }                                                                                          \
    }

RELAX_TARGET static inline __attribute__((always_inline)) void
DECAY(side_bounds)(DECAY(reals) * least, DECAY(reals) * most, DECAY(reals) d)
{
    const DECAY(bits) less = d<*least, more = d> * most;
    *least = (DECAY(reals))(((DECAY(bits))d & less) | ((DECAY(bits)) * least & ~less));
    *most = (DECAY(reals))(((DECAY(bits))d & more) | ((DECAY(bits)) * most & ~more));
}

/* Numbers from `none` on become infinite; whether there are any. */
RELAX_TARGET static inline __attribute__((always_inline)) bool
DECAY(side_infinite)(DECAY(reals) * d, double none)
{
    bool any = false;
    for (size_t r = 0; r < DECAY_REALS; r++)
        any |= (*d)[r] >= none;
    for (size_t r = 0; any && r < DECAY_REALS; r++)
        (*d)[r] = (*d)[r] >= none ? (double)INFINITY : (*d)[r];
    return any;
}

DECAY_SIDE_TYPE(u16, uint16_t, int32_t, APSP_UNREACHABLE_U16)
DECAY_SIDE_TYPE(i32, int32_t, int32_t, INF_I32)
DECAY_SIDE_TYPE(i64, int64_t, int64_t, INF_I64)
DECAY_SIDE_TYPE(f32, float, float, INFINITY)
DECAY_SIDE_TYPE(f64, double, double, INFINITY)
#undef DECAY_SIDE_TYPE

RELAX_TARGET static void DECAY(side_widen)(enum dtype dtype, const void *values, size_t width,
                                           size_t count, double *to, double *low, double *high){
    DECAY_CALL(side_widen, values, width, count, to, low, high)}

/* The sums of `count` kinds, which is a constant, of one vector of rows. */
RELAX_TARGET static inline
    __attribute__((always_inline)) void DECAY(side_some)(const double *weight, size_t width,
                                                         const double *amount, size_t kinds,
                                                         size_t count, double *sum)
{
    DECAY(reals) part[DECAY(kinds)] = {{0}}, w;
    for (size_t v = 0; v < DECAY_SIDE; v++) {
        memcpy(&w, weight + v * width, sizeof w);
        for (size_t c = 0; c < count; c++)
            part[c] = DECAY_MADD(w, amount[v * kinds + c] - (DECAY(reals)){0}, part[c]);
    }
    for (size_t c = 0; c < count; c++) {
        memcpy(&w, sum + c * width, sizeof w);
        w += part[c];
        memcpy(sum + c * width, &w, sizeof w);
    }
}

RELAX_TARGET static void DECAY(side_weigh)(const double *weight, size_t width, const double *amount,
                                           size_t kinds, double *sum)
{
    for (size_t r = 0; r < width; r += DECAY_REALS) {
        size_t c = 0;
        for (; c + DECAY(kinds) <= kinds; c += DECAY(kinds))
            DECAY(side_some)
        (weight + r, width, amount + c, kinds, DECAY(kinds), sum + c * width + r);
        for (; c < kinds; c++)
            DECAY(side_some)(weight + r, width, amount + c, kinds, 1, sum + c * width + r);
    }
}

/* Several targets at a time, by G. Horner's scheme, since each step waits for the one before. */
RELAX_TARGET static void DECAY(side_series)(double *weight, const double *distance, size_t width,
                                            const struct decay_series *series)
{
    enum { AT_ONCE = 4 };
    for (size_t r = 0; r < width; r += DECAY_REALS) {
        DECAY(reals) middle, a, x[AT_ONCE], p[AT_ONCE];
        memcpy(&middle, series->middle + r, sizeof middle);
        for (size_t v = 0; v < DECAY_SIDE; v += AT_ONCE) {
            memcpy(&a, series->term[series->degree] + r, sizeof a);
#pragma GCC unroll 4
            for (size_t i = 0; i < AT_ONCE; i++) {
                memcpy(&x[i], distance + (v + i) * width + r, sizeof x[i]);
                x[i] = (x[i] - middle) * series->factor;
                p[i] = a;
            }
            for (size_t j = series->degree; j-- > 0;) {
                memcpy(&a, series->term[j] + r, sizeof a);
#pragma GCC unroll 4
                for (size_t i = 0; i < AT_ONCE; i++)
                    p[i] = DECAY_MADD(p[i], x[i], a);
            }
#pragma GCC unroll 4
            for (size_t i = 0; i < AT_ONCE; i++)
                memcpy(weight + (v + i) * width + r, &p[i], sizeof p[i]);
        }
    }
}

/* A term is the one before by -j, since y' = -y. */
RELAX_TARGET static void DECAY(series_exponential)(struct decay_series *series, size_t width)
{
    DECAY(exponential)(series->term[0], series->middle, width, series->factor);
    for (size_t j = 1; j <= series->degree; j++)
        for (size_t r = 0; r < width; r++)
            series->term[j][r] = series->term[j - 1][r] * (-1.0 / (double)j);
}

/* y' = y y - y, so term j + 1 is that of the right side divided by j + 1. Several vectors take the
 * same steps. */
RELAX_TARGET static void DECAY(series_logistic)(struct decay_series *series, size_t width,
                                                double middle)
{
    enum { AT_ONCE = 2 * DECAY_LANES / DECAY_REALS };
    DECAY(logistic)(series->term[0], series->middle, width, middle, series->factor);
    for (size_t r = 0; r < width; r += 2 * DECAY_LANES) {
        DECAY(reals) y[DECAY_DEGREE + 1][AT_ONCE], sum[AT_ONCE];
        memcpy(y[0], series->term[0] + r, sizeof y[0]);
        for (size_t j = 0; j < series->degree; j++) {
#pragma GCC unroll 8
            for (size_t v = 0; v < AT_ONCE; v++)
                sum[v] = j % 2 == 0 ? y[j / 2][v] * y[j / 2][v] * 0.5 : (DECAY(reals)){0};
            for (size_t i = 0; i < (j + 1) / 2; i++)
#pragma GCC unroll 8
                for (size_t v = 0; v < AT_ONCE; v++)
                    sum[v] = DECAY_MADD(y[i][v], y[j - i][v], sum[v]);
#pragma GCC unroll 8
            for (size_t v = 0; v < AT_ONCE; v++)
                y[j + 1][v] = (2 * sum[v] - y[j][v]) * (1.0 / (double)(j + 1));
            memcpy(series->term[j + 1] + r, y[j + 1], sizeof y[j + 1]);
        }
    }
}
