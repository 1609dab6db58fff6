/* The counts of a block of rows that an engine on cores makes side by side, without the rows. */
#ifndef COUNTED_H
#define COUNTED_H

#include "apsp.h"
#include "base/error.h"
#include "base/mem.h"
#include "kernels/cpu/relax_accumulator.h"
#include "rows/block.h"
#include "rows/count.h"
#include "rows/half.h"

/* Work space of one thread. The columns lack the order of their vertices. */
struct counted {
    size_t n;
    unsigned wanted; /* APSP_STATS_.. */
    struct relax_accumulator accumulator;
    struct relax_bins bins;
    struct row_counts *counts;
    struct column_counts columns;
};

/* These counts can be made, of whole distances without potentials. */
enum { COUNTED = APSP_STATS_OUT | APSP_STATS_IN | APSP_STATS_HARMONIC | APSP_STATS_HISTOGRAM };

/* Its parts, for rows of n vertices of an integer type; `halves` are counted as well, in the arrays
 * of counted_halve. */
void counted_place(struct counted *counted, struct mem_layout *layout, enum dtype dtype, size_t n,
                   unsigned wanted, bool halves);
void counted_halve(struct counted *counted, const struct half_counts *half);

/* Begins a block of `count` rows; pairs go to the worker's bins of that target. APSP_MEMORY. */
int counted_start(struct counted *counted, const struct count_target *target, int lane,
                  size_t count, struct apsp_error *error);
/* Fills the counts of the block, after its last row. */
void counted_end(struct counted *counted, size_t count, struct block *block);

#endif
