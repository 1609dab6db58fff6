/*
 * The part of relax_body.h, which includes it, for rows of NR values that lie anywhere: sparse
 * graphs. The register tile is h x 2 vectors for every h up to MR, so that no product is padded.
 */
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
#define ROWS_VECTORS
#endif
#endif
/* Which values of two vectors of n, one after the other, interleave their lower and their upper
 * halves. */
#define ROWS_LOW_2   0, 2
#define ROWS_HIGH_2  1, 3
#define ROWS_LOW_4   0, 4, 1, 5
#define ROWS_HIGH_4  2, 6, 3, 7
#define ROWS_LOW_8   0, 8, 1, 9, 2, 10, 3, 11
#define ROWS_HIGH_8  4, 12, 5, 13, 6, 14, 7, 15
#define ROWS_LOW_16  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ROWS_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define ROWS_LOW_32                                                                                \
    0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44,  \
        13, 45, 14, 46, 15, 47
#define ROWS_HIGH_32                                                                               \
    16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27,    \
        59, 28, 60, 29, 61, 30, 62, 31, 63

static void RELAX(rows_pack)(void *panel, const void *matrix, size_t ld, size_t rows, size_t depth)
{
    A *a = panel;
    const T *from = matrix;
    for (size_t left = rows, h; left > 0; left -= h, from += h) {
        h = relax_rows_height(left, MR);
        for (size_t k = 0; k < depth; k++)
            for (size_t i = 0; i < h; i++)
                *a++ = A_OF(from[k * ld + i]);
    }
}

RELAX_TARGET static void RELAX(rows_store)(void *to, const uint32_t *place, const void *from,
                                           size_t rows, bool past)
{
    for (size_t i = 0; i < rows; i++) {
        T *at = (T *)to + place[i] * (size_t)NR;
        V low = V_LOAD((const T *)from + i * NR), high = V_LOAD((const T *)from + i * NR + V_LANES);
        if (past) {
            V_STREAM(at, low);
            V_STREAM(at + V_LANES, high);
        } else {
            V_STORE(at, low);
            V_STORE(at + V_LANES, high);
        }
    }
}

/* Columns lo .. hi - 1 of the result, value by value. */
static void RELAX(turn_singly)(T *out, size_t stride, const T *in, struct range columns,
                               size_t count)
{
    for (size_t i = columns.lo; i < columns.hi; i++)
        for (size_t r = 0; r < count; r++)
            out[r * stride + i] = in[i * NR + r];
}

#ifdef ROWS_VECTORS
#define ROWS_PASTE(a, b)  a##b
#define ROWS_MIX(half, n) ROWS_PASTE(half, n)
typedef T RELAX(lanes) __attribute__((vector_size(sizeof(V))));

/* V_LANES rows become columns, `count` of them: each pass interleaves the first half of the vectors
 * with the second. Writes fill whole lines of the cache, if they may, so the lines need not be
 * there. */
RELAX_TARGET static inline void RELAX(turn_square)(T *out, size_t stride, const T *in, size_t count,
                                                   bool aligned)
{
    RELAX(lanes) x[V_LANES], y[V_LANES];
#pragma GCC unroll 32
    for (size_t i = 0; i < V_LANES; i++)
        x[i] = (RELAX(lanes))V_LOAD(in + i * NR);
#pragma GCC unroll 5
    for (size_t pass = 1; pass < V_LANES; pass *= 2) {
#pragma GCC unroll 16
        for (size_t i = 0; i < V_LANES / 2; i++) {
            y[2 * i] =
                __builtin_shufflevector(x[i], x[i + V_LANES / 2], ROWS_MIX(ROWS_LOW_, V_LANES));
            y[2 * i + 1] =
                __builtin_shufflevector(x[i], x[i + V_LANES / 2], ROWS_MIX(ROWS_HIGH_, V_LANES));
        }
#pragma GCC unroll 32
        for (size_t i = 0; i < V_LANES; i++)
            x[i] = y[i];
    }
    if (aligned && count >= V_LANES) {
#pragma GCC unroll 32
        for (size_t i = 0; i < V_LANES; i++)
            V_STREAM(out + i * stride, (V)x[i]);
        return;
    }
#pragma GCC unroll 32
    for (size_t i = 0; i < V_LANES; i++)
        if (i < count)
            V_STORE(out + i * stride, (V)x[i]);
}

RELAX_TARGET static void RELAX(rows_turn)(void *to, size_t stride, const void *from, size_t n,
                                          size_t count)
{
    T *out = to;
    size_t whole = n / V_LANES * V_LANES;
    bool aligned = ((uintptr_t)to | (stride * sizeof(T))) % sizeof(V) == 0;
    for (size_t i = 0; i < whole; i += V_LANES) {
        const T *in = (const T *)from + i * NR;
        RELAX(turn_square)(out + i, stride, in, count, aligned);
        if (count > V_LANES)
            RELAX(turn_square)
        (out + V_LANES * stride + i, stride, in + V_LANES, count - V_LANES, aligned);
    }
    RELAX(turn_singly)(out, stride, from, (struct range){whole, n}, count);
    atomic_thread_fence(
        memory_order_seq_cst); /* a release does not wait for stores past the caches */
}
#else
static void RELAX(rows_turn)(void *to, size_t stride, const void *from, size_t n, size_t count)
{
    RELAX(turn_singly)(to, stride, from, (struct range){0, n}, count);
}
#endif

#include "kernels/cpu/rows_count_body.h"
#include "kernels/cpu/rows_value_body.h"
#ifdef ROWS_VECTORS
#undef ROWS_PASTE
#undef ROWS_MIX
#endif

/* Places that follow each other are taken by vectors. */
RELAX_TARGET static void RELAX(merge)(void *to, const void *from, const uint32_t *place,
                                      size_t count)
{
    T *c = to;
    const T *p = from;
    size_t j = 0;
    while (j < count) {
        T *at = c + place[j];
        if (j + V_LANES <= count && place[j + V_LANES - 1] == place[j] + V_LANES - 1) {
            V_STORE(at, V_MIN(V_LOAD(at), V_LOAD(p + j)));
            j += V_LANES;
        } else {
            *at = *at < p[j] ? *at : p[j];
            j++;
        }
    }
}
