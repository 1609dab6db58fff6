#include "rows/stats.h"

#include "base/error.h"
#include "base/text.h"
#include "rows/stats_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 unsigned_wide;

static void print_wide(char text[48], scale_wide value)
{
    char digits[48], *at = digits + sizeof digits;
    bool negative = value < 0;
    unsigned_wide rest = negative ? -(unsigned_wide)value : (unsigned_wide)value;
    *--at = '\0';
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (negative)
        *--at = '-';
    memcpy(text, at, (size_t)(digits + sizeof digits - at));
}

static void print_half(char text[48], scale_wide value)
{
    print_wide(text, value / 2);
    if (value == -1) /* there is no integer -0 */
        strcpy(text, "-0");
    if (value % 2 != 0)
        strcat(text, ".5");
}

static bool is_more(const struct apsp_value *a, const struct apsp_value *b)
{
    return a->whole != b->whole ? a->whole > b->whole : a->real > b->real;
}

static bool is_equal(const struct apsp_value *a, const struct apsp_value *b)
{
    return !is_more(a, b) && !is_more(b, a);
}

static void fill_real_sums(struct apsp_stats *stats, const struct stats_counts *counts)
{
    double sum = 0;
    size_t others = stats->pairs - stats->sources;
    for (size_t k = 0; k < stats->sources; k++)
        sum += counts->row[k].sum.real;
    text_real(stats->sum, sum);
    text_real(stats->wiener, sum / 2);
    stats->mean = others > 0 ? sum / (double)others : NAN;
}

/* Exact, or by a scale, and in the mean, rounded once. */
static void fill_whole_sums(struct apsp_stats *stats, const struct stats_counts *counts)
{
    const struct scale scale = stats_scale(counts);
    scale_wide sum = 0;
    size_t others = stats->pairs - stats->sources;
    for (size_t k = 0; k < stats->sources; k++)
        sum += stats_sum(counts, k);
    if (counts->scaled) {
        text_real(stats->sum, scale_share(scale, sum, 1));
        text_real(stats->wiener, scale_share(scale, sum, 2));
    } else {
        print_wide(stats->sum, sum);
        print_half(stats->wiener, sum);
    }
    stats->mean = others > 0 ? scale_share(scale, sum, others) : NAN;
}

static struct apsp_value most_of(const struct stats_counts *counts, size_t k)
{
    return counts->rows > 0 ? stats_value(counts, counts->row[k].most) : (struct apsp_value){0};
}

static void fill_overall(struct apsp_stats *stats, const struct stats_counts *counts)
{
    const size_t n = stats->vertices;
    double harmonic = 0;
    stats->radius = stats->diameter = most_of(counts, 0);
    for (size_t k = 0; k < stats->sources; k++) {
        const struct apsp_value most = most_of(counts, k);
        stats->pairs += counts->row[k].reached;
        stats->diameter = is_more(&most, &stats->diameter) ? most : stats->diameter;
        stats->radius = is_more(&stats->radius, &most) ? most : stats->radius;
        harmonic += stats_harmonic(counts, k);
    }
    for (size_t k = 0; k < stats->sources; k++) {
        const struct apsp_value most = most_of(counts, k);
        stats->peripheral += is_equal(&most, &stats->diameter);
        stats->central += is_equal(&most, &stats->radius);
    }
    (stats_are_real(counts) ? fill_real_sums : fill_whole_sums)(stats, counts);
    stats->unreachable = stats->sources * n - stats->pairs;
    stats->efficiency = n > 1 ? harmonic / ((double)stats->sources * (double)(n - 1)) : 0;
}

double stats_share(int q)
{
    static const double shares[APSP_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
    return shares[q];
}

/* The shares are hundredths. */
size_t stats_rank(int q, size_t pairs)
{
    size_t hundredths = (size_t)lround(100 * stats_share(q));
    size_t rank = pairs / 100 * hundredths + (pairs % 100 * hundredths + 99) / 100;
    return rank > 0 ? rank : 1;
}

static void fill_quantiles(struct apsp_stats *stats, const struct stats_counts *counts)
{
    const struct count_bins *bins = &counts->plan->bins;
    size_t k = 0, below = 0, pairs = stats->pairs - stats->sources;
    for (int q = 0; q < APSP_QUANTILES; q++) {
        stats->quantile[q].share = stats_share(q);
        while (pairs > 0 && below + counts->sum.pairs[k] < stats_rank(q, pairs))
            below += counts->sum.pairs[k++];
        stats->quantile[q].at =
            stats_value(counts, pairs > 0 ? quantile_least(stats_are_real(counts), bins, (int64_t)k)
                                          : (union value){0});
    }
}

static int fill_histogram(struct apsp_stats *stats, const struct stats_counts *counts,
                          struct apsp_error *error)
{
    const struct count_bins *bins = &counts->plan->bins;
    const size_t *pairs = counts->sum.pairs;
    for (size_t k = 0; k < bins->count; k++)
        stats->bins += pairs[k] > 0;
    stats->bin = calloc(stats->bins + 1, sizeof *stats->bin);
    if (!stats->bin)
        return error_set(error, APSP_MEMORY, "no memory for a histogram of %zu bins", stats->bins);
    for (size_t k = 0, at = 0; k < bins->count; k++)
        if (pairs[k] > 0)
            stats->bin[at++] = (struct apsp_bin){
                stats_value(counts, quantile_least(stats_are_real(counts), bins, (int64_t)k)),
                pairs[k]};
    stats->width = stats_value(counts, stats_are_real(counts)
                                           ? (union value){.real = ldexp(1, bins->shift)}
                                           : (union value){.whole = (int64_t)1 << bins->shift});
    stats->exact = !stats_are_real(counts) && bins->shift == 0;
    fill_quantiles(stats, counts);
    return APSP_OK;
}

int stats_make(struct apsp_stats *stats, const struct stats_counts *counts,
               struct apsp_error *error)
{
    *stats = (struct apsp_stats){.counted = counts->plan->counted,
                                 .real = stats_are_real(counts) || counts->scaled,
                                 .vertices = counts->plan->n,
                                 .sources = counts->rows};
    if (stats_columns_make(stats, counts, error))
        return error->code;
    fill_overall(stats, counts);
    return counts->sum.pairs ? fill_histogram(stats, counts, error) : APSP_OK;
}

void apsp_stats_free(struct apsp_stats *stats)
{
    free(stats->bin);
    stats_columns_free(stats->columns);
    *stats = (struct apsp_stats){0};
}
