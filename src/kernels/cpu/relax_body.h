/*
 * One instance of the CPU kernels. The including file defines for the instruction set
 *   RELAX_TARGET     function attribute that selects it (may be empty)
 *   RELAX_ISA        its name, a string
 *   MR, EACH_ROW(X)  rows of the register tile; X(0) X(1) ... X(MR - 1)
 * and for the type, anew for each inclusion,
 *   RELAX(name)      the instance's name for a function
 *   T, T_INF         the type of a distance and infinity
 *   T_WEIGHT         the member of a weight (relax.h): whole or real
 *   A, A_OF(x)       the type in which a panel holds an element x of the operand A
 *   V, V_LANES       a vector of T
 *   V_LOAD(p), V_STORE(p, v), V_SET1(x), V_ADD(a, b), V_MIN(a, b), V_MAX(a, b)   unaligned accesses
 *   V_STREAM(p, v)   an aligned store past the caches
 *   V_SPREAD(a)      V_SET1(x) from A_OF(x) in memory
 * and gets RELAX(kernels); the names of the type are then free again.
 *
 * The register tile is MR x 2 vectors. Its accumulators have names of their own, because GCC keeps
 * an array of vectors in memory. The two operands are packed, so the inner loop reads both with
 * stride one: after K. Goto and R. van de Geijn, Anatomy of high-performance matrix multiplication,
 * ACM TOMS 34(3), 2008, with (min, +) for (+, *).
 */
#include "kernels/reduce.h"

#include <stdatomic.h>
#include <string.h>

#define NR (2 * V_LANES)

static void RELAX(fill)(void *to, size_t count)
{
    T *p = to;
    for (size_t i = 0; i < count; i++)
        p[i] = T_INF;
}

static bool RELAX(lower)(void *entry, union value weight)
{
    T *p = entry;
    bool finite = *p < T_INF;
    if (weight.T_WEIGHT < *p)
        *p = (T)weight.T_WEIGHT;
    return finite;
}

RELAX_TARGET static void RELAX(through)(void *tile, size_t pivots, size_t w, size_t ld)
{
    T *p = tile;
    for (size_t k = 0; k < pivots; k++) {
        const T *pivot = p + k * ld;
        for (size_t i = 0; i < w; i++) {
            T *row = p + i * ld;
            V a = V_SET1(row[k]);
            for (size_t j = 0; j < w; j += V_LANES)
                V_STORE(row + j, V_MIN(V_LOAD(row + j), V_ADD(a, V_LOAD(pivot + j))));
        }
    }
}

/* An unsigned integer of the width of T. */
typedef __typeof__(_Generic((T)0, uint16_t
                            : (uint16_t)0, int32_t
                            : (uint32_t)0, float
                            : (uint32_t)0, default
                            : (uint64_t)0)) RELAX(index);

/* A vector of values, and of indices. */
typedef T RELAX(values) __attribute__((vector_size(sizeof(V))));
typedef RELAX(index) RELAX(indices) __attribute__((vector_size(sizeof(V))));

RELAX_TARGET static void RELAX(through_trees_row)(T *row, RELAX(index) * before, const T *pivot,
                                                  const RELAX(index) * pivot_before, T step,
                                                  size_t w)
{
    const V a = V_SET1(step);
    for (size_t j = 0; j < w; j += V_LANES) {
        const V old = V_LOAD(row + j), sum = V_ADD(a, V_LOAD(pivot + j));
        const RELAX(indices) less = (RELAX(indices))((RELAX(values))sum < (RELAX(values))old);
        RELAX(indices) kept, taken;
        memcpy(&kept, before + j, sizeof kept);
        memcpy(&taken, pivot_before + j, sizeof taken);
        kept = (less & taken) | (~less & kept);
        memcpy(before + j, &kept, sizeof kept);
        V_STORE(row + j, (V)((less & (RELAX(indices))sum) | (~less & (RELAX(indices))old)));
    }
}

RELAX_TARGET static void RELAX(through_trees)(void *tile, void *trees, size_t w, size_t ld)
{
    T *p = tile;
    RELAX(index) *before = trees;
    for (size_t k = 0; k < w; k++)
        for (size_t i = 0; i < w; i++)
            if (i != k && p[i * ld + k] < T_INF)
                RELAX(through_trees_row)
    (p + i * ld, before + i * ld, p + k * ld, before + k * ld, p[i * ld + k], w);
}

static void RELAX(close)(void *tile, size_t w, size_t ld)
{
    RELAX(through)(tile, w, w, ld);
}

RELAX_TARGET static void RELAX(pack_a)(void *block, const void *matrix, size_t ld, size_t rows,
                                       size_t depth)
{
    A *a = block;
    const T *from = matrix;
    for (size_t k = 0; k < depth; k++) {
        for (size_t i = 0; i < rows; i++)
            a[k * MR + i] = A_OF(from[i * ld + k]);
        for (size_t i = rows; i < MR; i++)
            a[k * MR + i] = A_OF(T_INF);
    }
}

RELAX_TARGET static void RELAX(pack_b)(void *block, const void *matrix, size_t ld, size_t depth,
                                       size_t cols)
{
    T *b = block;
    const T *from = matrix;
    for (size_t k = 0; k < depth; k++) {
        if (cols == NR) {
            V_STORE(b + k * NR, V_LOAD(from + k * ld));
            V_STORE(b + k * NR + V_LANES, V_LOAD(from + k * ld + V_LANES));
            continue;
        }
        memcpy(b + k * NR, from + k * ld, cols * sizeof(T));
        for (size_t j = cols; j < NR; j++)
            b[k * NR + j] = T_INF;
    }
}

