/*
 * The part of rows_body.h, which includes it, that counts each value by itself: the sums of
 * reciprocals, and bins.
 */
#ifdef ROWS_VECTORS
/*
 * Reciprocals are added as fractions, p / q + 1 / d = (p d + q) / (q d). They are divided when the
 * product of so many integers d may no longer fit a double. This takes three operations a value in
 * place of a division.
 */
#define ROWS_FACTORS (ROWS_REAL ? 1 : 960 / (8 * sizeof(T)))
enum { RELAX(reals) = sizeof(V) / sizeof(double) };
typedef double RELAX(real) __attribute__((vector_size(sizeof(V))));
typedef int64_t RELAX(real_bits) __attribute__((vector_size(sizeof(V))));
typedef T RELAX(few) __attribute__((vector_size(RELAX(reals) * sizeof(T))));
/* Vectors of 16 bits become reals by way of 32. */
typedef __typeof__(_Generic((T)0, uint16_t : (int32_t)0, default : (T)0)) RELAX(between);
typedef RELAX(between) RELAX(few_between)
    __attribute__((vector_size(RELAX(reals) * sizeof(RELAX(between)))));

RELAX_TARGET static inline RELAX(real) RELAX(reals_at)(const T *in)
{
    RELAX(few) x;
    memcpy(&x, in, sizeof x);
    return __builtin_convertvector(__builtin_convertvector(x, RELAX(few_between)), RELAX(real));
}

/* Neither infinite nor zero, all of them. */
RELAX_TARGET static inline bool RELAX(all_divide)(const T *in, size_t rows)
{
    V least = V_LOAD(in), most = least;
    for (size_t i = 0; i < rows; i++) {
        V low = V_LOAD(in + i * NR), high = V_LOAD(in + i * NR + V_LANES);
        least = V_MIN(least, V_MIN(low, high));
        most = V_MAX(most, V_MAX(low, high));
    }
    RELAX(bits)
    other = ((RELAX(lanes))most >= T_INF - (RELAX(lanes)){0}) |
            ((RELAX(lanes))least == (RELAX(lanes)){0});
    return !V_ANY(other);
}

/* As many sources as `side` vectors of reals hold, from one place on. */
#define ROWS_SIDE (NR / RELAX(reals) < 4 ? NR / RELAX(reals) : 4)
RELAX_TARGET static inline void RELAX(add_fractions)(struct relax_harmonic *harmonic, size_t at,
                                                     const T *in, size_t rows, bool all)
{
    RELAX(real) p[ROWS_SIDE], q[ROWS_SIDE];
    memcpy(p, harmonic->p + at, sizeof p);
    memcpy(q, harmonic->q + at, sizeof q);
    for (size_t i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (size_t k = 0; k < ROWS_SIDE; k++) {
            RELAX(real) d = RELAX(reals_at)(in + i * NR + at + k * RELAX(reals)), more = q[k];
            if (!all) {
                RELAX(real_bits) one = (d == 0) | (d >= (double)T_INF);
                d = (RELAX(real))(((RELAX(real_bits))d & ~one) |
                                  ((RELAX(real_bits))(d - d + 1) & one));
                more = (RELAX(real))((RELAX(real_bits))more & ~one);
            }
            p[k] = p[k] * d + more;
            q[k] *= d;
        }
    memcpy(harmonic->p + at, p, sizeof p);
    memcpy(harmonic->q + at, q, sizeof q);
}

static void RELAX(rows_harmonic_end)(struct relax_harmonic *harmonic)
{
    for (size_t r = 0; r < NR; r++) {
        harmonic->sum[r] += harmonic->p[r] / harmonic->q[r];
        harmonic->p[r] = 0;
        harmonic->q[r] = 1;
    }
    harmonic->rows = 0;
}

RELAX_TARGET static void RELAX(rows_harmonic)(struct relax_harmonic *harmonic, const void *from,
                                              size_t rows)
{
    const T *in = from;
    for (size_t part; rows > 0; rows -= part, in += part * NR) {
        if (harmonic->rows == ROWS_FACTORS)
            RELAX(rows_harmonic_end)(harmonic);
        part = ROWS_FACTORS - harmonic->rows;
        part = part < rows ? part : rows;
        bool all = RELAX(all_divide)(in, part);
        for (size_t at = 0; at < NR; at += ROWS_SIDE * RELAX(reals))
            if (all)
                RELAX(add_fractions)(harmonic, at, in, part, true);
            else
                RELAX(add_fractions)(harmonic, at, in, part, false);
        harmonic->rows += part;
    }
}

/* As wide as a T. */
typedef __typeof__(_Generic((T)0, float
                            : (uint32_t)0, double
                            : (uint64_t)0, default
                            : (RELAX(unsigned))0)) RELAX(number);

/* The bins of so many values, a multiple of a vector's. */
RELAX_TARGET static inline void RELAX(find_bins)(RELAX(number) * bin, const struct relax_bins *bins,
                                                 const T *in, size_t count)
{
    const RELAX(lanes) infinite = T_INF - (RELAX(lanes)){0};
    const RELAX(bits) last = (RELAX(signed))bins->count - (RELAX(bits)){0};
    for (size_t i = 0; i < count; i += V_LANES) {
        RELAX(lanes) x = (RELAX(lanes))V_LOAD(in + i);
        RELAX(bits) finite = x < infinite, k = (RELAX(bits))x >> bins->shift;
        k = (k & finite) | (last & ~finite);
        V_STORE((T *)bin + i, V_MIN((V)k, (V)last));
    }
}

/* Some rows at a time: what was just stored is slow to load. */
RELAX_TARGET static void RELAX(rows_bins)(const struct relax_bins *bins, const void *from,
                                          size_t rows)
{
    enum { SOME = 8 };
    const T *in = from;
    uint32_t *pairs = bins->pairs;
    alignas(64) RELAX(number) bin[SOME * NR];
    for (size_t part; rows > 0; rows -= part, in += part * NR) {
        part = rows < SOME ? rows : SOME;
        RELAX(find_bins)(bin, bins, in, part * NR);
        for (size_t r = 0; r < part * NR; r += 4)
#pragma GCC unroll 4
            for (size_t k = 0; k < 4; k++)
                pairs[bin[r + k]]++;
    }
}

#undef ROWS_FACTORS
#undef ROWS_SIDE
#undef ROWS_REAL
#else
static void RELAX(rows_harmonic)(struct relax_harmonic *harmonic, const void *from, size_t rows)
{
    const T *in = from;
    for (size_t i = 0; i < rows * NR; i++)
        if (in[i] < T_INF)
            harmonic->sum[i % NR] = REDUCE_SUM(harmonic->sum[i % NR], REDUCE_RECIPROCAL(in[i]), 1);
}

static void RELAX(rows_harmonic_end)(struct relax_harmonic *harmonic)
{
    (void)harmonic;
}

static void RELAX(rows_bins)(const struct relax_bins *bins, const void *from, size_t rows)
{
    const T *in = from;
    for (size_t i = 0; i < rows * NR; i++)
        bins->pairs[in[i] < T_INF ? (size_t)in[i] >> bins->shift : bins->count]++;
}
#endif
