#include "sssp/levels.h"

#include "base/mem.h"
#include "base/typed.h"

#include <math.h>

enum {
    SIDE = 64,                       /* of a square, in bits */
    PLANE = SIDE * BITS_LINE / SIDE, /* words of the lines of a plane */
    GROUPS = 8                       /* words of a line of the cache */
};

static void put_unreachable(void *values, enum dtype output, size_t at)
{
    const struct dtype_info *info = &dtype_info[output];
    union value value = {.whole = info->unreachable};
    if (info->real)
        value.real = INFINITY;
    typed_put(output, values, at, value);
}

static double add_real(enum dtype computed, double sum, double unit)
{
    return computed == DTYPE_F32 ? (double)((float)sum + (float)unit) : sum + unit;
}

/* The values that the planes stand for, then the one for unreachable. False: rounding makes some
 * value differ from the sum of those of its binary digits. */
static bool fill_digits(struct levels *levels, int planes, size_t last, enum dtype output)
{
    const bool real = dtype_info[output].real;
    for (int p = 0; p < planes; p++)
        typed_put(output, levels->digit, (size_t)p,
                  typed_get(output, levels->value, (size_t)1 << p));
    put_unreachable(levels->digit, output, (size_t)planes);
    for (size_t level = 3, high = 2; real && level <= last; level++) {
        high = level == 2 * high ? level : high;
        const double low = typed_get(output, levels->value, level - high).real,
                     whole = typed_get(output, levels->value, high).real;
        if (add_real(output, low, whole) != typed_get(output, levels->value, level).real)
            return false;
    }
    return true;
}

/* The number of a level in place of its value; 2^planes where it is missing. */
static void fill_numbers(struct levels *levels, int planes)
{
    int32_t *digit = levels->digit;
    for (int p = 0; p <= planes; p++)
        digit[p] = (int32_t)(UINT64_C(1) << p);
}

int levels_fill(struct levels *levels, int planes, size_t last, const struct levels_type *type,
                struct apsp_error *error)
{
    const size_t count = (size_t)1 << planes, bytes = dtype_info[type->output].bytes;
    const bool real = dtype_info[type->computed].real, given = dtype_info[type->output].real;
    double sum = 0;
    if (levels->room < count) {
        levels_free(levels);
        levels->value = mem_alloc(mem_bytes(count + WAVES_PLANES + 2, bytes));
        if (!levels->value)
            return error_set(error, APSP_MEMORY, "no memory for %zu levels", count);
        levels->room = count;
        levels->digit = (char *)levels->value + (count + 1) * bytes;
    }
    last = last < count ? last : count - 1;
    for (size_t level = 0; level <= last; level++) {
        union value value = {.whole = (int64_t)level * type->unit.whole};
        if (given)
            value.real = real ? sum : (double)value.whole;
        typed_put(type->output, levels->value, level, value);
        sum = real ? add_real(type->computed, sum, type->unit.real) : 0;
    }
    put_unreachable(levels->value, type->output, count);
    levels->adds = fill_digits(levels, planes, last, type->output);
    if (!levels->adds)
        fill_numbers(levels, planes);
    levels->kernels = relax_choose(levels->adds ? type->output : DTYPE_I32, NULL);
    return APSP_OK;
}

/* Words of the lines of so many columns and 64 sources: 64 lines for each plane, and for what is
 * missing. */
static size_t line_words(int planes, size_t columns)
{
    return mem_bytes((columns + BITS_LINE - 1) / BITS_LINE, ((size_t)planes + 1) * PLANE);
}

/* Groups of 64 of so many sources, or those that are transposed together. */
static size_t groups_of(size_t sources)
{
    const size_t groups = (sources + SIDE - 1) / SIDE;
    return groups < GROUPS ? groups : GROUPS;
}

size_t levels_lines(int planes, size_t columns, size_t sources)
{
    return mem_bytes(line_words(planes, columns), groups_of(sources) * sizeof(uint64_t));
}

int levels_open(struct levels *levels, int planes, size_t columns, size_t sources,
                struct apsp_error *error)
{
    const size_t bytes = levels_lines(planes, columns, sources);
    levels->turned = SIZE_MAX;
    levels->sources = sources;
    if (levels->bytes >= bytes)
        return APSP_OK;
    mem_free(levels->line);
    levels->line = mem_alloc(bytes);
    levels->bytes = levels->line ? bytes : 0;
    return levels->line
               ? APSP_OK
               : error_set(error, APSP_MEMORY, "no memory for rows of %zu vertices", columns);
}

void levels_free(struct levels *levels)
{
    mem_free(levels->value);
    mem_free(levels->line);
    *levels = (struct levels){0};
}

/* All lines of some groups of sources from one on, which share lines of the cache. */
static void turn(struct levels *levels, const struct waves *waves, const struct levels_rows *want)
{
    const size_t words = line_words(waves->planes, want->columns),
                 groups = groups_of(levels->sources - levels->turned * SIDE);
    uint64_t *to = levels->line;
    for (size_t c = 0, columns; c < want->columns; c += columns) {
        columns = want->columns - c < BITS_LINE ? want->columns - c : BITS_LINE;
        for (int p = 0; p <= waves->planes; p++, to += PLANE)
            for (size_t g = 0; g < groups; g++)
                waves->kernels->turn((void *)(to + g * words),
                                     p < waves->planes ? waves->plane[p] : waves->level.missing,
                                     levels->turned + g, want->column + c, columns);
    }
}

static void look_up(const void *table, const int32_t *level, size_t columns, size_t bytes,
                    void *row)
{
#define LOOK_UP(T)                                                                                 \
    for (size_t c = 0; c < columns; c++)                                                           \
        ((T *)row)[c] = ((const T *)table)[level[c]];
    if (bytes == sizeof(uint32_t))
        LOOK_UP(uint32_t)
    else
        LOOK_UP(uint64_t)
#undef LOOK_UP
}

/* The rows of some columns, whose lines begin there. */
static void make_columns(const struct levels *levels, const uint64_t *line, size_t planes,
                         enum dtype output, const struct levels_rows *want, size_t first)
{
    const size_t bytes = dtype_info[output].bytes, left = want->columns - first,
                 columns = left < BITS_LINE ? left : BITS_LINE, words = (columns + SIDE - 1) / SIDE;
    int32_t level[BITS_LINE];
    for (size_t r = 0; r < want->count; r++) {
        const struct relax_digits digits = {line + r * (BITS_LINE / SIDE), PLANE, planes,
                                            levels->digit};
        char *to = (char *)want->rows + (r * want->stride + first) * bytes;
        levels->kernels->row_digits(levels->adds ? (void *)to : level, &digits, words);
        if (!levels->adds)
            look_up(levels->value, level, columns, bytes, to);
    }
}

void levels_rows(struct levels *levels, const struct waves *waves, enum dtype output,
                 const struct levels_rows *want)
{
    const size_t planes = (size_t)waves->planes + 1, group = want->first / SIDE,
                 turned = group / GROUPS * GROUPS;
    if (levels->turned != turned) {
        levels->turned = turned;
        turn(levels, waves, want);
    }
    const uint64_t *line = levels->line +
                           (group - turned) * line_words(waves->planes, want->columns) +
                           want->first % SIDE * (BITS_LINE / SIDE);
    for (size_t c = 0; c < want->columns; c += BITS_LINE, line += planes * PLANE)
        make_columns(levels, line, planes, output, want, c);
}
