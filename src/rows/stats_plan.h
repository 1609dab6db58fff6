/* The counts that the sink of statistics makes, and the sizes of its parts. */
#ifndef STATS_PLAN_H
#define STATS_PLAN_H

#include "rows/accumulator.h"
#include "rows/sink.h"

/* Whether the file of that name has what is of all pairs, and not a table of vertices alone. */
bool stats_is_json(const char *name);
/* Whether it is a page (page.h). */
bool stats_is_page(const char *name);
/* Whether a sum of n distances fits 63 bits. */
bool stats_fits(const struct sink_task *task);
struct accumulator_plan stats_plan(const struct sink_task *task);
/* Whether bins are too wide for the quantiles that are wanted. */
bool stats_narrows(const struct accumulator_plan *plan);

/* The number of reductions whose values are made from rows on the host. */
size_t stats_made(const struct accumulator_plan *plan);
/* Words of the counts of all rows. */
size_t stats_row_words(const struct sink_task *task, const struct accumulator_plan *plan);
/* The number of columns that are counted. */
size_t stats_columns(const struct accumulator_plan *plan);
/* Words that a worker needs to narrow quantiles. */
size_t stats_narrowing_words(const struct accumulator_plan *plan);
/* Bins that are not empty, at most. */
size_t stats_filled_bins(const struct sink_task *task, const struct accumulator_plan *plan);

#endif
