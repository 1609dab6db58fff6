/* The statistics of the counts of all rows: struct apsp_stats (apsp.h), and the files made of it.
 */
#ifndef STATS_H
#define STATS_H

#include "apsp.h"
#include "base/scale.h"
#include "files/staged.h"
#include "graph/names.h"
#include "rows/accumulator.h"
#include "rows/quantile.h"

/* Counts of all ranks. */
struct stats_counts {
    const struct accumulator_plan *plan;
    bool scaled; /* whole distances are given as reals: divided by that */
    struct scale scale;
    size_t rows;
    const uint32_t *vertex; /* of each row; NULL: by their numbers */
    const struct row_counts *row;
    int threads;        /* that make columns; 0: one */
    const double *made; /* For each reduction with a function of rows: a value of each row. */
    struct accumulator_sum sum; /* pairs without those of a vertex and itself */
};

/* All but exact quantiles. APSP_MEMORY; apsp_stats_free in any case. */
int stats_make(struct apsp_stats *stats, const struct stats_counts *counts,
               struct apsp_error *error);

/* The share of quantile q, and the rank that it has among so many pairs. */
double stats_share(int q);
size_t stats_rank(int q, size_t pairs);
/* Whether rows have a floating-point type, and by what whole distances are divided. */
bool stats_are_real(const struct stats_counts *counts);
struct scale stats_scale(const struct stats_counts *counts);
/* The sum of the distances of row k, which are whole; and the sum of 1 / distance, in the caller's
 * unit. */
scale_wide stats_sum(const struct stats_counts *counts, size_t k);
double stats_harmonic(const struct stats_counts *counts, size_t k);
/* As it is given, of the type of the rows. */
struct apsp_value stats_value(const struct stats_counts *counts, union value value);

/* As text, into a staged file. APSP_IO, APSP_MEMORY. */
struct stats_text {
    const struct apsp_stats *stats;
    int threads;          /* that make lines; 0: one */
    struct labels labels; /* what vertices are called */
};
int stats_csv(struct staged *staged, const struct stats_text *text, struct apsp_error *error);
int stats_json(struct staged *staged, const struct stats_text *text, struct apsp_error *error);

/* The histogram as at most so many bars of one width, from `low` on. */
enum { STATS_BARS = 512 };
struct stats_bars {
    double low, width;
    size_t count, pairs[STATS_BARS + 1];
};
struct stats_bars stats_bars(const struct apsp_stats *stats);

/* The histogram as a drawing in SVG; self is one of these. */
struct stats_drawing {
    const struct apsp_stats *stats;
    const char *graph; /* its path */
};
void stats_svg(FILE *out, const void *self);

#endif
