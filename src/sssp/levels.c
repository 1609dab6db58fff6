#include "sssp/levels.h"

#include "base/mem.h"
#include "base/typed.h"

#include <math.h>
#include <string.h>

static void put_unreachable(const struct levels *levels, enum dtype output, size_t at)
{
    const struct dtype_info *info = &dtype_info[output];
    union value value = {.whole = info->unreachable};
    if (info->real)
        value.real = INFINITY;
    typed_put(output, levels->value, at, value);
}

static double add_real(enum dtype computed, double sum, double unit)
{
    return computed == DTYPE_F32 ? (double)((float)sum + (float)unit) : sum + unit;
}

int levels_fill(struct levels *levels, int planes, size_t last, const struct levels_type *type,
                struct apsp_error *error)
{
    const size_t count = (size_t)1 << planes;
    const bool real = dtype_info[type->computed].real, given = dtype_info[type->output].real;
    double sum = 0;
    if (levels->room < count) {
        levels_free(levels);
        levels->value = mem_alloc(mem_bytes(count + 1, dtype_info[type->output].bytes));
        if (!levels->value)
            return error_set(error, APSP_MEMORY, "no memory for %zu levels", count);
        levels->room = count;
    }
    for (size_t level = 0; level <= last && level < count; level++) {
        union value value = {.whole = (int64_t)level * type->unit.whole};
        if (given)
            value.real = real ? sum : (double)value.whole;
        typed_put(type->output, levels->value, level, value);
        sum = real ? add_real(type->computed, sum, type->unit.real) : 0;
    }
    put_unreachable(levels, type->output, count);
    return APSP_OK;
}

void levels_free(struct levels *levels)
{
    mem_free(levels->value);
    *levels = (struct levels){0};
}

enum { SIDE = 64 }; /* of a square, in bits */

/* Word i has bit j: word j gets bit i (H. Warren, Hacker's Delight, 2012, 7-3). */
static void transpose_square(uint64_t word[SIDE])
{
    uint64_t mask = 0xffffffff;
    for (unsigned half = SIDE / 2; half > 0; half /= 2, mask ^= mask << half)
        for (unsigned k = 0; k < SIDE; k = (k + half + 1) & ~half) {
            uint64_t other = (word[k] >> half ^ word[k + half]) & mask;
            word[k] ^= other << half;
            word[k + half] ^= other;
        }
}

/* Byte i gets bit i, as 0 or 1. */
static uint64_t spread_byte(uint64_t bits)
{
    uint64_t each = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (each + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

/* The planes of so many columns, and that of bits which are missing: word r of each is source r's.
 */
static void load_square(uint64_t square[WAVES_PLANES + 1][SIDE], const struct waves *waves,
                        size_t word, const uint32_t *column, size_t columns)
{
    const size_t words = waves->plan.width / 64;
    for (int p = 0; p <= waves->planes; p++) {
        const uint64_t *plane = p < waves->planes ? waves->plane[p] : waves->level.missing;
        for (size_t c = 0; c < columns; c++)
            square[p][c] = plane[column[c] * words + word];
        memset(square[p] + columns, 0, (SIDE - columns) * sizeof square[p][0]);
        transpose_square(square[p]);
    }
}

/* The levels of source r to the columns; where a bit is missing that is 2^planes. */
static void read_levels(uint32_t level[SIDE], uint64_t square[WAVES_PLANES + 1][SIDE], int planes,
                        size_t r)
{
    enum { EIGHT = 8 };
    memset(level, 0, SIDE * sizeof *level);
    for (int low = 0; low <= planes; low += EIGHT)
        for (unsigned c = 0; c < SIDE; c += EIGHT) {
            uint64_t bytes = 0;
            for (int p = low; p <= planes && p < low + EIGHT; p++)
                bytes |= spread_byte(square[p][r] >> c & 0xff) << (p - low);
            for (unsigned i = 0; i < EIGHT; i++)
                level[c + i] |= (uint32_t)(bytes >> EIGHT * i & 0xff) << low;
        }
}

static void look_up(const void *table, const uint32_t *level, size_t columns, size_t bytes,
                    void *row)
{
#define LOOK_UP(T)                                                                                 \
    for (size_t c = 0; c < columns; c++)                                                           \
        ((T *)row)[c] = ((const T *)table)[level[c]];
    switch (bytes) {
    case sizeof(uint16_t):
        LOOK_UP(uint16_t)
        break;
    case sizeof(uint32_t):
        LOOK_UP(uint32_t)
        break;
    default:
        LOOK_UP(uint64_t)
    }
#undef LOOK_UP
}

void levels_rows(const struct levels *levels, const struct waves *waves, enum dtype output,
                 const struct levels_rows *want)
{
    const size_t bytes = dtype_info[output].bytes, first = want->first % SIDE;
    uint64_t square[WAVES_PLANES + 1][SIDE];
    uint32_t level[SIDE];
    for (size_t c = 0, columns; c < want->columns; c += columns) {
        columns = want->columns - c < SIDE ? want->columns - c : SIDE;
        load_square(square, waves, want->first / SIDE, want->column + c, columns);
        for (size_t r = 0; r < want->count; r++) {
            read_levels(level, square, waves->planes, first + r);
            look_up(levels->value, level, columns, bytes,
                    (char *)want->rows + (r * want->stride + c) * bytes);
        }
    }
}
