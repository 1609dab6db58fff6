#include "rows/stats_plan.h"

#include "base/mem.h"
#include "base/text.h"
#include "rows/quantile.h"
#include "rows/reduction.h"

enum { WORDS = sizeof(struct row_counts) / sizeof(size_t) };

bool stats_is_json(const char *name)
{
    return text_has_suffix(name, ".json");
}

bool stats_is_page(const char *name)
{
    return text_has_suffix(name, ".html");
}

/* Whether a sum of n distances fits 63 bits. */
bool stats_fits(const struct sink_task *task)
{
    return task->dtype != DTYPE_I64 || (double)task->n * (double)task->bound.whole < 9e18;
}

/* A table of vertices has no place for what is of all pairs. */
struct accumulator_plan stats_plan(const struct sink_task *task)
{
    const struct results *results = task->results;
    struct accumulator_plan plan = {.n = task->n,
                                    .dtype = task->dtype,
                                    .counted = results->counted | APSP_STATS_OUT,
                                    .wide = !stats_fits(task)};
    if (results->stats && !stats_is_json(results->stats))
        plan.counted &= ~(unsigned)(APSP_STATS_HISTOGRAM | APSP_STATS_EXACT);
    if (results->plot || plan.counted & APSP_STATS_EXACT)
        plan.counted |= APSP_STATS_HISTOGRAM;
    if (plan.counted & APSP_STATS_HISTOGRAM)
        plan.bins = count_bins(dtype_info[task->dtype].real, task->bound, task->negative);
    return plan;
}

/* Whether bins are too wide for the quantiles that are wanted. */
bool stats_narrows(const struct accumulator_plan *plan)
{
    return plan->counted & APSP_STATS_EXACT &&
           (dtype_info[plan->dtype].real || plan->bins.shift > 0);
}

/* Reductions whose values are made from rows on the host. */
size_t stats_made(const struct accumulator_plan *plan)
{
    size_t made = 0;
    while (reductions_made(plan->counted, made))
        made++;
    return made;
}

/* Words of the counts of rows. */
size_t stats_row_words(const struct sink_task *task, const struct accumulator_plan *plan)
{
    return mem_bytes(sink_rows(task), WORDS + stats_made(plan));
}

size_t stats_columns(const struct accumulator_plan *plan)
{
    return plan->counted & APSP_STATS_IN ? plan->n : 0;
}

size_t stats_narrowing_words(const struct accumulator_plan *plan)
{
    return stats_narrows(plan) ? quantile_words(APSP_QUANTILES) : 0;
}

/* At most. */
size_t stats_filled_bins(const struct sink_task *task, const struct accumulator_plan *plan)
{
    double pairs = (double)sink_rows(task) * (double)task->n;
    return pairs < (double)plan->bins.count ? (size_t)pairs : plan->bins.count;
}
