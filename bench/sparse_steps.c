#include "sparse_steps.h"

#include "base/clock.h"
#include "graph/edge_scan.h"
#include "sparse/closure.h"
#include "sparse/order.h"
#include "sparse/prune.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct moment steps_now(const struct steps *run)
{
    struct moment moment = {clock_seconds(), (double)clock() / CLOCKS_PER_SEC / run->threads};
    return moment;
}

double steps_lap(const struct steps *run, const char *what, struct moment *since)
{
    struct moment end = steps_now(run);
    double cores = end.cores - since->cores;
    printf("%-12s %9.3f s, %9.3f s of %d cores\n", what, end.wall - since->wall, cores,
           run->threads);
    fflush(stdout);
    *since = steps_now(run);
    return cores;
}

extern const struct engine_ops engine_dense;

static int close_core(struct steps *run, struct apsp_error *error)
{
    const struct request request = {0};
    const struct device device = {.ops = &device_cpu};
    const struct engine_task task = {.request = &request,
                                     .comm = run->comm,
                                     .device = &device,
                                     .threads = run->threads,
                                     .dtype = run->dtype,
                                     .closer = &engine_dense};
    struct closure closure = {0};
    struct progress progress = {0};
    struct moment since = steps_now(run);
    if (closure_plan(&closure, &task, run->tree.core.size, error) == APSP_OK &&
        closure_make(&closure, &run->panels, &progress, error) == APSP_OK) {
        panels_prune(&run->panels, run->threads, error);
        double seconds = steps_lap(run, "core", &since);
        printf("  %zu vertices, %.3g relaxations, %.1f G/s\n", run->tree.core.size,
               closure.plan.work, closure.plan.work / seconds * 1e-9);
    }
    closure_free(&closure);
    return error->code;
}

int steps_make(struct steps *run, const char *path, struct apsp_error *error)
{
    struct graph graph = {0};
    struct edge_scan scan;
    struct moment since = steps_now(run);
    if (comm_solo(&run->comm, error))
        return error->code;
    struct edges edges = {
        .graph = &graph, .comm = run->comm, .threads = run->threads, .room = SIZE_MAX};
    if (graph_open(&graph, path, NULL, true, error) == APSP_OK &&
        edge_scan_take(&scan, &edges, error) == APSP_OK &&
        csr_load(&run->csr, &edges, true, error) == APSP_OK)
        csr_transpose(&run->transposed, &run->csr, error);
    edges_free(&edges);
    graph_close(&graph);
    if (error->code)
        return error->code;
    steps_lap(run, "read", &since);
    run->order = malloc(run->csr.n * sizeof *run->order);
    struct progress progress = {.steps = run->csr.n};
    const struct order_way way = {1, run->threads, &progress};
    if (pattern_make(&run->pattern, &run->csr, run->threads, error) ||
        order_make(run->order, &run->pattern, &way, error))
        return error->code;
    steps_lap(run, "order", &since);
    const struct core_request core = {
        run->sources && run->sources < run->csr.n ? run->sources : run->csr.n,
        run->width ? run->width : relax_choose(run->dtype, NULL)->nr, 1, run->kappa, run->cost};
    if (tree_make(&run->tree, &run->pattern, run->order, &core, run->threads, error))
        return error->code;
    steps_lap(run, "tree", &since);
    const struct panels_edges both = {&run->csr, &run->transposed};
    if (panels_make(&run->panels, &run->tree, &both, run->dtype, run->threads, error))
        return error->code;
    double seconds = steps_lap(run, "eliminate", &since);
    struct panels_need need;
    if (panels_need(&need, &run->tree, run->dtype, run->threads, error))
        return error->code;
    printf("  %.3g relaxations, %.1f G/s, panels %.1f MB, %.1f MB while they are made\n",
           run->tree.eliminate, run->tree.eliminate / seconds * 1e-9,
           (double)(need.ways + need.through) * 1e-6, (double)need.making * 1e-6);
    return run->tree.core.size > 0 ? close_core(run, error) : APSP_OK;
}

void steps_free(struct steps *run)
{
    panels_free(&run->panels);
    tree_free(&run->tree);
    free(run->order);
    pattern_free(&run->pattern);
    csr_free(&run->transposed);
    csr_free(&run->csr);
    comm_free(run->comm);
}
