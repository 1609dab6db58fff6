/*
 * Accumulators of blocks of rows, in addition to the counts of each row: of the columns, and of all
 * values. Each worker has an accumulator of its own, so workers do not wait for each other; sums of
 * integers and maxima do not depend on the division of the rows.
 */
#ifndef ACCUMULATOR_H
#define ACCUMULATOR_H

#include "apsp.h"
#include "rows/count.h"

struct accumulator_plan {
    size_t n;
    enum dtype dtype; /* of the rows */
    unsigned counted; /* APSP_STATS_.. */
    bool wide;        /* sums of rows do not fit 64 bits: these are i64, and on the host */
    struct count_bins bins;
};

/* The totals over all workers and ranks; counts that were not requested are NULL. Zeroed to begin
 * with. */
struct accumulator_sum {
    size_t *most;    /* of each vertex: the bits of a value that is at least 0, in its order */
    size_t *reached; /* rows that reach it */
    size_t *pairs;   /* of each bin */
};

struct accumulator;

size_t accumulator_need(const struct accumulator_plan *plan);
/* NULL when memory is short. The plan stays. */
struct accumulator *accumulator_new(const struct accumulator_plan *plan);
void accumulator_free(struct accumulator *accumulator); /* NULL is allowed */

/* Bins to count so many more pairs in (struct count_target), which are in no block then. */
uint32_t *accumulator_pairs(struct accumulator *accumulator, size_t more,
                            struct accumulator_sum *sum);
/* Takes the block, and gives what its rows show, count of them, in counts[]. The sum is of all
 * workers. */
void accumulator_take(struct accumulator *accumulator, const struct block *block,
                      struct row_counts *counts, struct accumulator_sum *sum);
/* Moves what the worker has to the sum, when no other does. */
void accumulator_end(struct accumulator *accumulator, struct accumulator_sum *sum);

/* The same for blocks in the memory of a device, of one rank: one for all its workers, each of
 * which has a number and takes from one thread at a time. Made by the first block. */
struct accumulator_device;

struct accumulator_device_ops {
    size_t (*need)(const struct accumulator_plan *plan); /* of the device's memory */
    /* On the device that the thread uses. APSP_MEMORY; The pointer is then NULL. */
    int (*open)(struct accumulator_device **accumulator, const struct accumulator_plan *plan,
                struct apsp_error *error);
    int (*take)(struct accumulator_device *accumulator, int lane, const struct block *block,
                struct row_counts *counts, struct apsp_error *error); /* APSP_MEMORY */
    void (*end)(struct accumulator_device *accumulator, struct accumulator_sum *sum);
    void (*free)(struct accumulator_device *accumulator);
};

/* NULL: this build knows no device with memory of its own. */
const struct accumulator_device_ops *accumulator_device(void);

#endif
