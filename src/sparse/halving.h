/* Halves of the rows of neighbours, counted as they are made (rows/half.h). */
#ifndef HALVING_H
#define HALVING_H

#include "base/dtype.h"
#include "base/range.h"
#include "kernels/cpu/relax_accumulator.h"

struct halving {
    const struct relax_accumulator *accumulator; /* with counts, and spans with sums */
    const struct relax_kernels *kernels;
    enum dtype dtype;
    struct range sources; /* their positions, in the order of the rows' values */
};

/* Brings the columns at so many positions from `first` on near, before they are counted. */
void halving_fetch(const struct halving *halving, size_t count, size_t first);

/* Counts the values of vertices at positions from `first` on, in those rows whose sources have
 * later positions, and in their columns. */
void halving_count(const struct halving *halving, const void *rows, size_t count, size_t first);

#endif
