/*
 * sssp [-t THREADS] [-w WIDTH] [-b BATCHES] [-a SOURCES] [-d TYPE] [-r REPEATS] GRAPH: the seconds
 * of the sssp engine's searches from all vertices, as statistics, without files and reports: the
 * best of the repetitions. With -b so many batches, scaled. WIDTH: sources of a batch; 0: the
 * engine's own. With -a so many sources, each searched alone.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "graph/csr.h"
#include "graph/edge_scan.h"
#include "sssp/folding.h"
#include "sssp/searcher.h"
#include "sssp/single.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct bench {
    int threads, repeats;
    size_t width, batches, alone;
    enum dtype dtype;
    struct comm *comm;
    struct csr csr;
    struct engine_task task;
    struct network_weights weights;
    struct network network;
};

/* What the searches have found. */
struct found {
    double sum, pairs;
};

static int load(struct bench *bench, const char *path, struct apsp_error *error)
{
    struct graph graph;
    struct edge_scan scan;
    if (comm_solo(&bench->comm, error) || graph_open(&graph, path, NULL, true, error))
        return error->code;
    struct edges edges = {
        .graph = &graph, .comm = bench->comm, .threads = bench->threads, .room = SIZE_MAX};
    if (edge_scan_take(&scan, &edges, error) == APSP_OK)
        csr_load(&bench->csr, &edges, true, error);
    edges_free(&edges);
    graph_close(&graph);
    return error->code;
}

static void search(struct searcher *searcher, int lane, struct found *found,
                   struct apsp_error *error)
{
    struct block block;
    while (searcher->ops->next(searcher, lane, &block, error))
        for (size_t r = 0; r < block.count; r++) {
            found->sum += (double)block.counts[r].sum.whole;
            found->pairs += (double)block.counts[r].reached;
        }
}

/* Seconds of so many sources. */
static double run(struct bench *bench, struct searcher *searcher, size_t sources,
                  struct found *found, struct apsp_error *error)
{
    const struct network *network = &bench->network;
    const struct searcher_request request = {.source = network->order + (network->n - sources) / 2,
                                             .sources = sources,
                                             .counts = bench->task.rows_request.counts,
                                             .column = network->number,
                                             .columns = network->n,
                                             .lanes = bench->threads};
    double sum = 0, pairs = 0, begun = clock_seconds();
    searcher->ops->start(searcher, &request, error);
#pragma omp parallel num_threads(bench->threads) reduction(+ : sum, pairs)
    {
        struct found own = {0};
        struct apsp_error failed = {0};
#pragma omp for schedule(static, 1)
        for (int lane = 0; lane < bench->threads; lane++)
            search(searcher, lane, &own, &failed);
        sum += own.sum;
        pairs += own.pairs;
        if (failed.code)
            abort();
    }
    *found = (struct found){sum, pairs};
    return clock_seconds() - begun;
}

static int measure(struct bench *bench, struct apsp_error *error)
{
    const struct network *network = &bench->network;
    const struct searcher_case its = {.task = &bench->task,
                                      .weights = &bench->weights,
                                      .sources = network->n,
                                      .counts = bench->task.rows_request.counts,
                                      .on_host = true};
    struct searcher *searcher;
    struct found found = {0};
    double best = INFINITY;
    if (searcher_cpu.open(&searcher, &bench->task, network, &bench->weights, error))
        return error->code;
    searcher->group = bench->width ? bench->width : searcher_cpu.width(&its);
    const size_t some = bench->batches * searcher->group,
                 sources = some > 0 && some < network->n ? some : network->n;
    for (int i = 0; i < bench->repeats && !error->code; i++)
        best = fmin(best, run(bench, searcher, sources, &found, error));
    best *= (double)network->n / (double)sources;
    printf("%zu vertices, %zu arcs, %zu a batch, %d threads: %.3f s, %.1f G sources x arcs/s; "
           "sum %.0f, pairs %.0f\n",
           network->n, network->arcs, searcher->group, bench->threads, best,
           (double)network->n * (double)network->arcs / best * 1e-9, found.sum, found.pairs);
    searcher_cpu.free(searcher);
    return error->code;
}

/* Seconds of single searches from vertices that are evenly spread, by all threads. */
static double run_alone(const struct bench *bench)
{
    const struct single_request request = {0};
    const size_t n = bench->network.n;
    const double begun = clock_seconds();
#pragma omp parallel num_threads(bench->threads)
    {
        struct single *single;
        struct apsp_error own = {0};
        if (single_open(&single, &bench->network, bench->dtype, bench->weights.unit, &request,
                        &own))
            abort();
#pragma omp for schedule(dynamic, 1)
        for (size_t k = 0; k < bench->alone; k++)
            if (single_from(single, k * n / bench->alone, &own))
                abort();
        single_close(single);
    }
    return clock_seconds() - begun;
}

static int measure_alone(struct bench *bench, struct apsp_error *error)
{
    double begun = clock_seconds(), best = INFINITY;
    if (network_forward(&bench->network, &bench->task, &bench->weights, error))
        return error->code;
    printf("prepared in %.3f s; ", clock_seconds() - begun);
    if (bench->network.folding)
        printf("folded to %zu vertices, %zu arcs; ", bench->network.folding->core,
               bench->network.folding->start[bench->network.folding->core]);
    for (int i = 0; i < bench->repeats; i++)
        best = fmin(best, run_alone(bench));
    printf("%zu vertices, %zu arcs, %zu sources alone, %d threads: %.3f s, %.2f ms a source\n",
           bench->network.n, bench->network.arcs, bench->alone, bench->threads, best,
           best * bench->threads / (double)bench->alone * 1e3);
    return APSP_OK;
}

int main(int argc, char **argv)
{
    struct bench bench = {.threads = 2, .repeats = 1, .dtype = DTYPE_U16};
    struct apsp_error error = {0};
    for (int option; (option = getopt(argc, argv, "t:w:b:a:d:r:")) != -1;) {
        if (option == 't')
            bench.threads = atoi(optarg);
        else if (option == 'w')
            bench.width = (size_t)atol(optarg);
        else if (option == 'b')
            bench.batches = (size_t)atol(optarg);
        else if (option == 'a')
            bench.alone = (size_t)atol(optarg);
        else if (option == 'r')
            bench.repeats = atoi(optarg);
        else
            bench.dtype = (enum dtype)dtype_find(optarg);
    }
    if (optind >= argc || load(&bench, argv[optind], &error))
        return fprintf(stderr, "sssp: %s\n", optind >= argc ? "GRAPH" : error.text), 1;
    bench.task = (struct engine_task){.comm = bench.comm,
                                      .threads = bench.threads,
                                      .n = bench.csr.n,
                                      .m = bench.csr.m,
                                      .dtype = bench.dtype,
                                      .sources = bench.alone,
                                      .output = dtype_info[bench.dtype].output,
                                      .csr = &bench.csr,
                                      .rows_request = {.any = true, .counts = APSP_STATS_OUT}};
    bench.weights = network_weights(&bench.task);
    const double begun = clock_seconds();
    if (bench.alone > 0) {
        measure_alone(&bench, &error);
    } else if (network_make(&bench.network, &bench.task, &bench.weights, &error) == APSP_OK) {
        printf("prepared in %.3f s; ", clock_seconds() - begun);
        measure(&bench, &error);
    }
    network_free(&bench.network);
    csr_free(&bench.csr);
    comm_free(bench.comm);
    return error.code;
}
