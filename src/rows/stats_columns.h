/* The columns of statistics: a value of every source for each reduction that has a name. */
#ifndef STATS_COLUMNS_H
#define STATS_COLUMNS_H

#include "rows/reduction.h"
#include "rows/stats.h"

/* The rows of the table that engines and accumulators count. */
extern const struct reduction reduction_most, reduction_sum, reduction_reachable,
    reduction_closeness, reduction_in_most, reduction_in_reachable, reduction_harmonic,
    reduction_histogram, reduction_exact;

struct stats_column {
    const struct reduction *of;
    int64_t *whole; /* The values of integer types; NULL: there are none. */
    double *real;   /* The values of a floating-point type, or of sums some of which are beyond 64
                       bits. */
};

struct apsp_columns {
    size_t count;    /* Columns. */
    int64_t *vertex; /* The vertex of each entry. */
    struct stats_column *column;
};

/* The column of that name, or NULL. */
const struct stats_column *stats_column_find(const struct apsp_columns *columns, const char *name);
/* Bytes, at most. */
size_t stats_columns_need(unsigned counted, size_t rows);
/* APSP_MEMORY; apsp_stats_free in any case. */
int stats_columns_make(struct apsp_stats *stats, const struct stats_counts *counts,
                       struct apsp_error *error);
void stats_columns_free(struct apsp_columns *columns); /* NULL is allowed */

#endif
