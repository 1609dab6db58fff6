/*
 * Lines of text a second: statistics as CSV into a file, and pairs into memory as lanes make them,
 * with whole and with real distances; beside them what one thread prints with the C library.
 * Usage: text [LINES=2000000] [DIRECTORY=/tmp]
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "rows/pairs.h"
#include "rows/stats_columns.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, PAIRS = 1000, ROOM = 80 };

/* Eccentricities, sums, counts and closeness. */
enum { MOST, SUM, REACHED, CLOSENESS, COLUMNS };

static bool make_columns(struct apsp_columns *columns, size_t count, bool real)
{
    static const struct reduction *const of[COLUMNS] = {&reduction_most, &reduction_sum,
                                                        &reduction_reachable, &reduction_closeness};
    struct stats_column *column = columns->column;
    uint64_t state = 1;
    columns->count = COLUMNS;
    columns->vertex = mem_alloc(count * sizeof(int64_t));
    for (int c = 0; c < COLUMNS; c++) {
        column[c].of = of[c];
        if (c == CLOSENESS || (real && c != REACHED))
            column[c].real = mem_alloc(count * sizeof(double));
        else
            column[c].whole = mem_alloc(count * sizeof(int64_t));
        if (!column[c].real && !column[c].whole)
            return false;
    }
    for (size_t v = 0; columns->vertex && v < count; v++) {
        const int64_t most = 1 + random_below(&state, 10000000), sum = most * (int64_t)count / 2;
        columns->vertex[v] = (int64_t)v;
        column[REACHED].whole[v] = (int64_t)count;
        column[CLOSENESS].real[v] = (double)count / (double)sum;
        if (real) {
            column[MOST].real[v] = (double)most / 1000;
            column[SUM].real[v] = (double)sum / 1000;
        } else {
            column[MOST].whole[v] = most;
            column[SUM].whole[v] = sum;
        }
    }
    return columns->vertex != NULL;
}

static void free_columns(struct apsp_columns *columns)
{
    for (int c = 0; c < COLUMNS; c++) {
        mem_free(columns->column[c].whole);
        mem_free(columns->column[c].real);
    }
    mem_free(columns->vertex);
}

static double write_statistics(const struct stats_text *text, const char *path)
{
    struct apsp_error error = {0};
    struct staged staged;
    double best = 0;
    for (int round = 0; round < ROUNDS && !error.code; round++) {
        if (staged_create(&staged, path, true, &error))
            break;
        const double since = clock_seconds();
        stats_csv(&staged, text, &error);
        const double rate = (double)text->stats->sources / (clock_seconds() - since);
        best = rate > best ? rate : best;
        staged_free(&staged);
    }
    if (error.code)
        fprintf(stderr, "text: %s\n", error.text);
    return error.code ? 0 : best;
}

static double print_statistics(const struct stats_text *text, const char *path)
{
    const struct apsp_stats *stats = text->stats;
    const struct stats_column *of = stats->columns->column;
    FILE *out = fopen(path, "w");
    const double since = clock_seconds();
    for (size_t v = 0; out && v < stats->sources; v++)
        if (stats->real)
            fprintf(out, "%zu,%.15g,%.15g,%lld,%.17g\n", v + 1, of[MOST].real[v], of[SUM].real[v],
                    (long long)of[REACHED].whole[v], of[CLOSENESS].real[v]);
        else
            fprintf(out, "%zu,%lld,%lld,%lld,%.17g\n", v + 1, (long long)of[MOST].whole[v],
                    (long long)of[SUM].whole[v], (long long)of[REACHED].whole[v],
                    of[CLOSENESS].real[v]);
    const double taken = clock_seconds() - since;
    if (out)
        fclose(out);
    remove(path);
    return (double)stats->sources / taken;
}

static double put_pairs(size_t lines, enum dtype dtype)
{
    const struct sink_task task = {
        .dtype = dtype, .file = dtype, .certificate = {.labels = {.first = 1}}};
    const int64_t rows = (int64_t)(lines / PAIRS);
    const double since = clock_seconds();
#pragma omp parallel
    {
        struct pair *pairs = calloc(PAIRS, sizeof *pairs);
        char *text = malloc((size_t)PAIRS * ROOM);
        uint64_t state = 1;
        for (int k = 0; pairs && k < PAIRS; k++) {
            pairs[k].vertex = random_below(&state, 1000000);
            pairs[k].distance.whole = random_below(&state, 10000000);
            if (dtype_info[dtype].real)
                pairs[k].distance.real = (double)pairs[k].distance.whole / 1000;
        }
#pragma omp for
        for (int64_t row = 0; row < rows; row++)
            if (pairs && text)
                pairs_csv.put(text, &task, (size_t)row, pairs, PAIRS);
        free(text);
        free(pairs);
    }
    return (double)lines / (clock_seconds() - since);
}

int main(int count, char **arguments)
{
    const size_t lines = count > 1 ? strtoull(arguments[1], NULL, 10) : 2000000;
    char path[4096];
    snprintf(path, sizeof path, "%s/apsp-bench-text", count > 2 ? arguments[2] : "/tmp");
    printf("# %zu lines, million lines a second\nresult distances apsp printf\n", lines);
    for (int real = 0; real < 2; real++) {
        struct stats_column column[COLUMNS] = {{0}};
        struct apsp_columns columns = {.column = column};
        const struct apsp_stats stats = {
            .vertices = lines, .sources = lines, .real = real, .columns = &columns};
        const struct stats_text text = {
            .stats = &stats, .threads = omp_get_max_threads(), .labels = {.first = 1}};
        if (!make_columns(&columns, lines, real))
            return 1;
        printf("statistics %s %.2f %.2f\n", real ? "real" : "whole",
               write_statistics(&text, path) / 1e6, print_statistics(&text, path) / 1e6);
        free_columns(&columns);
    }
    printf("pairs whole %.2f -\npairs real %.2f -\n", put_pairs(lines, DTYPE_I32) / 1e6,
           put_pairs(lines, DTYPE_F64) / 1e6);
    return 0;
}
