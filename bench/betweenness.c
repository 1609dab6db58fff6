/*
 * bench-betweenness GRAPH THREADS: the least that betweenness may cost. For a source that is a look
 * at every edge and at the row's entries for its two ends, which tells the tight ones; each thread
 * does so for sources of its own. Prints the seconds a source that all threads together take, the
 * best of some.
 */
#include "base/clock.h"
#include "graph/csr.h"
#include "graph/edge_scan.h"

#include <stdlib.h>

enum { SOURCES = 8, TRIES = 5 };

static int load(struct csr *csr, const char *path, struct apsp_error *error)
{
    struct graph graph;
    struct comm *comm;
    struct edge_scan scan;
    if (comm_solo(&comm, error) || graph_open(&graph, path, NULL, true, error))
        return error->code;
    struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = SIZE_MAX};
    if (edge_scan_take(&scan, &edges, error) == APSP_OK)
        csr_load(csr, &edges, true, error);
    edges_free(&edges);
    graph_close(&graph);
    comm_free(comm);
    return error->code;
}

/* `row` and `length` are of no right distances: their values do not matter. */
static size_t look(const struct csr *csr, const int32_t *length, const int32_t *row)
{
    size_t tight = 0;
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            tight += row[u] + length[e] == row[csr->to[e]];
    return tight;
}

int main(int argc, char **argv)
{
    struct csr csr = {0};
    struct apsp_error error = {0};
    int threads = argc > 2 ? atoi(argv[2]) : 1;
    double best = 1e9;
    if (argc < 2 || load(&csr, argv[1], &error))
        return fprintf(stderr, "bench-betweenness: %s\n", argc < 2 ? "GRAPH THREADS" : error.text),
               1;
    int32_t *length = malloc((csr.m + 1) * sizeof *length), *row = malloc(csr.n * sizeof *row);
    for (size_t e = 0; length && e < csr.m; e++)
        length[e] = (int32_t)csr.weight[e].whole;
    for (size_t v = 0; row && v < csr.n; v++)
        row[v] = (int32_t)(v * 7919 % 1000);
    for (int try = 0; length && row && try < TRIES; try++) {
        size_t tight = 0;
        double begun = clock_seconds();
#pragma omp parallel for num_threads(threads) reduction(+ : tight)
        for (int s = 0; s < SOURCES * threads; s++)
            tight += look(&csr, length, row);
        double seconds = (clock_seconds() - begun) / SOURCES / threads;
        best = seconds < best && tight < SIZE_MAX ? seconds : best;
    }
    printf("%.9f\n", best);
    free(row);
    free(length);
    csr_free(&csr);
    return 0;
}
