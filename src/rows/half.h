/*
 * Counts of all rows of an undirected graph from a half of each. A distance there is the same both
 * ways, so one of the two rows that have it can leave it out. The columns count what is left out:
 * their sums, numbers and largest values are added to those of the rows with the same vertices.
 */
#ifndef HALF_H
#define HALF_H

#include "base/dtype.h"
#include "rows/block.h"

/* The columns of a worker, all zero at first. */
struct half_counts {
    const uint32_t *vertex; /* of each column; NULL: by their numbers */
    enum dtype dtype;       /* The integer type of `most`. */
    void *most;
    int64_t *sum;
    uint32_t *reached; /* Rows that reach column j: reached[j] and all before[k], k > j, modulo
                          2^32. */
    uint32_t *before;
};

/* A sink that takes halves. take() gives a worker its columns; NULL: APSP_MEMORY. */
struct half_target {
    void *self;
    struct half_counts *(*take)(void *self, int lane, enum dtype dtype);
};

/* Bytes for n columns. */
size_t half_counts_need(size_t n, enum dtype dtype);
struct half_counts *half_counts_new(size_t n, enum dtype dtype); /* NULL: memory is short */
void half_counts_free(struct half_counts *half);                 /* NULL is allowed */
/* Adds the columns to row[v] of their vertices v. Their largest values go to most[v] alone, as
 * bits.
 */
void half_counts_add(const struct half_counts *half, size_t n, struct row_counts *row,
                     size_t *most);

#endif
