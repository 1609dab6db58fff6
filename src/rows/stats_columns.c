#include "rows/stats_columns.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1 << 12 }; /* rows that are worth several threads */

static size_t vertex_of(const struct stats_counts *counts, size_t k)
{
    return counts->vertex ? counts->vertex[k] : k;
}

static struct apsp_value count_value(size_t count)
{
    return (struct apsp_value){(int64_t)count, (double)count};
}

static struct apsp_value real_value(double real)
{
    return (struct apsp_value){0, real};
}

static struct apsp_value finish_most(const struct stats_counts *counts, size_t k)
{
    return stats_value(counts, counts->row[k].most);
}

static struct apsp_value finish_sum(const struct stats_counts *counts, size_t k)
{
    if (stats_are_real(counts))
        return real_value(counts->row[k].sum.real);
    scale_wide sum = stats_sum(counts, k);
    double real = scale_share(stats_scale(counts), sum, 1);
    return (struct apsp_value){sum > INT64_MAX || sum < INT64_MIN ? REDUCTION_BEYOND : (int64_t)sum,
                               real};
}

static struct apsp_value finish_reachable(const struct stats_counts *counts, size_t k)
{
    return count_value(counts->row[k].reached);
}

static struct apsp_value finish_closeness(const struct stats_counts *counts, size_t k)
{
    const size_t n = counts->plan->n;
    const double others = (double)counts->row[k].reached - 1, sum = finish_sum(counts, k).real;
    return real_value(sum > 0 && n > 1 ? others / (double)(n - 1) * (others / sum) : 0);
}

static struct apsp_value finish_in_most(const struct stats_counts *counts, size_t k)
{
    return stats_value(counts,
                       (union value){.whole = (int64_t)counts->sum.most[vertex_of(counts, k)]});
}

static struct apsp_value finish_in_reachable(const struct stats_counts *counts, size_t k)
{
    return count_value(counts->sum.reached[vertex_of(counts, k)]);
}

static struct apsp_value finish_harmonic(const struct stats_counts *counts, size_t k)
{
    return real_value(stats_harmonic(counts, k));
}

const struct reduction reduction_most = {.word = "out",
                                         .counted = APSP_STATS_OUT,
                                         .name = "eccentricity",
                                         .type = REDUCTION_DISTANCE,
                                         .finish = finish_most};
const struct reduction reduction_sum = {.word = "out",
                                        .counted = APSP_STATS_OUT,
                                        .name = "sum",
                                        .type = REDUCTION_SUM,
                                        .finish = finish_sum};
const struct reduction reduction_reachable = {.word = "out",
                                              .counted = APSP_STATS_OUT,
                                              .name = "reachable",
                                              .type = REDUCTION_COUNT,
                                              .finish = finish_reachable};
const struct reduction reduction_closeness = {.word = "out",
                                              .counted = APSP_STATS_OUT,
                                              .name = "closeness",
                                              .type = REDUCTION_REAL,
                                              .finish = finish_closeness};
const struct reduction reduction_in_most = {.word = "in",
                                            .counted = APSP_STATS_IN,
                                            .name = "in_eccentricity",
                                            .type = REDUCTION_DISTANCE,
                                            .finish = finish_in_most};
const struct reduction reduction_in_reachable = {.word = "in",
                                                 .counted = APSP_STATS_IN,
                                                 .name = "in_reachable",
                                                 .type = REDUCTION_COUNT,
                                                 .finish = finish_in_reachable};
const struct reduction reduction_harmonic = {.word = "harmonic",
                                             .counted = APSP_STATS_HARMONIC,
                                             .name = "harmonic",
                                             .type = REDUCTION_REAL,
                                             .finish = finish_harmonic};
const struct reduction reduction_histogram = {.word = "histogram", .counted = APSP_STATS_HISTOGRAM};
const struct reduction reduction_exact = {
    .word = "exact", .counted = APSP_STATS_EXACT | APSP_STATS_HISTOGRAM, .special = true};

