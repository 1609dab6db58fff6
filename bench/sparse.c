/*
 * sparse [-t THREADS] [-s SOURCES] [-d TYPE] [-k KAPPA] GRAPH: the seconds of each step of the sparse engine,
 * without files and reports, and the relaxations per second of its two large ones. bench/ceiling_cpu has the
 * processor's.
 */
#include "sparse_steps.h"

#include "base/mem.h"
#include "sparse/expand.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Groups of neighbours, spread over all when there are fewer sources. */
static void expand(const struct steps *run, bool rows_too)
{
    const struct tree *tree = &run->tree;
    size_t width = expand_width(&run->panels), groups = (tree->n + width - 1) / width, step = 1;
    size_t bytes = dtype_info[run->dtype].bytes, stride = (tree->n + 63) / 64 * 64;
    if (run->sources && run->sources < tree->n)
        step = groups / ((run->sources + width - 1) / width);
    groups = (groups + step - 1) / step;
    double n = (double)tree->n, sum = 0;
    struct moment since = steps_now(run);
#pragma omp parallel num_threads(run->threads) reduction(+ : sum)
    {
        struct expand *lane;
        struct apsp_error error = {0};
        char *rows = mem_alloc(width * stride * bytes);
        struct relax_counts counts;
        if (!rows || expand_open(&lane, &run->panels, true, &error))
            abort();
#pragma omp for schedule(dynamic, 1)
        for (size_t g = 0; g < groups; g++) {
            size_t at = g * step * width, count = tree->n - at < width ? tree->n - at : width;
            if (rows_too)
                expand_rows(lane, tree->vertex + at, count, rows, stride);
            else
                expand_counts(lane, tree->vertex + at, count, &counts);
            for (size_t r = 0; r < count && !rows_too; r++)
                sum += (double)counts.sum[r].whole;
        }
        expand_free(lane);
        mem_free(rows);
    }
    double seconds = steps_lap(run, rows_too ? "rows" : "counts", &since);
    double sources = groups * width < tree->n ? (double)(groups * width) : n;
    printf("  %.0f sources, K %.1f, label %.1f: %.3g relaxations, %.1f G/s, with labels %.1f; %.2f G "
           "distances/s\n",
           sources, tree->expand / n, (tree->label + tree->core.enter) / n, tree->expand * sources,
           tree->expand * sources / seconds * 1e-9,
           (tree->expand + tree->label + tree->core.enter) * sources / seconds * 1e-9,
           sources * n / seconds * 1e-9);
    if (!rows_too)
        printf("  sum of distances, if whole: %.15g\n", sum);
}

int main(int argc, char **argv)
{
    struct steps run = {.threads = omp_get_max_threads(), .kappa = SIZE_MAX, .dtype = DTYPE_I32};
    struct apsp_error error = {0};
    for (int c; (c = getopt(argc, argv, "t:s:d:k:")) != -1;)
        if (c == 't')
            run.threads = atoi(optarg);
        else if (c == 's')
            run.sources = (size_t)atol(optarg);
        else if (c == 'k')
            run.kappa = (size_t)atol(optarg);
        else if (c != 'd' || dtype_find(optarg) < 0)
            return 2;
        else
            run.dtype = (enum dtype)dtype_find(optarg);
    if (optind + 1 != argc)
        return 2;
    if (steps_make(&run, argv[optind], &error) ||
        (run.tree.core.size > 0 && panels_close(&run.panels, &error)))
        fprintf(stderr, "%s\n", error.text);
    else {
        expand(&run, false);
        expand(&run, true);
    }
    printf("  n %zu, m %zu, %zu nodes, path %zu\n", run.csr.n, run.csr.m, run.tree.nodes, run.tree.path);
    steps_free(&run);
    return error.code;
}
