#include "rows/tally.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#ifndef APSP_GPU
const struct tally_device_ops *tally_device(void)
{
    return NULL;
}
#endif

struct tally {
    const struct tally_plan *plan;
    void *most;             /* of each column, of type `dtype`; NULL: columns are not counted */
    uint32_t *reached;      /* rows that reach it; a rank has fewer than 2^32 */
    enum dtype dtype;       /* of the columns as they come, */
    const uint32_t *vertex; /* and their order; both the same in all blocks */
    uint32_t *pairs; /* of each bin, not yet in the sum, and of none; NULL: there are no bins */
    size_t counted;  /* pairs, at most */
};

static size_t place(struct tally *tally, const struct tally_plan *plan, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t columns = plan->counted & APSP_STATS_IN ? plan->n : 0;
    size_t bins = plan->counted & APSP_STATS_HISTOGRAM ? plan->bins.count : 0;
    tally->most = mem_place(&layout, columns, sizeof(union value));
    tally->reached = mem_place(&layout, columns, sizeof *tally->reached);
    tally->pairs = mem_place(&layout, bins > 0 ? bins + 1 : 0, sizeof *tally->pairs);
    return layout.bytes;
}

size_t tally_need(const struct tally_plan *plan)
{
    struct tally tally;
    return place(&tally, plan, NULL);
}

struct tally *tally_new(const struct tally_plan *plan)
{
    struct tally *tally = calloc(1, sizeof *tally);
    void *memory = mem_alloc(tally_need(plan) + 1);
    if (!tally || !memory) {
        free(tally);
        mem_free(memory);
        return NULL;
    }
    place(tally, plan, memory);
    tally->plan = plan;
    tally->dtype = plan->dtype;
    return tally;
}

void tally_free(struct tally *tally)
{
    if (!tally)
        return;
    mem_free(tally->most); /* the first of what is placed */
    free(tally);
}

/* Before a bin of 32 bits may be full. */
static void empty_bins(struct tally *tally, struct tally_sum *sum)
{
#pragma omp critical(tally_pairs)
    for (size_t k = 0; k < tally->plan->bins.count; k++)
        sum->pairs[k] += tally->pairs[k];
    memset(tally->pairs, 0, (tally->plan->bins.count + 1) * sizeof *tally->pairs);
    tally->counted = 0;
}

uint32_t *tally_pairs(struct tally *tally, size_t more, struct tally_sum *sum)
{
    if (tally->counted > UINT32_MAX - more)
        empty_bins(tally, sum);
    tally->counted += more;
    return tally->pairs;
}

static struct row_counts take_row(struct tally *tally, const void *row, struct tally_sum *sum)
{
    const struct tally_plan *plan = tally->plan;
    struct row_counts counts = count_row(plan->dtype, row, plan->n);
    if (plan->counted & APSP_STATS_HARMONIC)
        counts.harmonic = count_harmonic(plan->dtype, row, plan->n);
    if (plan->wide)
        counts.high = count_high(row, plan->n);
    if (plan->counted & APSP_STATS_IN)
        count_columns(plan->dtype, row, plan->n, tally->most, tally->reached);
    if (plan->counted & APSP_STATS_HISTOGRAM)
        count_histogram(plan->dtype, row, plan->n, &plan->bins, tally_pairs(tally, plan->n, sum));
    return counts;
}

void tally_take(struct tally *tally, const struct block *block, struct row_counts *counts,
                struct tally_sum *sum)
{
    if (!block->counts) {
        for (size_t k = 0; k < block->count; k++)
            counts[k] = take_row(tally, block_row(block, k), sum);
        return;
    }
    memcpy(counts, block->counts, block->count * sizeof *counts);
    if (tally->plan->counted & APSP_STATS_IN) {
        tally->dtype = block->columns->dtype;
        tally->vertex = block->columns->vertex;
        count_merge(block->columns, tally->plan->n, tally->most, tally->reached);
    }
}

/* The bits of column j's value as one of 64 bits: those of no negative number, so in their order.
 */
static size_t widen(const struct tally *tally, size_t j)
{
    union value value = {0};
    switch (tally->dtype) {
    case DTYPE_U16:
        value.whole = ((const uint16_t *)tally->most)[j];
        break;
    case DTYPE_I32:
        value.whole = ((const int32_t *)tally->most)[j];
        break;
    case DTYPE_F32:
        value.real = (double)((const float *)tally->most)[j];
        break;
    default:
        value = ((const union value *)tally->most)[j];
    }
    return (size_t)value.whole;
}

void tally_end(struct tally *tally, struct tally_sum *sum)
{
    const struct tally_plan *plan = tally->plan;
    for (size_t j = 0; plan->counted & APSP_STATS_IN && j < plan->n; j++) {
        size_t v = tally->vertex ? tally->vertex[j] : j, most = widen(tally, j);
        sum->most[v] = most > sum->most[v] ? most : sum->most[v];
        sum->reached[v] += tally->reached[j];
    }
    if (plan->counted & APSP_STATS_IN) {
        memset(tally->most, 0, plan->n * sizeof(union value));
        memset(tally->reached, 0, plan->n * sizeof *tally->reached);
    }
    if (plan->counted & APSP_STATS_HISTOGRAM)
        empty_bins(tally, sum);
}
