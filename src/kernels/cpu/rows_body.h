/*
 * The part of relax_body.h, which includes it, for rows of NR values that lie anywhere: sparse graphs. The
 * register tile is h x 2 vectors for every h up to MR, so that no product is padded.
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

#define START(i) V c##i##_0 = V_SET1(T_INF), c##i##_1 = c##i##_0;
#define STEP(i)                                                                                              \
    a0 = V_SPREAD(a + i);                                                                                    \
    c##i##_0 = V_MIN(c##i##_0, V_ADD(a0, b0));                                                               \
    c##i##_1 = V_MIN(c##i##_1, V_ADD(a0, b1));
#define MERGE(i)                                                                                             \
    c##i##_0 = V_MIN(c##i##_0, V_LOAD(c + c_row[i] * (size_t)NR));                                           \
    c##i##_1 = V_MIN(c##i##_1, V_LOAD(c + c_row[i] * (size_t)NR + V_LANES));
#define KEEP(i)                                                                                              \
    V_STORE(c + c_row[i] * (size_t)NR, c##i##_0);                                                            \
    V_STORE(c + c_row[i] * (size_t)NR + V_LANES, c##i##_1);
#define TILE(h)                                                                                              \
    RELAX_TARGET static void RELAX(rows_##h)(T * c, const uint32_t *c_row, const A *a, const T *b,           \
                                             const uint32_t *b_row, size_t depth, bool fresh)                \
    {                                                                                                        \
        ROWS_##h(START) for (size_t k = 0; k < depth; k++, a += h)                                           \
        {                                                                                                    \
            const T *from = b + b_row[k] * (size_t)NR;                                                       \
            V a0, b0 = V_LOAD(from), b1 = V_LOAD(from + V_LANES);                                            \
            ROWS_##h(STEP)                                                                                   \
        }                                                                                                    \
        if (!fresh) {                                                                                        \
            ROWS_##h(MERGE)                                                                                  \
        }                                                                                                    \
        ROWS_##h(KEEP)                                                                                       \
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
#undef MERGE
#undef KEEP
#undef TILE

static void (*const RELAX(rows_tiles)[])(T *c, const uint32_t *c_row, const A *a, const T *b,
                                         const uint32_t *b_row, size_t depth, bool fresh) = {
    NULL,          RELAX(rows_1), RELAX(rows_2), RELAX(rows_3),  RELAX(rows_4),
#if MR > 4
    RELAX(rows_5), RELAX(rows_6),
#endif
#if MR > 6
    RELAX(rows_7), RELAX(rows_8), RELAX(rows_9), RELAX(rows_10), RELAX(rows_11), RELAX(rows_12),
#endif
};

static void RELAX(rows_relax)(const struct relax_rows *product)
{
    const A *a = product->a;
    const uint32_t *c_row = product->c_row;
    for (size_t left = product->rows; left > 0;) {
        size_t h = relax_rows_height(left, MR);
        RELAX(rows_tiles)
        [h](product->c, c_row, a, product->b, product->b_row, product->depth, product->fresh);
        a += h * product->depth;
        c_row += h;
        left -= h;
    }
}

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

/* Row r of the result is value r of every row from[..]: 64 bytes of a row at a time stay in the cache. */
static void RELAX(rows_turn)(void *to, size_t stride, const void *from, const uint32_t *row, size_t n,
                             size_t count)
{
    T *out = to;
    const T *in = from;
    for (size_t v = 0; v < n; v++) {
        const T *values = in + row[v] * (size_t)NR;
        for (size_t r = 0; r < count; r++)
            out[r * stride + v] = values[r];
    }
}

static void RELAX(merge)(void *to, size_t ld, const void *from, size_t from_ld, const uint32_t *place,
                         size_t w)
{
    T *c = to;
    const T *p = from;
    for (size_t i = 0; i < w; i++) {
        T *row = c + place[i] * ld;
        for (size_t j = 0; j < w; j++)
            row[place[j]] = row[place[j]] < p[i * from_ld + j] ? row[place[j]] : p[i * from_ld + j];
    }
}

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
