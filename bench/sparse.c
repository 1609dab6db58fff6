/*
 * sparse [-t THREADS] [-s SOURCES] [-d TYPE] [-k KAPPA] GRAPH: the seconds of each step of the sparse engine,
 * without files and reports, and the relaxations per second of its two large ones. bench/ceiling_cpu has the
 * processor's.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "graph/census.h"
#include "sparse/closure.h"
#include "sparse/expand.h"
#include "sparse/order.h"
#include "sparse/prune.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern const struct engine_ops engine_dense;

struct run {
    int threads;
    size_t sources; /* SIZE_MAX: all */
    size_t kappa;   /* of the core; SIZE_MAX: by cost */
    enum dtype dtype;
    struct csr csr, turned;
    struct pattern pattern;
    uint32_t *order;
    struct tree tree;
    struct panels panels;
    struct comm *comm;
};

/* Wall time, and that of the cores divided by the threads: what it would be on an idle machine. */
struct moment {
    double wall, cores;
};

static struct moment now(const struct run *run)
{
    struct moment moment = {clock_seconds(), (double)clock() / CLOCKS_PER_SEC / run->threads};
    return moment;
}

static double lap(const struct run *run, const char *what, struct moment *since)
{
    struct moment end = now(run);
    double cores = end.cores - since->cores;
    printf("%-12s %9.3f s, %9.3f s of %d cores\n", what, end.wall - since->wall, cores, run->threads);
    fflush(stdout);
    *since = now(run);
    return cores;
}

static int close_core(struct run *run, struct apsp_error *error)
{
    const struct job_options options = {0};
    const struct device device = {.ops = &device_cpu};
    const struct engine_task task = {.options = &options,
                                     .comm = run->comm,
                                     .device = &device,
                                     .threads = run->threads,
                                     .dtype = run->dtype,
                                     .dense = &engine_dense};
    struct closure closure = {0};
    struct progress progress = {0};
    struct moment since = now(run);
    if (closure_plan(&closure, &task, run->tree.core.size, error) == APSP_OK &&
        closure_make(&closure, &run->panels, &progress, error) == APSP_OK) {
        if (panels_prune(&run->panels, run->threads, error) == APSP_OK)
            panels_close(&run->panels, error);
        double seconds = lap(run, "core", &since);
        printf("  %zu vertices, %.3g relaxations, %.1f G/s\n", run->tree.core.size, closure.plan.work,
               closure.plan.work / seconds * 1e-9);
    }
    closure_free(&closure);
    return error->code;
}

static int prepare(struct run *run, const char *path, struct apsp_error *error)
{
    struct graph graph = {0};
    struct census census;
    struct moment since = now(run);
    if (comm_solo(&run->comm, error))
        return error->code;
    struct edges edges = {.graph = &graph, .comm = run->comm, .threads = run->threads, .room = SIZE_MAX};
    if (graph_open(&graph, path, NULL, true, error) == APSP_OK &&
        census_take(&census, &edges, error) == APSP_OK && csr_load(&run->csr, &edges, true, error) == APSP_OK)
        csr_transpose(&run->turned, &run->csr, error);
    edges_free(&edges);
    graph_close(&graph);
    if (error->code)
        return error->code;
    lap(run, "read", &since);
    run->order = malloc(run->csr.n * sizeof *run->order);
    if (pattern_make(&run->pattern, &run->csr, &run->turned, error) ||
        order_make(run->order, &run->pattern, 1, run->threads, error))
        return error->code;
    lap(run, "order", &since);
    const struct core_wish wish = {run->sources < run->csr.n ? run->sources : run->csr.n,
                                   relax_choose(run->dtype, NULL)->nr, 1, run->kappa};
    if (tree_make(&run->tree, &run->pattern, run->order, &wish, error))
        return error->code;
    lap(run, "tree", &since);
    const struct panels_edges both = {&run->csr, &run->turned};
    if (panels_make(&run->panels, &run->tree, &both, run->dtype, run->threads, error))
        return error->code;
    double seconds = lap(run, "eliminate", &since);
    size_t keep, working;
    if (panels_need(&keep, &working, &run->tree, run->dtype, run->threads, error))
        return error->code;
    printf("  %.3g relaxations, %.1f G/s, panels %.1f MB, meanwhile %.1f MB more\n", run->tree.eliminate,
           run->tree.eliminate / seconds * 1e-9, (double)keep * 1e-6, (double)working * 1e-6);
    return run->tree.core.size > 0 ? close_core(run, error) : APSP_OK;
}

/* Groups of neighbours, spread over all when there are fewer sources. */
static void expand(const struct run *run, bool rows_too)
{
    const struct tree *tree = &run->tree;
    size_t width = expand_width(&run->panels), groups = (tree->n + width - 1) / width, step = 1;
    size_t bytes = dtype_info[run->dtype].bytes, stride = (tree->n + 63) / 64 * 64;
    if (run->sources < tree->n)
        step = groups / ((run->sources + width - 1) / width);
    groups = (groups + step - 1) / step;
    double n = (double)tree->n, sum = 0;
    struct moment since = now(run);
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
    double seconds = lap(run, rows_too ? "rows" : "counts", &since);
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
    struct run run = {
        .threads = omp_get_max_threads(), .sources = SIZE_MAX, .kappa = SIZE_MAX, .dtype = DTYPE_I32};
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
    if (prepare(&run, argv[optind], &error))
        fprintf(stderr, "%s\n", error.text);
    else {
        expand(&run, false);
        expand(&run, true);
    }
    printf("  n %zu, m %zu, %zu nodes, path %zu\n", run.csr.n, run.csr.m, run.tree.nodes, run.tree.path);
    panels_free(&run.panels);
    tree_free(&run.tree);
    free(run.order);
    pattern_free(&run.pattern);
    csr_free(&run.turned);
    csr_free(&run.csr);
    return error.code;
}
