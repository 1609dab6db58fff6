/*
 * One instance of the CPU kernels. The including file defines for the instruction set
 *   RELAX_TARGET     function attribute that selects it (may be empty)
 *   RELAX_ISA        its name, a string
 *   MR, EACH_ROW(X)  rows of the register tile; X(0) X(1) ... X(MR - 1)
 *   V_STREAM(p, v)   an aligned store past the caches
 *   V_SOME(bytes, bits, v)   optional: the values of so many bytes whose bit is set, else zeros
 * and for the type, anew for each inclusion,
 *   RELAX(name)      the instance's name for a function
 *   T, T_INF         the type of a distance and infinity
 *   T_WEIGHT         the member of a weight (relax.h): whole or real
 *   A, A_OF(x)       the type in which a panel holds an element x of the operand A
 *   V, V_LANES       a vector of T
 *   V_MIN(a, b), V_MAX(a, b)   the lesser and the greater ones of two vectors
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

/* An unsigned integer of the width of T. */
typedef __typeof__(_Generic((T)0, uint16_t
                            : (uint16_t)0, int32_t
                            : (uint32_t)0, float
                            : (uint32_t)0, default
                            : (uint64_t)0)) RELAX(index);

/* A vector of values, and of indices. */
typedef T RELAX(values) __attribute__((vector_size(sizeof(V))));
typedef RELAX(index) RELAX(indices) __attribute__((vector_size(sizeof(V))));

/* The type of sums has no sign if it is whole: sums of distances fit, but those of distances that
 * memory has changed, which paranoid runs find, need not. */
typedef __typeof__(_Generic((T)0, float
                            : (float)0, double
                            : (double)0, default
                            : (RELAX(index))0)) RELAX(addend);
typedef RELAX(addend) RELAX(addends) __attribute__((vector_size(sizeof(V))));

typedef V RELAX(unaligned) __attribute__((aligned(1), may_alias));

#define V_LOAD(p)     ((V) * (const RELAX(unaligned) *)(p))
#define V_STORE(p, v) (*(RELAX(unaligned) *)(p) = (RELAX(unaligned))(v))
#define V_SET1(x)     ((V)((T)(x) - (RELAX(values)){0}))
#define V_ADD(a, b)   ((V)((RELAX(addends))(a) + (RELAX(addends))(b)))

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

/* The part of `range` in block number `block` of `size`, counted from the block's start. */
static inline struct range RELAX(within)(struct range range, size_t block, size_t size)
{
    size_t start = block * size;
    struct range part = {range.lo > start ? range.lo - start : 0,
                         range.hi - start < size ? range.hi - start : size};
    return part;
}

#include "kernels/cpu/rows_body.h"
#include "kernels/cpu/rows_one_body.h"

#define COMBINED(name)  RELAX(sum_##name)
#define V_COMBINE(a, b) V_ADD(a, b)
#include "kernels/cpu/combine_body.h"

#define COMBINED(name)  RELAX(most_##name)
#define V_COMBINE(a, b) V_MAX(a, b)
#include "kernels/cpu/combine_body.h"

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
#undef V_SET1
#undef V_SPREAD
#undef V_ADD
#undef V_MIN
#undef V_MAX
#undef NR
