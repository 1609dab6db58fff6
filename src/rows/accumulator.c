#include "rows/accumulator.h"

#include "base/mem.h"
#include "base/typed.h"
#include "kernels/cpu/relax.h"

#include <string.h>

#ifndef APSP_GPU
const struct accumulator_device_ops *accumulator_device(void)
{
    return NULL;
}
#endif

struct accumulator {
    const struct accumulator_plan *plan;
    const struct relax_kernels *kernels;
    void *most;             /* of each column, of type `dtype`; NULL: columns are not counted */
    uint32_t *reached;      /* rows that reach it; a rank has fewer than 2^32 */
    enum dtype dtype;       /* of the columns as they come, */
    const uint32_t *vertex; /* and their order; both the same in all blocks */
    uint32_t *pairs; /* of each bin, not yet in the sum, and of none; NULL: there are no bins */
    size_t counted;  /* pairs, at most */
};

static size_t accumulator_layout(struct accumulator *accumulator,
                                 const struct accumulator_plan *plan, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t columns = plan->counted & APSP_STATS_IN ? plan->n : 0;
    size_t bins = plan->counted & APSP_STATS_HISTOGRAM ? plan->bins.count : 0;
    mem_place(&layout, 1, sizeof *accumulator);
    accumulator->most = mem_place(&layout, columns, sizeof(union value));
    accumulator->reached = mem_place(&layout, columns, sizeof *accumulator->reached);
    accumulator->pairs = mem_place(&layout, bins > 0 ? bins + 1 : 0, sizeof *accumulator->pairs);
    return layout.bytes;
}

size_t accumulator_need(const struct accumulator_plan *plan)
{
    struct accumulator accumulator;
    return accumulator_layout(&accumulator, plan, NULL);
}

struct accumulator *accumulator_new(const struct accumulator_plan *plan)
{
    struct accumulator *accumulator = mem_alloc(accumulator_need(plan));
    if (!accumulator)
        return NULL;
    accumulator_layout(accumulator, plan, accumulator);
    accumulator->plan = plan;
    accumulator->kernels = relax_choose(plan->dtype, NULL);
    accumulator->dtype = plan->dtype;
    return accumulator;
}

void accumulator_free(struct accumulator *accumulator)
{
    mem_free(accumulator);
}

/* Before a bin of 32 bits may be full. */
static void empty_bins(struct accumulator *accumulator, struct accumulator_sum *sum)
{
#pragma omp critical(accumulator_pairs)
    for (size_t k = 0; k < accumulator->plan->bins.count; k++)
        sum->pairs[k] += accumulator->pairs[k];
    memset(accumulator->pairs, 0, (accumulator->plan->bins.count + 1) * sizeof *accumulator->pairs);
    accumulator->counted = 0;
}

uint32_t *accumulator_pairs(struct accumulator *accumulator, size_t more,
                            struct accumulator_sum *sum)
{
    if (accumulator->counted > UINT32_MAX - more)
        empty_bins(accumulator, sum);
    accumulator->counted += more;
    return accumulator->pairs;
}

static struct row_counts take_row(struct accumulator *accumulator, const void *row,
                                  struct accumulator_sum *sum)
{
    const struct accumulator_plan *plan = accumulator->plan;
    struct row_counts counts = count_row(accumulator->kernels, plan->dtype, row, plan->n);
    if (plan->counted & APSP_STATS_HARMONIC)
        counts.harmonic = count_harmonic(plan->dtype, row, plan->n);
    if (plan->wide)
        counts.high = count_high(row, plan->n);
    if (plan->counted & APSP_STATS_IN)
        count_columns(plan->dtype, row, plan->n, accumulator->most, accumulator->reached);
    if (plan->counted & APSP_STATS_HISTOGRAM)
        count_histogram(plan->dtype, row, plan->n, &plan->bins,
                        accumulator_pairs(accumulator, plan->n, sum));
    return counts;
}

void accumulator_take(struct accumulator *accumulator, const struct block *block,
                      struct row_counts *counts, struct accumulator_sum *sum)
{
    if (!block->counts) {
        for (size_t k = 0; k < block->count; k++)
            counts[k] = take_row(accumulator, block_row(block, k), sum);
        return;
    }
    memcpy(counts, block->counts, block->count * sizeof *counts);
    if (accumulator->plan->counted & APSP_STATS_IN) {
        accumulator->dtype = block->columns->dtype;
        accumulator->vertex = block->columns->vertex;
        count_merge(block->columns, accumulator->plan->n, accumulator->most, accumulator->reached);
    }
}

/* The bits of column j's value as one of 64 bits: those of no negative number, so in their order.
 */
static size_t widen(const struct accumulator *accumulator, size_t j)
{
    return (size_t)typed_get(accumulator->dtype, accumulator->most, j).whole;
}

void accumulator_end(struct accumulator *accumulator, struct accumulator_sum *sum)
{
    const struct accumulator_plan *plan = accumulator->plan;
    for (size_t j = 0; plan->counted & APSP_STATS_IN && j < plan->n; j++) {
        size_t v = accumulator->vertex ? accumulator->vertex[j] : j, most = widen(accumulator, j);
        sum->most[v] = most > sum->most[v] ? most : sum->most[v];
        sum->reached[v] += accumulator->reached[j];
    }
    if (plan->counted & APSP_STATS_IN) {
        memset(accumulator->most, 0, plan->n * sizeof(union value));
        memset(accumulator->reached, 0, plan->n * sizeof *accumulator->reached);
    }
    if (plan->counted & APSP_STATS_HISTOGRAM)
        empty_bins(accumulator, sum);
}
