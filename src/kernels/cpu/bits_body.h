/*
 * One instance of the kernels of bits.h. The including file defines
 *   RELAX_TARGET, RELAX_ISA   as for relax_body.h
 *   BITS(name)                the instance's name for a function
 *   BITS_WIDTH                bits of a row
 *   BITS_BYTES                bytes of a vector
 *   BITS_NONE(v)              whether a vector has no bit
 * and gets BITS(kernels); BITS and BITS_WIDTH are then free again.
 */
enum {
    BITS(words) = BITS_WIDTH / 64,                /* of a row */
    BITS(vectors) = BITS_WIDTH / (8 * BITS_BYTES) /* of a row */
};
typedef uint64_t BITS(vector) __attribute__((vector_size(BITS_BYTES)));

RELAX_TARGET static inline BITS(vector) BITS(load)(const uint64_t *from, size_t k)
{
    BITS(vector) v;
    memcpy(&v, from + k * (BITS_BYTES / 8), sizeof v);
    return v;
}

RELAX_TARGET static inline void BITS(store)(uint64_t *to, size_t k, BITS(vector) v)
{
    memcpy(to + k * (BITS_BYTES / 8), &v, sizeof v);
}

/* Takes the bits of a row from those that are left; false once none is. */
RELAX_TARGET static inline __attribute__((always_inline)) bool
BITS(take)(BITS(vector) left[BITS(vectors)], const uint64_t *row)
{
    BITS(vector) any = {0};
#pragma GCC unroll 64
    for (size_t k = 0; k < BITS(vectors); k++) {
        left[k] &= ~BITS(load)(row, k);
        any |= left[k];
    }
    return !BITS_NONE(any);
}

/* Vertex v gets what it missed and is no longer left. Returns whether some is. */
RELAX_TARGET static inline __attribute__((always_inline)) bool
BITS(settle)(struct bits_level *level, uint32_t v, const BITS(vector) left[BITS(vectors)])
{
    uint64_t *missing = level->missing + (size_t)v * BITS(words),
             *next = level->next + (size_t)v * BITS(words);
    const uint64_t *live = level->live;
    BITS(vector) got = {0}, any = {0};
#pragma GCC unroll 64
    for (size_t k = 0; k < BITS(vectors); k++) {
        got |= BITS(load)(missing, k) & BITS(load)(live, k) & ~left[k];
        any |= left[k];
    }
    if (!BITS_NONE(got)) {
#pragma GCC unroll 64
        for (size_t k = 0; k < BITS(vectors); k++) {
            BITS(store)(next, k, BITS(load)(missing, k) & BITS(load)(live, k) & ~left[k]);
            BITS(store)(missing, k, BITS(load)(missing, k) & (~BITS(load)(live, k) | left[k]));
        }
        level->now[v / 64] |= (uint64_t)1 << v % 64;
        level->found[level->count++] = v;
    }
    return !BITS_NONE(any);
}

/* Finds the active ones of the in-neighbours lo .. hi - 1, and asks for their rows. */
RELAX_TARGET static inline size_t BITS(gather)(const struct bits_level *level, size_t lo, size_t hi,
                                               uint32_t *pool)
{
    size_t count = 0;
    for (size_t e = lo; e < hi; e++) {
        uint32_t u = level->from[e];
        pool[count] = u;
        count += level->active[u / 64] >> u % 64 & 1;
    }
    for (size_t i = 0; i < count && i < BITS_FETCHED; i++)
        for (size_t line = 0; line < BITS(words); line += 8)
            __builtin_prefetch(level->front + (size_t)pool[i] * BITS(words) + line);
    return count;
}

/* A vertex whose first in-neighbours are in the pool; the others begin at e. Returns whether it
 * still misses some. */
RELAX_TARGET static inline bool BITS(pull_one)(struct bits_level *level, uint32_t v,
                                               const uint32_t *pool, size_t count, size_t e)
{
    const size_t end = level->start[v + 1];
    const uint64_t *missing = level->missing + (size_t)v * BITS(words);
    uint32_t more[BITS_SCANNED];
    BITS(vector) left[BITS(vectors)];
    bool open = true;
    if (count == 0 && e == end)
        return true;
#pragma GCC unroll 64
    for (size_t k = 0; k < BITS(vectors); k++)
        left[k] = BITS(load)(missing, k) & BITS(load)(level->live, k);
    for (;;) {
        for (size_t i = 0; i < count && open; i++)
            open = BITS(take)(left, level->front + (size_t)pool[i] * BITS(words));
        if (!open || e == end)
            break;
        size_t part = end - e < BITS_SCANNED ? end - e : BITS_SCANNED;
        count = BITS(gather)(level, e, e + part, more);
        pool = more;
        e += part;
    }
    return BITS(settle)(level, v, left);
}

/* Some vertices at a time: the rows that they are to read are on their way before they are read. */
RELAX_TARGET static void BITS(pull)(struct bits_level *level, size_t first, size_t last)
{
    uint32_t pool[BITS_BLOCK * BITS_SCANNED], vertex[BITS_BLOCK];
    size_t count[BITS_BLOCK], next[BITS_BLOCK];
    for (size_t part; first < last; first += part) {
        part = last - first < BITS_BLOCK ? last - first : BITS_BLOCK;
        for (size_t i = 0; i < part; i++) {
            uint32_t v = vertex[i] = level->open[first + i];
            size_t e = level->start[v], end = level->start[v + 1];
            next[i] = end - e < BITS_SCANNED ? end : e + BITS_SCANNED;
            count[i] = BITS(gather)(level, e, next[i], pool + i * BITS_SCANNED);
        }
        for (size_t i = 0; i < part; i++)
            if (BITS(pull_one)(level, vertex[i], pool + i * BITS_SCANNED, count[i], next[i]))
                level->open[level->kept++] = vertex[i];
    }
}

