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
    const uint32_t *vertex; /* The vertex of each column. */
    enum dtype dtype;       /* The integer type of `most`. */
    void *most;
    int64_t *sum;
    uint32_t *reached; /* Rows that reach the column, without those in `before`; modulo 2^32. */
    uint32_t *before;  /* before[k]: rows that reach all columns before k, unless `reached` takes
                          them off again. */
};

/* A sink that takes halves. take() gives a worker its columns, which have these vertices; NULL:
 * APSP_MEMORY. */
struct half_target {
    void *self;
    struct half_counts *(*take)(void *self, int lane, enum dtype dtype, const uint32_t *vertex);
};

/* Bytes for n columns. */
size_t half_counts_need(size_t n, enum dtype dtype);
/* The columns have these vertices, and values of that type. NULL: memory is short. */
struct half_counts *half_counts_new(size_t n, enum dtype dtype, const uint32_t *vertex);
void half_counts_free(struct half_counts *half); /* NULL is allowed */
/* Adds sums and numbers of rows to row[v] of each column's vertex v, and takes the largest value to
 * most[v]. */
void half_counts_add(const struct half_counts *half, size_t n, struct row_counts *row,
                     size_t *most);

#endif
