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

RELAX_TARGET static inline __attribute__((always_inline)) bool DECAY(any)(DECAY(bits) odd)
{
    int64_t all = 0;
    for (size_t i = 0; i < DECAY_REALS; i++)
        all |= odd[i];
    return all;
}

/* Sums wrap, but four numbers of a type of integers are too small for that to hide a difference. */
#define DECAY_ALIKE_TYPE(name, T, B, S, inf)                                                       \
    RELAX_TARGET static bool DECAY(side_alike_##name)(                                             \
        const T *in, size_t width, size_t count, size_t sources, const void *first, double *base)  \
    {                                                                                              \
        enum { MANY = 8 * DECAY_REALS / sizeof(B) };                                               \
        typedef T few __attribute__((vector_size(sizeof(T) * MANY)));                              \
        typedef B many __attribute__((vector_size(sizeof(B) * MANY)));                             \
        typedef S signs __attribute__((vector_size(sizeof(B) * MANY)));                            \
        T head, most = in[0];                                                                      \
        memcpy(&head, first, sizeof head);                                                         \
        for (size_t v = 0; v < count; v++) {                                                       \
            if (!(in[v * width] < (inf)))                                                          \
                return false;                                                                      \
            most = in[v * width] > most ? in[v * width] : most;                                    \
            base[v] = (double)in[v * width];                                                       \
        }                                                                                          \
        for (size_t r = 0; r < sources; r += MANY) {                                               \
            signs odd = {0};                                                                       \
            few x;                                                                                 \
            memcpy(&x, (const T *)first + r, sizeof x);                                            \
            const many offset = __builtin_convertvector(x, many) - (B)head;                        \
            for (size_t v = 0; v < count; v++) {                                                   \
                memcpy(&x, in + v * width + r, sizeof x);                                          \
                odd |= __builtin_convertvector(x, many) != offset + (B)in[v * width];              \
            }                                                                                      \
            odd |= offset + (B)most >= (B)(inf);                                                   \
            for (size_t i = sources - r; i < MANY; i++)                                            \
                odd[i] = 0;                                                                        \
            if (DECAY(any)((DECAY(bits))odd))                                                      \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }                                                                                              \
    RELAX_TARGET static void DECAY(side_row_##name)(const T *in, size_t width, size_t count,       \
                                                    size_t row, double anchor, double *to)         \
    {                                                                                              \
        for (size_t v = 0; v < count; v++) {                                                       \
            const T value = in[v * width + row];                                                   \
            to[v] = value < (inf) ? (double)value - anchor : (double)INFINITY;                     \
        }                                                                                          \
    }                                                                                              \
    RELAX_TARGET static bool DECAY(side_class_##name)(const T *in, size_t width, size_t count,     \
                                                      size_t sources, size_t row, double *base,    \
                                                      double *offset, double extremes[2])          \
    {                                                                                              \
        enum { MANY = 8 * DECAY_REALS / sizeof(B) };                                               \
        typedef T few __attribute__((vector_size(sizeof(T) * MANY)));                              \
        typedef B many __attribute__((vector_size(sizeof(B) * MANY)));                             \
        typedef S signs __attribute__((vector_size(sizeof(B) * MANY)));                            \
        T farthest = in[row];                                                                      \
        for (size_t v = 0; v < count; v++) {                                                       \
            if (!(in[v * width + row] < (inf)))                                                    \
                return false;                                                                      \
            farthest = in[v * width + row] > farthest ? in[v * width + row] : farthest;            \
            base[v] = (double)in[v * width + row];                                                 \
        }                                                                                          \
        extremes[0] = extremes[1] = 0;                                                             \
        for (size_t r = 0; r < width; r += MANY) {                                                 \
            few x;                                                                                 \
            memcpy(&x, in + r, sizeof x);                                                          \
            signs odd = {0};                                                                       \
            const many first = __builtin_convertvector(x, many) - (B)in[row];                      \
            for (size_t v = 1; v < count; v++) {                                                   \
                memcpy(&x, in + v * width + r, sizeof x);                                          \
                odd |= __builtin_convertvector(x, many) != first + (B)in[v * width + row];         \
            }                                                                                      \
            odd |= first + (B)farthest >= (B)(inf);                                                \
            for (size_t i = 0; i < MANY; i++) {                                                    \
                const bool same = r + i < sources && !odd[i];                                      \
                const double d = (double)in[r + i] - (double)in[row];                              \
                offset[r + i] = same ? d : (double)INFINITY;                                       \
                extremes[0] = same && d < extremes[0] ? d : extremes[0];                           \
                extremes[1] = same && d > extremes[1] ? d : extremes[1];                           \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }                                                                                              \
    RELAX_TARGET static bool DECAY(side_offset_##name)(const T *in, size_t width, size_t sources,  \
                                                       double *offset, double extremes[2])         \
    {                                                                                              \
        typedef T few __attribute__((vector_size(sizeof(T) * DECAY_REALS)));                       \
        DECAY(reals) least = {0}, most = {0}, d;                                                   \
        few x;                                                                                     \
        for (size_t r = 0; r < width; r += DECAY_REALS) {                                          \
            memcpy(&x, in + r, sizeof x);                                                          \
            d = __builtin_convertvector(x, DECAY(reals)) - (double)in[0];                          \
            memcpy(offset + r, &d, sizeof d);                                                      \
            for (size_t i = r < sources ? sources - r : 0; i < DECAY_REALS; i++)                   \
                d[i] = 0;                                                                          \
            DECAY(side_bounds)(&least, &most, d);                                                  \
        }                                                                                          \
        extremes[0] = extremes[1] = 0;                                                             \
        for (size_t i = 0; i < DECAY_REALS; i++) {                                                 \
            extremes[0] = least[i] < extremes[0] ? least[i] : extremes[0];                         \
            extremes[1] = most[i] > extremes[1] ? most[i] : extremes[1];                           \
        }                                                                                          \
        return in[0] < (inf) && (double)in[0] + extremes[1] < (double)(inf);                       \
    }

DECAY_ALIKE_TYPE(u16, uint16_t, uint32_t, int32_t, APSP_UNREACHABLE_U16)
DECAY_ALIKE_TYPE(i32, int32_t, uint32_t, int32_t, INF_I32)
DECAY_ALIKE_TYPE(i64, int64_t, uint64_t, int64_t, INF_I64)
DECAY_ALIKE_TYPE(f32, float, double, int64_t, INFINITY)
DECAY_ALIKE_TYPE(f64, double, double, int64_t, INFINITY)
#undef DECAY_ALIKE_TYPE

RELAX_TARGET static bool DECAY(side_alike)(enum dtype dtype, const void *values, size_t width,
                                           size_t count, size_t sources, const void *first,
                                           double *base)
{
    bool alike = false;
    DECAY_CALL(alike = DECAY, side_alike, values, width, count, sources, first, base)
    return alike;
}

RELAX_TARGET static bool DECAY(side_offset)(enum dtype dtype, const void *values, size_t width,
                                            size_t sources, double *offset, double extremes[2])
{
    bool known = false;
    DECAY_CALL(known = DECAY, side_offset, values, width, sources, offset, extremes)
    return known;
}

RELAX_TARGET static bool DECAY(side_class)(enum dtype dtype, const void *values, size_t width,
                                           size_t count, size_t sources, size_t row, double *base,
                                           double *offset, double extremes[2])
{
    bool known = false;
    DECAY_CALL(known = DECAY, side_class, values, width, count, sources, row, base, offset,
               extremes)
    return known;
}

RELAX_TARGET static void DECAY(side_row)(enum dtype dtype, const void *values, size_t width,
                                         size_t count, size_t row, double anchor, double *to){
    DECAY_CALL(DECAY, side_row, values, width, count, row, anchor, to)}

RELAX_TARGET static void DECAY(side_expand)(double *distance, size_t width, size_t count,
                                            const double *base, const double *offset)
{
    for (size_t r = 0; r < width; r += DECAY_REALS) {
        DECAY(reals) each, d;
        memcpy(&each, offset + r, sizeof each);
        for (size_t v = 0; v < count; v++) {
            d = each + base[v];
            memcpy(distance + v * width + r, &d, sizeof d);
        }
    }
}

/* Each power of the targets' distances follows from the one before, four targets at a time. */
RELAX_TARGET static void DECAY(side_moments)(double *moment, size_t degree, const double *x,
                                             const double *amount, size_t kinds)
{
    enum { AT_ONCE = 4 };
    for (size_t c = 0; c < kinds; c += DECAY_REALS) {
        DECAY(reals) sum[DECAY_DEGREE + 1] = {{0}}, t[AT_ONCE];
        for (size_t v = 0; v < DECAY_SIDE; v += AT_ONCE) {
#pragma GCC unroll 4
            for (size_t i = 0; i < AT_ONCE; i++)
                memcpy(&t[i], amount + (v + i) * kinds + c, sizeof t[i]);
            for (size_t j = 0; j <= degree; j++) {
                sum[j] += (t[0] + t[1]) + (t[2] + t[3]);
#pragma GCC unroll 4
                for (size_t i = 0; i < AT_ONCE; i++)
                    t[i] *= x[v + i];
            }
        }
        const size_t left = kinds - c < DECAY_REALS ? kinds - c : DECAY_REALS;
        for (size_t j = 0; j <= degree; j++)
            memcpy(moment + j * kinds + c, &sum[j], left * sizeof *moment);
    }
}

RELAX_TARGET static void DECAY(side_widen)(enum dtype dtype, const void *values, size_t width,
                                           size_t count, double *to, double *low, double *high){
    DECAY_CALL(DECAY, side_widen, values, width, count, to, low, high)}

/* The sums of `count` kinds, which is a constant, of two vectors of rows from r on. */
RELAX_TARGET static inline
    __attribute__((always_inline)) void DECAY(side_some)(const struct decay_weights *weights,
                                                         size_t r, size_t width,
                                                         const double *amount, size_t kinds,
                                                         size_t count, double *sum)
{
    DECAY(reals) low[DECAY(kinds)] = {{0}}, high[DECAY(kinds)] = {{0}}, w, next, x;
    for (size_t v = 0; v < weights->count; v++) {
        const double *weight = weights->weight + v * weights->stride + r;
        memcpy(&w, weight, sizeof w);
        memcpy(&next, weight + DECAY_REALS, sizeof next);
#pragma GCC unroll 4
        for (size_t c = 0; c < count; c++) {
            x = amount[v * kinds + c] - (DECAY(reals)){0};
            low[c] = DECAY_MADD(w, x, low[c]);
            high[c] = DECAY_MADD(next, x, high[c]);
        }
    }
#pragma GCC unroll 4
    for (size_t c = 0; c < count; c++) {
        memcpy(&w, sum + c * width + r, sizeof w);
        memcpy(&next, sum + c * width + r + DECAY_REALS, sizeof next);
        w += low[c];
        next += high[c];
        memcpy(sum + c * width + r, &w, sizeof w);
        memcpy(sum + c * width + r + DECAY_REALS, &next, sizeof next);
    }
}

RELAX_TARGET static void DECAY(side_weigh)(const struct decay_weights *weights, size_t width,
                                           const double *amount, size_t kinds, double *sum)
{
    for (size_t r = 0; r < width; r += 2 * DECAY_REALS) {
        size_t c = 0;
        for (; c + DECAY(kinds) <= kinds; c += DECAY(kinds))
            DECAY(side_some)(weights, r, width, amount + c, kinds, DECAY(kinds), sum + c * width);
        for (; c < kinds; c++)
            DECAY(side_some)(weights, r, width, amount + c, kinds, 1, sum + c * width);
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
                x[i] = (x[i] - middle) * series->scale;
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

/* A term is the one before by -j, since y' = -y. Here and below, `slope` is what that has by one
 * unit. */
RELAX_TARGET static void DECAY(series_exponential)(struct decay_series *series, size_t width)
{
    const double slope = series->factor / series->scale;
    DECAY(exponential)(series->term[0], series->middle, width, series->factor);
    for (size_t j = 1; j <= series->degree; j++)
        for (size_t r = 0; r < width; r++)
            series->term[j][r] = series->term[j - 1][r] * (-slope / (double)j);
}

/* y' = y y - y, so term j + 1 is that of the right side divided by j + 1. Several vectors take the
 * same steps. */
RELAX_TARGET static void DECAY(series_logistic)(struct decay_series *series, size_t width,
                                                double middle)
{
    enum { AT_ONCE = 2 * DECAY_LANES / DECAY_REALS };
    const double slope = series->factor / series->scale;
    DECAY(logistic)(series->term[0], series->middle, width, middle, series->factor);
    for (size_t r = 0; r < width; r += 2 * DECAY_LANES) {
        DECAY(reals) y[DECAY_DEGREE + 1][AT_ONCE], sum[AT_ONCE];
#pragma GCC unroll 8
        for (size_t v = 0; v < AT_ONCE; v++)
            memcpy(&y[0][v], series->term[0] + r + v * DECAY_REALS, sizeof y[0][v]);
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
                y[j + 1][v] = (2 * sum[v] - y[j][v]) * (slope / (double)(j + 1));
#pragma GCC unroll 8
            for (size_t v = 0; v < AT_ONCE; v++)
                memcpy(series->term[j + 1] + r + v * DECAY_REALS, &y[j + 1][v], sizeof y[0][v]);
        }
    }
}
