#include "rows/count.h"

#include "kernels/cpu/relax.h"
#include "rows/reduction_row.h"

#include <math.h>

/* As floor() has it, which is a call. */
static inline int64_t whole_below(double x)
{
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

/* The loops over values of one type. */
struct counter {
    void (*columns)(const void *values, size_t n, union value unreachable, void *to,
                    uint32_t *reached);
    void (*merge)(const void *values, size_t n, const uint32_t *more, void *to, uint32_t *reached);
    void (*histogram)(const void *values, size_t n, union value unreachable,
                      const struct count_bins *bins, uint32_t *pairs);
};

#define VALUE          whole
#define FINITE(x, inf) ((x) != (inf))
#define BIN(x, bins)   ((int64_t)(x) >> (bins)->shift)

#define T           uint16_t
#define COUNT(name) count_u16_##name
#include "rows/count_body.h"

#define T           int32_t
#define COUNT(name) count_i32_##name
#include "rows/count_body.h"

#define T           int64_t
#define COUNT(name) count_i64_##name
#include "rows/count_body.h"

#undef VALUE
#undef FINITE
#undef BIN

#define VALUE          real
#define FINITE(x, inf) ((x) < (inf))
#define BIN(x, bins)   whole_below((double)(x) * (bins)->scale)

#define T           float
#define COUNT(name) count_f32_##name
#include "rows/count_body.h"

#define T           double
#define COUNT(name) count_f64_##name
#include "rows/count_body.h"

static const struct counter *const counters[DTYPE_COUNT] = {
    [DTYPE_U16] = &count_u16_counter, [DTYPE_I32] = &count_i32_counter,
    [DTYPE_I64] = &count_i64_counter, [DTYPE_F32] = &count_f32_counter,
    [DTYPE_F64] = &count_f64_counter,
};

static union value unreachable(enum dtype dtype)
{
    if (dtype_info[dtype].real)
        return (union value){.real = INFINITY};
    return (union value){.whole = dtype_info[dtype].unreachable};
}

struct row_counts count_row(const struct relax_kernels *kernels, enum dtype dtype, const void *row,
                            size_t n)
{
    const struct relax_row counts = kernels->row_count(row, n, unreachable(dtype));
    return (struct row_counts){.reached = counts.reached, .most = counts.most, .sum = counts.sum};
}

int64_t count_high(const int64_t *row, size_t n)
{
    int64_t high = 0;
    for (size_t j = 0; j < n; j++)
        high += row[j] != INF_I64 ? row[j] >> 32 : 0;
    return high;
}

/* What is left of the distances is less than 2^32 each. */
scale_wide count_wide(const struct row_counts *counts)
{
    uint64_t high = (uint64_t)counts->high << 32;
    return (scale_wide)counts->high * ((scale_wide)1 << 32) +
           (scale_wide)((uint64_t)counts->sum.whole - high);
}

REDUCTION_ROW(count_harmonic, REDUCE_RECIPROCAL)

void count_columns(enum dtype dtype, const void *row, size_t n, void *most, uint32_t *reached)
{
    counters[dtype]->columns(row, n, unreachable(dtype), most, reached);
}

void count_merge(const struct column_counts *columns, size_t n, void *most, uint32_t *reached)
{
    counters[columns->dtype]->merge(columns->most, n, columns->reached, most, reached);
}

void count_histogram(enum dtype dtype, const void *row, size_t n, const struct count_bins *bins,
                     uint32_t *pairs)
{
    counters[dtype]->histogram(row, n, unreachable(dtype), bins, pairs);
}

uint32_t *count_more(const struct count_target *target, int lane, size_t more,
                     struct apsp_error *error)
{
    uint32_t *pairs = target->pairs(target->self, lane, more);
    if (!pairs)
        error_set(error, APSP_MEMORY, "no memory for a histogram");
    return pairs;
}

static size_t bins_at(double bound, double low, int shift)
{
    return (size_t)(floor(ldexp(bound, -shift)) - floor(ldexp(low, -shift))) + 1;
}

enum { LEAST_SHIFT = -1000 };

struct count_bins count_bins(bool real, union value bound, bool negative)
{
    double most = real ? bound.real : (double)bound.whole, low = negative ? -most : 0;
    int shift = 0;
    if (real && most > 0) {
        (void)frexp(most, &shift);
        shift = shift > LEAST_SHIFT + 25 ? shift - 25 : LEAST_SHIFT; /* its scale is a number */
    }
    while (bins_at(most, low, shift) > COUNT_BINS)
        shift++;
    return (struct count_bins){shift, ldexp(1, -shift), (int64_t)floor(ldexp(low, -shift)),
                               bins_at(most, low, shift)};
}
