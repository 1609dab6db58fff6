/*
 * The part of relax_body.h, which includes it once for each way to combine the two parts of a path.
 * That defines V_COMBINE(a, b), which combines vectors, and COMBINED(name), the instance's name for
 * a function. Both are free again at the end.
 */
#define ROWS_1(X)  X(0)
#define ROWS_2(X)  ROWS_1(X) X(1)
#define ROWS_3(X)  ROWS_2(X) X(2)
#define ROWS_4(X)  ROWS_3(X) X(3)
#define ROWS_5(X)  ROWS_4(X) X(4)
#define ROWS_6(X)  ROWS_5(X) X(5)
#define ROWS_7(X)  ROWS_6(X) X(6)
#define ROWS_8(X)  ROWS_7(X) X(7)
#define ROWS_9(X)  ROWS_8(X) X(8)
#define ROWS_10(X) ROWS_9(X) X(9)
#define ROWS_11(X) ROWS_10(X) X(10)
#define ROWS_12(X) ROWS_11(X) X(11)

RELAX_TARGET static void COMBINED(through)(void *tile, size_t pivots, size_t w, size_t ld)
{
    T *p = tile;
    for (size_t k = 0; k < pivots; k++) {
        const T *pivot = p + k * ld;
        for (size_t i = 0; i < w; i++) {
            T *row = p + i * ld;
            V a = V_SET1(row[k]);
            for (size_t j = 0; j < w; j += V_LANES)
                V_STORE(row + j, V_MIN(V_LOAD(row + j), V_COMBINE(a, V_LOAD(pivot + j))));
        }
    }
}

/* One whole register tile; `next` is the address of the tile of C that follows, wherever that is.
 * Without sums, which is known where it is called, nothing is left of them. */
