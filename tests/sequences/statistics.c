/* Statistics of all distances. */
#include "sequences.h"

#include "column_at.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The counts of a row or a column. */
struct line {
    size_t reached;
    double most, sum, size, harmonic; /* size: of the absolute values */
};

static struct line line_of(const double *at, size_t n, size_t step)
{
    struct line line = {0};
    for (size_t k = 0; k < n; k++, at += step) {
        if (isinf(*at))
            continue;
        line.reached++;
        line.most = fmax(line.most, *at);
        line.sum += *at;
        line.size += fabs(*at);
        line.harmonic += *at != 0 ? 1 / *at : 0;
    }
    return line;
}

/* Sums of so many distances, in any order. */
static bool is_sum(const struct slot *slot, double found, double right, double size)
{
    const double n = slot->sample->n;
    return fabs(found - right) <= 1e-12 * size + n * n * slot->tolerance;
}

static bool is_value(const struct slot *slot, double found, double right)
{
    return fabs(found - right) <= slot->tolerance;
}

/* A sum of 1 / distance, which a rounded distance near 0 changes most. */
static bool is_harmonic(const struct slot *slot, double found, double right, double size)
{
    const double least = slot->sample->irregular ? 0.25 : 1 / slot->sample->factor;
    const double slack = slot->tolerance / (least * least);
    return fabs(found - right) <= (1e-12 + slack) * (size + fabs(right) + 1);
}

static void vertices_check(const struct question *question, const struct apsp_stats *stats)
{
    const struct slot *slot = question->slot;
    const size_t n = slot->sample->n;
    for (size_t v = 0; v < n; v++) {
        const struct line out = line_of(slot->sample->distance + v * n, n, 1),
                          in = line_of(slot->sample->distance + v, n, n);
        const double reached = column_at(stats, "reachable", v),
                     most = column_at(stats, "eccentricity", v), sum = column_at(stats, "sum", v),
                     close = column_at(stats, "closeness", v),
                     harmonic = column_at(stats, "harmonic", v),
                     in_reached = column_at(stats, "in_reachable", v),
                     in_most = column_at(stats, "in_eccentricity", v),
                     others = (double)out.reached - 1,
                     right = sum > 0 && n > 1 ? others * others / (double)(n - 1) / sum : 0;
        if (column_at(stats, "vertex", v) != (double)v || reached != (double)out.reached ||
            !is_value(slot, most, out.most) || !is_sum(slot, sum, out.sum, out.size) ||
            !(fabs(close - right) <= 1e-12 * right))
            wrong(question,
                  "vertex %zu: reaches %g, most %g, sum %g, closeness %g, not %zu, %g, %g, %g", v,
                  reached, most, sum, close, out.reached, out.most, out.sum, right);
        if (stats->counted & APSP_STATS_HARMONIC &&
            !is_harmonic(slot, harmonic, out.harmonic, (double)out.reached))
            wrong(question, "vertex %zu: harmonic %g, not %g", v, harmonic, out.harmonic);
        if (stats->counted & APSP_STATS_IN &&
            (in_reached != (double)in.reached || !is_value(slot, in_most, in.most)))
            wrong(question, "vertex %zu: reached by %g, most %g, not %zu, %g", v, in_reached,
                  in_most, in.reached, in.most);
    }
}