/* The value of row k from the function of the reduction, in the caller's unit. */
static struct apsp_value finish_made(const struct stats_counts *counts,
                                     const struct reduction *reduction, size_t slot, size_t k)
{
    const double made = counts->made[slot * counts->rows + k];
    return real_value(made /
                      pow(counts->scaled ? scale_factor(counts->scale) : 1, reduction->power));
}

static bool is_whole(const struct stats_counts *counts, const struct reduction *reduction)
{
    return reduction->type == REDUCTION_COUNT ||
           (reduction->type != REDUCTION_REAL && !stats_are_real(counts) && !counts->scaled);
}

static bool is_beyond(const struct stats_counts *counts, const struct reduction *reduction)
{
    return reduction->type == REDUCTION_SUM && counts->plan->wide;
}

static bool fill_column(struct stats_column *column, const struct stats_counts *counts, size_t slot)
{
    const struct reduction *of = column->of;
    const bool whole = is_whole(counts, of), both = is_beyond(counts, of);
    bool beyond = false;
    if (whole)
        column->whole = mem_alloc(mem_bytes(counts->rows + 1, sizeof *column->whole));
    if (!whole || both)
        column->real = mem_alloc(mem_bytes(counts->rows + 1, sizeof *column->real));
    if ((whole && !column->whole) || ((!whole || both) && !column->real))
        return false;
#pragma omp parallel for reduction(||                                                              \
                                   : beyond)                                                       \
    num_threads(counts->rows > MANY ? int_max(counts->threads, 1) : 1)
    for (size_t k = 0; k < counts->rows; k++) {
        const struct apsp_value value =
            of->finish ? of->finish(counts, k) : finish_made(counts, of, slot, k);
        if (column->whole)
            column->whole[k] = value.whole;
        if (column->real)
            column->real[k] = value.real;
        beyond = beyond || (whole && both && value.whole == REDUCTION_BEYOND);
    }
    if (whole && !beyond) {
        mem_free(column->real);
        column->real = NULL;
    }
    return true;
}

size_t stats_columns_need(unsigned counted, size_t rows)
{
    size_t count = 2; /* the vertices, and sums that have two columns */
    while (reductions_column(counted, count - 2))
        count++;
    return mem_bytes(rows + 1, count * sizeof(int64_t));
}

int stats_columns_make(struct apsp_stats *stats, const struct stats_counts *counts,
                       struct apsp_error *error)
{
    struct apsp_columns *columns = stats->columns = calloc(1, sizeof *columns);
    size_t count = 0, slot = 0;
    while (reductions_column(stats->counted, count))
        count++;
    if (columns) {
        columns->column = calloc(count, sizeof *columns->column);
        columns->vertex = mem_alloc(mem_bytes(counts->rows + 1, sizeof *columns->vertex));
    }
    bool made = columns && columns->column && columns->vertex;
    for (size_t k = 0; made && k < counts->rows; k++)
        columns->vertex[k] = (int64_t)vertex_of(counts, k);
    for (size_t c = 0; made && c < count; c++) {
        struct stats_column *column = &columns->column[columns->count++];
        column->of = reductions_column(stats->counted, c);
        made = fill_column(column, counts, slot);
        slot += column->of->row != NULL;
    }
    if (!made)
        return error_set(error, APSP_MEMORY, "no memory for the statistics of %zu vertices",
                         counts->rows);
    return APSP_OK;
}

const struct stats_column *stats_column_find(const struct apsp_columns *columns, const char *name)
{
    for (size_t k = 0; columns && k < columns->count; k++)
        if (strcmp(columns->column[k].of->name, name) == 0)
            return &columns->column[k];
    return NULL;
}

void stats_columns_free(struct apsp_columns *columns)
{
    if (!columns)
        return;
    for (size_t k = 0; columns->column && k < columns->count; k++) {
        mem_free(columns->column[k].whole);
        mem_free(columns->column[k].real);
    }
    mem_free(columns->vertex);
    free(columns->column);
    free(columns);
}
