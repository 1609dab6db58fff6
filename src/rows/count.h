/* The counts of a row of distances, which need not be stored itself. */
#ifndef COUNT_H
#define COUNT_H

#include "base/error.h"
#include "base/scale.h"
#include "kernels/reduce.h"
#include "rows/block.h"

struct relax_kernels;

/* The counts of n distances of that type, without the harmonic sum, by kernels of the type. */
struct row_counts count_row(const struct relax_kernels *kernels, enum dtype dtype, const void *row,
                            size_t n);
/* and that, as REDUCTION_ROW adds. */
double count_harmonic(enum dtype dtype, const void *row, size_t n);
/* For i64, if sums do not fit 64 bits, and wrap: row_counts.high, and the sum that the two make.
 */
int64_t count_high(const int64_t *row, size_t n);
scale_wide count_wide(const struct row_counts *counts);

/* Counts so many vertices at an integer distance above 0, whose reciprocal is given; 0: harmonic
 * sums are not wanted. */
static inline void count_equal(struct row_counts *counts, int64_t distance, size_t vertices,
                               double reciprocal)
{
    counts->reached = REDUCE_COUNT(counts->reached, vertices);
    counts->most.whole = REDUCE_MOST(counts->most.whole, distance);
    counts->sum.whole = REDUCE_SUM(counts->sum.whole, distance, (int64_t)vertices);
    counts->harmonic = REDUCE_SUM(counts->harmonic, (double)vertices, reciprocal);
}

/* most[j] = max(.., value j), and reached[j] one more, where value j is finite. */
void count_columns(enum dtype dtype, const void *row, size_t n, void *most, uint32_t *reached);
/* The same from counts of columns. */
void count_merge(const struct column_counts *columns, size_t n, void *most, uint32_t *reached);

/* Bins of width 2^shift: number k has the values from (first + k) 2^shift up to the next. */
struct count_bins {
    int shift;
    double scale; /* 2^-shift */
    int64_t first;
    size_t count;
};

enum { COUNT_BINS = 1 << 24 }; /* at most */

/* As narrow as they can be for values no further from 0 than the bound; of whole ones at least 1
 * wide. */
struct count_bins count_bins(bool real, union value bound, bool negative);
/* For a worker that counts distances while it makes them: pairs(..) is its array of counts, at [k]
 * if the distance is in bin k and at [bins.count] if there is none; NULL when memory is short. */
struct count_target {
    struct count_bins bins;
    void *self;
    uint32_t *(*pairs)(void *self, int lane, size_t more);
};

/* Bins for so many more pairs of a worker. NULL: APSP_MEMORY. */
uint32_t *count_more(const struct count_target *target, int lane, size_t more,
                     struct apsp_error *error);

/* pairs[k] goes up for each finite distance in bin k. */
void count_histogram(enum dtype dtype, const void *row, size_t n, const struct count_bins *bins,
                     uint32_t *pairs);

#endif