RELAX_TARGET static inline __attribute__((always_inline)) void
COMBINED(tile)(T *c, size_t ldc, const A *a, const T *b, size_t depth, uintptr_t next,
               struct relax_sums *sums)
{
#define FETCH(i)                                                                                   \
    V c##i##_0 = V_LOAD(c + i * ldc), c##i##_1 = V_LOAD(c + i * ldc + V_LANES);                    \
    __builtin_prefetch((const void *)(next + i * ldc * sizeof(T)), 1);                             \
    __builtin_prefetch((const void *)(next + (i * ldc + NR - 1) * sizeof(T)), 1);
#define STEP(i)                                                                                    \
    a0 = V_SPREAD(a + i);                                                                          \
    c##i##_0 = V_MIN(c##i##_0, V_COMBINE(a0, b0));                                                 \
    c##i##_1 = V_MIN(c##i##_1, V_COMBINE(a0, b1));
#define KEEP(i)                                                                                    \
    V_STORE(c + i * ldc, c##i##_0);                                                                \
    V_STORE(c + i * ldc + V_LANES, c##i##_1);
#define COUNT(i) sum += (RELAX(words))c##i##_0 + (RELAX(words))c##i##_1;
    EACH_ROW(FETCH)
    if (sums) {
        RELAX(words) sum = RELAX(words_at)(sums->read);
        EACH_ROW(COUNT)
        memcpy(sums->read, &sum, sizeof sum);
    }
    for (size_t k = 0; k < depth; k++) {
        V a0, b0 = V_LOAD(b), b1 = V_LOAD(b + V_LANES);
        EACH_ROW(STEP)
        a += MR;
        b += NR;
    }
    EACH_ROW(KEEP)
    if (sums) {
        RELAX(words) sum = RELAX(words_at)(sums->wrote);
        EACH_ROW(COUNT)
        memcpy(sums->wrote, &sum, sizeof sum);
    }
#undef FETCH
#undef STEP
#undef KEEP
#undef COUNT
}

/* A product of one tile, of which only rows x cols are wanted: through a buffer. The rest of that
 * is zero, stays zero and adds nothing to the sums. */
RELAX_TARGET static void COMBINED(edge)(const struct relax_product *product, struct range rows,
                                        struct range cols, struct relax_sums *sums)
{
    T buffer[MR * NR], *c = (T *)product->c + cols.lo;
    size_t ldc = product->ldc, bytes = range_length(cols) * sizeof(T);
    memset(buffer, 0, sizeof buffer);
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy(buffer + i * NR + cols.lo, c + i * ldc, bytes);
    COMBINED(tile)(buffer, NR, product->a, product->b, product->depth, (uintptr_t)buffer, sums);
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy(c + i * ldc, buffer + i * NR + cols.lo, bytes);
}

RELAX_TARGET static inline __attribute__((always_inline)) void
COMBINED(product)(const struct relax_product *product, struct range rows, struct range cols,
                  struct relax_sums *sums)
{
    size_t ldc = product->ldc, depth = product->depth;
    for (size_t bi = rows.lo / MR; bi * MR < rows.hi; bi++) {
        struct range in_rows = RELAX(within)(rows, bi, MR);
        const A *a = (const A *)product->a + bi * product->a_step;
        T *first = (T *)product->c + bi * MR * ldc;
        uintptr_t below = (uintptr_t)first + (MR * ldc + cols.lo) * sizeof(T);
        for (size_t bj = cols.lo / NR; bj * NR < cols.hi; bj++) {
            struct range in_cols = RELAX(within)(cols, bj, NR);
            const T *b = (const T *)product->b + bj * product->b_step;
            T *c = first + bj * NR;
            uintptr_t next = (bj + 1) * NR < cols.hi ? (uintptr_t)(c + NR) : below;
            if (range_length(in_rows) == MR && range_length(in_cols) == NR)
                COMBINED(tile)(c, ldc, a, b, depth, next, sums);
            else
                COMBINED(edge)
            (&(struct relax_product){c, a, b, ldc, 0, 0, depth}, in_rows, in_cols, sums);
        }
    }
}

RELAX_TARGET static void COMBINED(relax)(const struct relax_product *product, struct range rows,
                                         struct range cols)
{
    COMBINED(product)(product, rows, cols, NULL);
}

RELAX_TARGET static void COMBINED(relax_summed)(const struct relax_product *product,
                                                struct range rows, struct range cols,
                                                struct relax_sums *sums)
{
    COMBINED(product)(product, rows, cols, sums);
}

static void COMBINED(close)(void *tile, size_t w, size_t ld)
{
    COMBINED(through)(tile, w, w, ld);
}

/* A is read once, its products one after the other, and mostly from beyond the caches of the core.
 * It is prefetched so many bytes ahead, which may belong to the next product. */
#define ROWS_AHEAD 1024

#define START(i)                                                                                   \
    V c##i##_0 = V_SET1(T_INF), c##i##_1 = c##i##_0;                                               \
    if (!fresh) {                                                                                  \
        c##i##_0 = V_LOAD(c + c_row[i] * (size_t)NR);                                              \
        c##i##_1 = V_LOAD(c + c_row[i] * (size_t)NR + V_LANES);                                    \
    }
#define STEP(i)                                                                                    \
    a0 = V_SPREAD(a + i);                                                                          \
    c##i##_0 = V_MIN(c##i##_0, V_COMBINE(a0, b0));                                                 \
    c##i##_1 = V_MIN(c##i##_1, V_COMBINE(a0, b1));
#define KEEP(i)                                                                                    \
    V_STORE(c + c_row[i] * (size_t)NR, c##i##_0);                                                  \
    V_STORE(c + c_row[i] * (size_t)NR + V_LANES, c##i##_1);
#define TILE(h)                                                                                    \
    RELAX_TARGET static void COMBINED(rows_##h)(T * c, const uint32_t *c_row, const A *a,          \
                                                const T *b, const uint32_t *b_row, size_t depth,   \
                                                bool fresh)                                        \
    {                                                                                              \
        ROWS_##h(START) for (size_t k = 0; k < depth; k++, a += h)                                 \
        {                                                                                          \
            const T *from = b + b_row[k] * (size_t)NR;                                             \
            __builtin_prefetch((const void *)((uintptr_t)a + ROWS_AHEAD));                         \
            if (h * sizeof(A) > 64)                                                                \
                __builtin_prefetch((const void *)((uintptr_t)a + ROWS_AHEAD + 64));                \
            V a0, b0 = V_LOAD(from), b1 = V_LOAD(from + V_LANES);                                  \
            ROWS_##h(STEP)                                                                         \
        }                                                                                          \
        ROWS_##h(KEEP)                                                                             \
    }
TILE(1)
TILE(2)
TILE(3)
TILE(4)
#if MR > 4
TILE(5)
TILE(6)
#endif
#if MR > 6
TILE(7)
TILE(8)
TILE(9)
TILE(10)
TILE(11)
TILE(12)
#endif
#undef START
#undef STEP
#undef KEEP
#undef TILE

static void (*const COMBINED(rows_tiles)[])(T *c, const uint32_t *c_row, const A *a, const T *b,
                                            const uint32_t *b_row, size_t depth, bool fresh) = {
    NULL,
    COMBINED(rows_1),
    COMBINED(rows_2),
    COMBINED(rows_3),
    COMBINED(rows_4),
#if MR > 4
    COMBINED(rows_5),
    COMBINED(rows_6),
#endif
#if MR > 6
    COMBINED(rows_7),
    COMBINED(rows_8),
    COMBINED(rows_9),
    COMBINED(rows_10),
    COMBINED(rows_11),
    COMBINED(rows_12),
#endif
};

static void COMBINED(rows_relax)(const struct relax_rows *product)
{
    const A *a = product->a;
    const uint32_t *c_row = product->c_row;
    for (size_t left = product->rows; left > 0;) {
        size_t h = relax_rows_height(left, MR);
        COMBINED(rows_tiles)
        [h](product->c, c_row, a, product->b, product->b_row, product->depth, product->fresh);
        a += h * product->depth;
        c_row += h;
        left -= h;
    }
}

#include "kernels/cpu/pull_body.h"

static const struct relax_kernels COMBINED(kernels) = {
    .name = RELAX_ISA,
    .mr = MR,
    .nr = NR,
    .a_bytes = sizeof(A),
    .fill = RELAX(fill),
    .lower = RELAX(lower),
    .close = COMBINED(close),
    .pack_a = RELAX(pack_a),
    .pack_b = RELAX(pack_b),
    .relax = COMBINED(relax),
    .relax_summed = COMBINED(relax_summed),
    .sum = RELAX(sum),
    .through = COMBINED(through),
    .through_trees = RELAX(through_trees),
    .merge = RELAX(merge),
    .rows_pack = RELAX(rows_pack),
    .rows_relax = COMBINED(rows_relax),
    .rows_store = RELAX(rows_store),
    .rows_turn = RELAX(rows_turn),
    .rows_count = RELAX(rows_count),
    .rows_fold = RELAX(rows_fold),
    .rows_span_end = RELAX(rows_span_end),
    .rows_harmonic = RELAX(rows_harmonic),
    .rows_harmonic_end = RELAX(rows_harmonic_end),
    .rows_bins = RELAX(rows_bins),
    .rows_pull = COMBINED(rows_pull),
    .row_digits = RELAX(row_digits),
    .row_count = RELAX(row_count),
};

#undef ROWS_AHEAD
#undef ROWS_1
#undef ROWS_2
#undef ROWS_3
#undef ROWS_4
#undef ROWS_5
#undef ROWS_6
#undef ROWS_7
#undef ROWS_8
#undef ROWS_9
#undef ROWS_10
#undef ROWS_11
#undef ROWS_12
#undef COMBINED
#undef V_COMBINE
