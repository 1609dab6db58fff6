/* A graph from a list of edges, the way that all graphs are built: arrays, edge scan, csr_load. */
#ifndef MAKE_CSR_H
#define MAKE_CSR_H

#include "graph/csr.h"
#include "graph/edge_scan.h"

#include <math.h>
#include <stdlib.h>

static inline void load_csr(struct csr *csr, struct graph *graph)
{
    struct comm *comm;
    struct edge_scan scan;
    struct apsp_error error = {0};
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    struct edges source = {.graph = graph, .comm = comm, .threads = 2, .room = SIZE_MAX};
    assert_int_equal(edge_scan_take(&scan, &source, &error), APSP_OK);
    assert_int_equal(csr_load(csr, &source, true, &error), APSP_OK);
    edges_free(&source);
    comm_free(comm);
}

/* The weights go in as the numbers of the edges, with their signs, and are put in their places
 * afterwards: tests take some that no source lets through. */
static inline struct csr make_csr(size_t n, bool real, const struct edge *edges, size_t m)
{
    struct csr csr;
    struct graph graph;
    struct apsp_error error = {0};
    uint32_t *from = malloc((m + 1) * sizeof *from), *to = malloc((m + 1) * sizeof *to);
    int64_t *whole = malloc((m + 1) * sizeof *whole);
    double *reals = malloc((m + 1) * sizeof *reals);
    assert_true(from && to && whole && reals);
    for (size_t e = 0; e < m; e++) {
        from[e] = edges[e].from;
        to[e] = edges[e].to;
        whole[e] = (edges[e].weight.whole < 0 ? -1 : 1) * (int64_t)(e + 1);
        reals[e] = (edges[e].weight.real < 0 ? -1 : 1) * (double)(e + 1);
    }
    const struct apsp_edges arrays = {.vertices = n,
                                      .edges = m,
                                      .from = {from, APSP_U32},
                                      .to = {to, APSP_U32},
                                      .weight = real ? (struct apsp_array){reals, APSP_F64}
                                                     : (struct apsp_array){whole, APSP_I64}};
    assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
    load_csr(&csr, &graph);
    graph_close(&graph);
    for (size_t k = 0; k < csr.m; k++)
        csr.weight[k] = edges[real ? (size_t)fabs(csr.weight[k].real) - 1
                                   : (size_t)llabs(csr.weight[k].whole) - 1]
                            .weight;
    for (size_t k = 0; k < csr.m && real; k++)
        csr.weight[k].real += 0.0;
    free(reals);
    free(whole);
    free(to);
    free(from);
    return csr;
}

#endif