/* Adds a row of digits of weight 2^p. */
RELAX_TARGET static inline void BITS(carry)(struct bits_counter *counter, size_t k, int p,
                                            BITS(vector) digits)
{
    for (; !BITS_NONE(digits); p++) {
        uint64_t *plane = counter->plane + (size_t)p * BITS(words);
        BITS(vector) sum = BITS(load)(plane, k);
        BITS(store)(plane, k, sum ^ digits);
        digits &= sum;
        counter->used = counter->used > p ? counter->used : p + 1;
    }
}

/* *sum and two more digits of one weight: their sum, and the carry. */
RELAX_TARGET static inline BITS(vector)
    BITS(add)(BITS(vector) * sum, BITS(vector) a, BITS(vector) b)
{
    BITS(vector) half = *sum ^ a, carry = (*sum & a) | (half & b);
    *sum = half ^ b;
    return carry;
}

/* Seven full adders make one digit of weight 8 of eight rows (W. Mula et al., Faster population
 * counts using AVX2 instructions, Computer Journal 61(1), 2018). */
RELAX_TARGET static void BITS(count)(struct bits_counter *counter, const uint64_t *rows,
                                     const uint32_t *vertex, size_t count)
{
    for (size_t k = 0; k < BITS(vectors); k++) {
        BITS(vector) ones = {0}, twos = {0}, fours = {0};
        size_t i = 0;
#define BITS_ROW(j) BITS(load)(rows + (size_t)vertex[i + j] * BITS(words), k)
        for (; i + 8 <= count; i += 8) {
            BITS(vector) a = BITS(add)(&ones, BITS_ROW(0), BITS_ROW(1));
            BITS(vector) b = BITS(add)(&ones, BITS_ROW(2), BITS_ROW(3));
            BITS(vector) low = BITS(add)(&twos, a, b);
            a = BITS(add)(&ones, BITS_ROW(4), BITS_ROW(5));
            b = BITS(add)(&ones, BITS_ROW(6), BITS_ROW(7));
            BITS(carry)(counter, k, 3, BITS(add)(&fours, low, BITS(add)(&twos, a, b)));
        }
        for (; i < count; i++)
            BITS(carry)(counter, k, 0, BITS_ROW(0));
#undef BITS_ROW
        BITS(carry)(counter, k, 0, ones);
        BITS(carry)(counter, k, 1, twos);
        BITS(carry)(counter, k, 2, fours);
    }
}

/* Three of the six passes that transpose squares (H. Warren, Hacker's Delight, 2012, 7-3). Each
 * word of a line is in a square of its own. Rows four, two and one `step` apart swap bits as far
 * apart. */
RELAX_TARGET static inline __attribute__((always_inline)) void BITS(swap_rows)(uint64_t *line,
                                                                               unsigned step)
{
    BITS(vector) row[8];
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
        row[i] = BITS(load)(line + i * step * BITS_LINE / 64, 0);
#pragma GCC unroll 3
    for (unsigned half = 4; half > 0; half /= 2) {
        const unsigned shift = half * step;
        const uint64_t mask = UINT64_MAX / (((uint64_t)1 << shift) + 1);
#pragma GCC unroll 8
        for (size_t i = 0; i < 8; i++) {
            if (i & half)
                continue;
            const BITS(vector) other = (row[i] >> shift ^ row[i + half]) & mask;
            row[i] ^= other << shift;
            row[i + half] ^= other;
        }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++)
        BITS(store)(line + i * step * BITS_LINE / 64, 0, row[i]);
}

RELAX_TARGET static void BITS(turn)(uint64_t to[64][BITS_LINE / 64], const uint64_t *rows,
                                    size_t word, const uint32_t *vertex, size_t count)
{
    enum { WORDS = BITS_LINE / 64, SIDE = 8, VECTOR = BITS_BYTES / sizeof(uint64_t) };
    for (size_t c = 0; c < count; c++)
        to[c % 64][c / 64] = rows[(size_t)vertex[c] * BITS(words) + word];
    for (size_t i = 0; i < SIDE; i++)
        for (size_t k = 0; k < WORDS; k += VECTOR)
            BITS(swap_rows)(&to[i][k], SIDE);
    for (size_t i = 0; i < SIDE; i++)
        for (size_t k = 0; k < WORDS; k += VECTOR)
            BITS(swap_rows)(&to[i * SIDE][k], 1);
}

RELAX_TARGET static size_t BITS(ones)(const uint64_t *row)
{
    size_t ones = 0;
    for (size_t i = 0; i < BITS(words); i++)
        ones += (size_t)__builtin_popcountll(row[i]);
    return ones;
}

static const struct bits_kernels BITS(kernels) = {
    .name = RELAX_ISA,
    .width = BITS_WIDTH,
    .pull = BITS(pull),
    .count = BITS(count),
    .turn = BITS(turn),
    .ones = BITS(ones),
};

#undef BITS
#undef BITS_WIDTH