static void overall_check(const struct question *question, const struct apsp_stats *stats)
{
    const struct slot *slot = question->slot;
    const size_t n = slot->sample->n;
    const struct line all = line_of(slot->sample->distance, n * n, 1);
    double diameter = 0, radius = INFINITY;
    size_t central = 0, peripheral = 0;
    for (size_t v = 0; v < n; v++) {
        const double most = line_of(slot->sample->distance + v * n, n, 1).most;
        central = most < radius ? 1 : central + (most == radius);
        radius = fmin(radius, most);
        peripheral = most > diameter || v == 0 ? 1 : peripheral + (most == diameter);
        diameter = fmax(diameter, most);
    }
    const size_t pairs = all.reached - n;
    const double mean = all.sum / (double)pairs;
    if (stats->vertices != n || stats->sources != n || stats->pairs != all.reached ||
        stats->unreachable != n * n - all.reached ||
        !is_value(slot, stats->diameter.real, diameter) ||
        !is_value(slot, stats->radius.real, radius) ||
        (slot->tolerance == 0 && (stats->central != central || stats->peripheral != peripheral)))
        wrong(question,
              "%zu pairs, diameter %g of %zu, radius %g of %zu, not %zu, %g of %zu, %g of %zu",
              stats->pairs, stats->diameter.real, stats->peripheral, stats->radius.real,
              stats->central, all.reached, diameter, peripheral, radius, central);
    if (!is_sum(slot, strtod(stats->sum, NULL), all.sum, all.size) ||
        !is_sum(slot, strtod(stats->wiener, NULL), all.sum / 2, all.size) ||
        (pairs > 0 ? !is_sum(slot, stats->mean, mean, all.size / (double)pairs)
                   : !isnan(stats->mean)))
        wrong(question, "sum %s, half %s, mean %g, not %g, %g, %g", stats->sum, stats->wiener,
              stats->mean, all.sum, all.sum / 2, mean);
    if (stats->counted & APSP_STATS_HARMONIC && n > 1 &&
        !is_harmonic(slot, stats->efficiency, all.harmonic / (double)(n * n - n), 1))
        wrong(question, "efficiency %g, not %g", stats->efficiency,
              all.harmonic / (double)(n * n - n));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distances of two vertices, ascending. */
static size_t distances_sort(const struct sample *sample, double *sorted)
{
    size_t count = 0;
    for (size_t k = 0; k < (size_t)sample->n * sample->n; k++)
        if (k / sample->n != k % sample->n && !isinf(sample->distance[k]))
            sorted[count++] = sample->distance[k];
    qsort(sorted, count, sizeof *sorted, by_value);
    return count;
}

static void histogram_check(const struct question *question, const struct apsp_stats *stats)
{
    static double sorted[N_MAX * N_MAX];
    const double slack = question->slot->tolerance;
    const size_t count = distances_sort(question->slot->sample, sorted);
    size_t at = 0;
    for (size_t k = 0; k < stats->bins; k++)
        for (size_t i = 0; i < stats->bin[k].pairs; i++, at++)
            if (at >= count || sorted[at] < stats->bin[k].from.real - slack ||
                sorted[at] >= stats->bin[k].from.real + stats->width.real + slack)
                wrong(question, "bin %zu from %g of %zu pairs, and distance %zu of %zu is %g", k,
                      stats->bin[k].from.real, stats->bin[k].pairs, at, count,
                      at < count ? sorted[at] : 0);
    if (at != count)
        wrong(question, "bins of %zu pairs, not %zu", at, count);
    for (int q = 0; q < APSP_QUANTILES && count > 0; q++) {
        const size_t place = (size_t)ceil(stats->quantile[q].share * (double)count - 1e-9);
        const double right = sorted[place > 0 ? place - 1 : 0], found = stats->quantile[q].at.real;
        if (stats->exact ? fabs(found - right) > slack
                         : found > right + slack || right >= found + stats->width.real + slack)
            wrong(question, "quantile %g: %g, not %g", stats->quantile[q].share, found, right);
    }
}

int stats_ask(struct question *question)
{
    /* One in eight with a histogram, whose many bins take most of the time. */
    const uint32_t most =
        draw_one_in(&question->random, 8) ? APSP_STATS_EXACT : APSP_STATS_HARMONIC;
    const unsigned counted = draw(&question->random, 0, 2 * most - 1);
    struct apsp_stats stats;
    memset(&stats, 0xff, sizeof stats);
    if (ASK(question, apsp_find_stats(question->slot->solution, counted, &stats,
                                      &question->error)) == APSP_OK) {
        if ((stats.counted & counted) != counted || (counted & APSP_STATS_EXACT && !stats.exact))
            wrong(question, "counted %x, not %x", stats.counted, counted);
        vertices_check(question, &stats);
        overall_check(question, &stats);
        if (stats.counted & APSP_STATS_HISTOGRAM)
            histogram_check(question, &stats);
    } else if (stats.columns || stats.bin || stats.vertices > 0) {
        wrong(question, "statistics beside status %d", question->error.code);
    }
    apsp_stats_free(&stats);
    return question->error.code;
}