typedef uint32_t RELAX(words) __attribute__((vector_size(sizeof(V))));

RELAX_TARGET static inline RELAX(words) RELAX(words_at)(const void *from)
{
    RELAX(words) words;
    memcpy(&words, from, sizeof words);
    return words;
}

RELAX_TARGET static uint32_t RELAX(sum)(const void *from, size_t rows, size_t width, size_t pitch)
{
    RELAX(words) sum = {0}, rest;
    uint32_t total = 0;
    const char *row = from;
    for (size_t i = 0; i < rows; i++, row += pitch) {
        size_t at = 0;
        for (; at + sizeof sum <= width; at += sizeof sum)
            sum += RELAX(words_at)(row + at);
        if (at == width)
            continue;
        memset(&rest, 0, sizeof rest);
        memcpy(&rest, row + at, width - at);
        sum += rest;
    }
    for (size_t lane = 0; lane < sizeof sum / sizeof total; lane++)
        total += sum[lane];
    return total;
}

/* One whole register tile; `next` is the address of the tile of C that follows, wherever that is.
 * Without sums, which is known where it is called, nothing is left of them. */
RELAX_TARGET static inline __attribute__((always_inline)) void
RELAX(tile)(T *c, size_t ldc, const A *a, const T *b, size_t depth, uintptr_t next,
            struct relax_sums *sums)
{
#define FETCH(i)                                                                                   \
    V c##i##_0 = V_LOAD(c + i * ldc), c##i##_1 = V_LOAD(c + i * ldc + V_LANES);                    \
    __builtin_prefetch((const void *)(next + i * ldc * sizeof(T)), 1);                             \
    __builtin_prefetch((const void *)(next + (i * ldc + NR - 1) * sizeof(T)), 1);
#define STEP(i)                                                                                    \
    a0 = V_SPREAD(a + i);                                                                          \
    c##i##_0 = V_MIN(c##i##_0, V_ADD(a0, b0));                                                     \
    c##i##_1 = V_MIN(c##i##_1, V_ADD(a0, b1));
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
RELAX_TARGET static void RELAX(edge)(const struct relax_product *product, struct range rows,
                                     struct range cols, struct relax_sums *sums)
{
    T buffer[MR * NR], *c = (T *)product->c + cols.lo;
    size_t ldc = product->ldc, bytes = range_length(cols) * sizeof(T);
    memset(buffer, 0, sizeof buffer);
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy(buffer + i * NR + cols.lo, c + i * ldc, bytes);
    RELAX(tile)(buffer, NR, product->a, product->b, product->depth, (uintptr_t)buffer, sums);
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy(c + i * ldc, buffer + i * NR + cols.lo, bytes);
}

/* The part of `range` in block number `block` of `size`, counted from the block's start. */
static inline struct range RELAX(within)(struct range range, size_t block, size_t size)
{
    size_t start = block * size;
    struct range part = {range.lo > start ? range.lo - start : 0,
                         range.hi - start < size ? range.hi - start : size};
    return part;
}

RELAX_TARGET static inline __attribute__((always_inline)) void
RELAX(product)(const struct relax_product *product, struct range rows, struct range cols,
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
                RELAX(tile)(c, ldc, a, b, depth, next, sums);
            else
                RELAX(edge)
            (&(struct relax_product){c, a, b, ldc, 0, 0, depth}, in_rows, in_cols, sums);
        }
    }
}

RELAX_TARGET static void RELAX(relax)(const struct relax_product *product, struct range rows,
                                      struct range cols)
{
    RELAX(product)(product, rows, cols, NULL);
}

RELAX_TARGET static void RELAX(relax_summed)(const struct relax_product *product, struct range rows,
                                             struct range cols, struct relax_sums *sums)
{
    RELAX(product)(product, rows, cols, sums);
}

#include "kernels/cpu/rows_body.h"

#include "kernels/cpu/pull_body.h"

static const struct relax_kernels RELAX(kernels) = {
    .name = RELAX_ISA,
    .mr = MR,
    .nr = NR,
    .a_bytes = sizeof(A),
    .fill = RELAX(fill),
    .lower = RELAX(lower),
    .close = RELAX(close),
    .pack_a = RELAX(pack_a),
    .pack_b = RELAX(pack_b),
    .relax = RELAX(relax),
    .relax_summed = RELAX(relax_summed),
    .sum = RELAX(sum),
    .through = RELAX(through),
    .through_trees = RELAX(through_trees),
    .merge = RELAX(merge),
    .rows_pack = RELAX(rows_pack),
    .rows_relax = RELAX(rows_relax),
    .rows_store = RELAX(rows_store),
    .rows_turn = RELAX(rows_turn),
    .rows_count = RELAX(rows_count),
    .rows_fold = RELAX(rows_fold),
    .rows_span_end = RELAX(rows_span_end),
    .rows_harmonic = RELAX(rows_harmonic),
    .rows_harmonic_end = RELAX(rows_harmonic_end),
    .rows_bins = RELAX(rows_bins),
    .rows_pull = RELAX(rows_pull),
};

#undef RELAX
#undef T
#undef T_INF
#undef T_WEIGHT
#undef A
#undef A_OF
#undef V
#undef V_LANES
#undef V_LOAD
#undef V_STORE
#undef V_STREAM
#undef V_SET1
#undef V_SPREAD
#undef V_ADD
#undef V_MIN
#undef V_MAX
#undef NR
