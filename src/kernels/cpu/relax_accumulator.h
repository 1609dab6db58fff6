/* Counts rows of nr values side by side (relax.h), which need not be kept.
 */
#ifndef RELAX_ACCUMULATOR_H
#define RELAX_ACCUMULATOR_H

#include "kernels/cpu/relax.h"

/* A member that is NULL is not counted. */
struct relax_accumulator {
    struct relax_counts *counts;     /* The values at each place of all rows, and */
    struct relax_harmonic *harmonic; /* their harmonic sums. */
    struct relax_spans *spans;       /* The largest and the number of finite values of each row,
                                        and their sum. */
    const struct relax_bins *bins;
};

/* Begins anew, but for the bins, which go on: n rows are to come, of which `count` values are used.
 */
void relax_accumulator_start(const struct relax_accumulator *accumulator, size_t n, size_t count);
/* Adds so many rows, at most 64, whose places begin at that one. */
void relax_accumulator_rows(const struct relax_accumulator *accumulator,
                            const struct relax_kernels *kernels, const void *rows, size_t count,
                            size_t place);
void relax_accumulator_end(const struct relax_accumulator *accumulator,
                           const struct relax_kernels *kernels);

#endif
