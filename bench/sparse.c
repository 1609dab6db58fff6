/*
 * sparse [-t THREADS] [-s SOURCES] [-d TYPE] [-k KAPPA] [-r REPEATS] GRAPH: the seconds of each
 * step of the sparse engine, without files and reports, and the relaxations per second of its two
 * large ones. bench/ceiling_cpu has the processor's.
 */
#include "sparse_steps.h"

#include "base/mem.h"
#include "sparse/expand.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Work space of one thread, whose memory has been touched. */
struct lane {
    struct expand *expand;
    char *rows;
    struct relax_spans spans;
    struct relax_harmonic harmonic;
    struct relax_bins bins;
    double sum; /* of distances, if whole */
};

/* What is made of the distances. */
enum kind { NOTHING, COUNTS, SPANS, HARMONIC, BINS, EVERYTHING, ROWS, KINDS };
static const char *const kind_names[KINDS] = {"the walk",  "counts", "both ways", "and harmonic",
                                              "with bins", "all",    "rows"};
enum { BIN_COUNT = 1 << 17 };

/* Every `step`th group of neighbours. */
struct groups {
    size_t width, step, count, stride;
    int repeats; /* of all of them; the best counts */
};

static struct groups choose_groups(const struct steps *run, int repeats)
{
    size_t n = run->tree.n, width = expand_width(&run->panels), all = (n + width - 1) / width,
           step = 1;
    if (run->sources && run->sources < n)
        step = all / ((run->sources + width - 1) / width);
    return (struct groups){width, step, (all + step - 1) / step, (n + 63) / 64 * 64, repeats};
}

static void walk(const struct steps *run, const struct groups *groups, struct lane *lane, size_t g,
                 enum kind kind)
{
    const struct tree *tree = &run->tree;
    size_t at = g * groups->step * groups->width, left = tree->n - at;
    size_t count = left < groups->width ? left : groups->width;
    struct relax_counts counts;
    const struct relax_accumulator accumulator = {
        kind == NOTHING ? NULL : &counts,
        kind == HARMONIC || kind == EVERYTHING ? &lane->harmonic : NULL,
        kind == SPANS || kind == EVERYTHING ? &lane->spans : NULL,
        kind == BINS || kind == EVERYTHING ? &lane->bins : NULL};
    if (kind == ROWS)
        expand_rows(lane->expand, tree->vertex + at, count, lane->rows, groups->stride);
    else
        expand_counts(lane->expand, tree->vertex + at, count, &accumulator);
    for (size_t r = 0; r < count && kind != NOTHING && kind != ROWS; r++)
        lane->sum += (double)counts.sum[r].whole;
}

/* Seconds of the cores for all groups, the least of the repetitions. */
static double time_groups(const struct steps *run, const struct groups *groups, struct lane *lanes,
                          enum kind kind)
{
    double best = INFINITY;
    for (int i = 0; i < groups->repeats; i++) {
        double begun = steps_now(run).cores;
#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1)
        for (size_t g = 0; g < groups->count; g++)
            walk(run, groups, &lanes[omp_get_thread_num()], g, kind);
        best = fmin(best, steps_now(run).cores - begun);
    }
    return best;
}

static void expand(const struct steps *run, int repeats, enum kind kind)
{
    const struct tree *tree = &run->tree;
    const struct groups groups = choose_groups(run, repeats);
    struct lane *lanes = mem_alloc((size_t)run->threads * sizeof *lanes);
    double n = (double)tree->n, sum = 0;
#pragma omp parallel num_threads(run->threads)
    {
        struct lane *lane = &lanes[omp_get_thread_num()];
        struct apsp_error error = {0};
        lane->rows = mem_alloc(groups.width * groups.stride * dtype_info[run->dtype].bytes);
        lane->spans.most = mem_alloc(run->tree.n * dtype_info[run->dtype].bytes);
        lane->spans.reached = mem_alloc(run->tree.n * sizeof *lane->spans.reached);
        lane->bins =
            (struct relax_bins){mem_alloc((BIN_COUNT + 1) * sizeof(uint32_t)), 0, BIN_COUNT};
        if (!lane->rows || !lane->spans.most || !lane->spans.reached || !lane->bins.pairs ||
            expand_open(&lane->expand, &run->panels, run->tree.n, &error))
            abort();
        walk(run, &groups, lane, 0, kind);
        lane->sum = 0;
    }
    double seconds = time_groups(run, &groups, lanes, kind);
    for (int i = 0; i < run->threads; i++) {
        sum += lanes[i].sum / repeats;
        expand_free(lanes[i].expand);
        mem_free(lanes[i].rows);
        mem_free(lanes[i].spans.most);
        mem_free(lanes[i].spans.reached);
        mem_free(lanes[i].bins.pairs);
    }
    mem_free(lanes);
    size_t all = groups.count * groups.width;
    double sources = all < tree->n ? (double)all : n;
    const struct panels_work work = panels_work(&run->panels);
    printf("%-12s %9.3f s of %d cores: %.0f sources, K %.1f, label %.1f, %.3g relaxations\n",
           kind_names[kind], seconds, run->threads, sources, work.expand / n, work.label / n,
           work.expand * sources);
    printf("  %.1f G/s, with labels %.1f; %.2f G distances/s\n",
           work.expand * sources / seconds * 1e-9,
           (work.expand + work.label) * sources / seconds * 1e-9, sources * n / seconds * 1e-9);
    if (kind != ROWS)
        printf("  sum of distances, if whole: %.15g\n", sum);
}

int main(int argc, char **argv)
{
    struct steps run = {.threads = omp_get_max_threads(),
                        .kappa = SIZE_MAX,
                        .cost = core_cost_on_host,
                        .dtype = DTYPE_I32};
    struct apsp_error error = {0};
    int repeats = 5;
    for (int c; (c = getopt(argc, argv, "t:s:d:k:r:")) != -1;)
        if (c == 't')
            run.threads = atoi(optarg);
        else if (c == 's')
            run.sources = (size_t)atol(optarg);
        else if (c == 'r')
            repeats = atoi(optarg);
        else if (c == 'k')
            run.kappa = (size_t)atol(optarg);
        else if (c != 'd' || dtype_find(optarg) < 0)
            return 2;
        else
            run.dtype = (enum dtype)dtype_find(optarg);
    if (optind + 1 != argc)
        return 2;
    if (steps_make(&run, argv[optind], &error) ||
        (run.tree.core.size > 0 && panels_close(&run.panels, run.threads, &error)))
        fprintf(stderr, "%s\n", error.text);
    else
        for (enum kind kind = 0; kind < KINDS; kind++)
            expand(&run, repeats, kind);
    printf("  n %zu, m %zu, %zu nodes, path %zu\n", run.csr.n, run.csr.m, run.tree.nodes,
           run.tree.path);
    steps_free(&run);
    return error.code;
}
