#include "rows/stats.h"

#include "base/error.h"
#include "base/text.h"

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
    if (value == -1) /* there is no whole number -0 */
        strcpy(text, "-0");
    if (value % 2 != 0)
        strcat(text, ".5");
}

static bool is_real(const struct stats_counts *counts)
{
    return dtype_info[counts->plan->dtype].real;
}

/* By what whole distances are divided. */
static struct scale scale_of(const struct stats_counts *counts)
{
    return counts->scaled ? counts->scale : (struct scale){0};
}

struct apsp_value stats_value(const struct stats_counts *counts, union value value)
{
    if (is_real(counts))
        return (struct apsp_value){0, value.real};
    if (counts->scaled)
        return (struct apsp_value){0, scale_value(counts->scale, value.whole)};
    return (struct apsp_value){value.whole, (double)value.whole};
}

/* Of the distances of row k, which are whole. */
static scale_wide sum_of(const struct stats_counts *counts, size_t k)
{
    return counts->plan->wide ? count_wide(&counts->row[k]) : counts->row[k].sum.whole;
}

static struct apsp_value sum_value(const struct stats_counts *counts, size_t k)
{
    if (is_real(counts))
        return (struct apsp_value){0, counts->row[k].sum.real};
    scale_wide sum = sum_of(counts, k);
    double real = scale_share(scale_of(counts), sum, 1);
    if (counts->scaled)
        return (struct apsp_value){0, real};
    return (struct apsp_value){sum > INT64_MAX   ? INT64_MAX
                               : sum < INT64_MIN ? INT64_MIN
                                                 : (int64_t)sum,
                               real};
}

static double closeness(const struct apsp_vertex_stats *vertex, size_t n)
{
    double others = (double)vertex->reachable - 1;
    return vertex->sum.real > 0 && n > 1 ? others / (double)(n - 1) * (others / vertex->sum.real)
                                         : 0;
}

static void fill_vertices(struct apsp_stats *stats, const struct stats_counts *counts)
{
    const struct tally_sum *sum = &counts->sum;
    for (size_t k = 0; k < counts->rows; k++) {
        const struct row_counts *row = &counts->row[k];
        struct apsp_vertex_stats *vertex = &stats->vertex[k];
        vertex->vertex = counts->vertex ? counts->vertex[k] : k;
        vertex->reachable = row->reached;
        vertex->most = stats_value(counts, row->most);
        vertex->sum = sum_value(counts, k);
        vertex->closeness = closeness(vertex, stats->vertices);
        vertex->harmonic = row->harmonic * (counts->scaled ? scale_factor(counts->scale) : 1);
        if (sum->most) {
            vertex->in_reachable = sum->reached[vertex->vertex];
            vertex->in_most =
                stats_value(counts, (union value){.whole = (int64_t)sum->most[vertex->vertex]});
        }
    }
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
    const struct scale scale = scale_of(counts);
    scale_wide sum = 0;
    size_t others = stats->pairs - stats->sources;
    for (size_t k = 0; k < stats->sources; k++)
        sum += sum_of(counts, k);
    if (counts->scaled) {
        text_real(stats->sum, scale_share(scale, sum, 1));
        text_real(stats->wiener, scale_share(scale, sum, 2));
    } else {
        print_wide(stats->sum, sum);
        print_half(stats->wiener, sum);
    }
    stats->mean = others > 0 ? scale_share(scale, sum, others) : NAN;
}

static void fill_overall(struct apsp_stats *stats, const struct stats_counts *counts)
{
    const size_t n = stats->vertices;
    double harmonic = 0;
    stats->radius = stats->diameter = stats->vertex[0].most;
    for (size_t k = 0; k < stats->sources; k++) {
        const struct apsp_vertex_stats *vertex = &stats->vertex[k];
        stats->pairs += vertex->reachable;
        stats->diameter = is_more(&vertex->most, &stats->diameter) ? vertex->most : stats->diameter;
        stats->radius = is_more(&stats->radius, &vertex->most) ? vertex->most : stats->radius;
        harmonic += vertex->harmonic;
    }
    for (size_t k = 0; k < stats->sources; k++) {
        stats->peripheral += is_equal(&stats->vertex[k].most, &stats->diameter);
        stats->central += is_equal(&stats->vertex[k].most, &stats->radius);
    }
    (is_real(counts) ? fill_real_sums : fill_whole_sums)(stats, counts);
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
            stats_value(counts, pairs > 0 ? quantile_least(is_real(counts), bins, (int64_t)k)
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
                stats_value(counts, quantile_least(is_real(counts), bins, (int64_t)k)), pairs[k]};
    stats->width =
        stats_value(counts, is_real(counts) ? (union value){.real = ldexp(1, bins->shift)}
                                            : (union value){.whole = (int64_t)1 << bins->shift});
    stats->exact = !is_real(counts) && bins->shift == 0;
    fill_quantiles(stats, counts);
    return APSP_OK;
}

int stats_make(struct apsp_stats *stats, const struct stats_counts *counts,
               struct apsp_error *error)
{
    *stats = (struct apsp_stats){.counted = counts->plan->counted,
                                 .real = is_real(counts) || counts->scaled,
                                 .vertices = counts->plan->n,
                                 .sources = counts->rows,
                                 .vertex = calloc(counts->rows + 1, sizeof *stats->vertex)};
    if (!stats->vertex)
        return error_set(error, APSP_MEMORY, "no memory for the statistics of %zu vertices",
                         counts->rows);
    fill_vertices(stats, counts);
    fill_overall(stats, counts);
    return counts->sum.pairs ? fill_histogram(stats, counts, error) : APSP_OK;
}

void apsp_stats_free(struct apsp_stats *stats)
{
    free(stats->bin);
    free(stats->vertex);
    *stats = (struct apsp_stats){0};
}
