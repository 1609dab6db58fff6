/* load.c: what the strip of one rank gets from a graph of arrays, with and without a CSR of all
 * edges. */
#include "unit.h"

#include "base/mem.h"
#include "dense/load.h"
#include "graph/edge_scan.h"

#include <math.h>
#include <string.h>

enum { N = 3, M = 6 };

static const uint32_t from[M] = {0, 0, 0, 1, 1, 2}, to[M] = {0, 1, 1, 2, 2, 0};
static const double weights[M] = {5, 2.5, 1.5, -0.0, 3, 7};

/* Loads the edges into a strip of f64, and fetches its rows. */
static void load(double *rows, bool with_csr, size_t *parallel)
{
    const struct apsp_edges arrays = {N, M, {from, APSP_U32}, {to, APSP_U32}, {weights, APSP_F64}};
    const struct backend_plan plan = {.n = N,
                                      .rows = {0, N},
                                      .tile = 1,
                                      .dtype = DTYPE_F64,
                                      .output = DTYPE_F64,
                                      .threads = 1,
                                      .lanes = 1,
                                      .ranks = 1};
    const struct potential none = {0};
    struct apsp_error error = {0};
    struct edge_scan scan;
    struct csr csr = {0};
    struct graph graph;
    struct comm *comm;
    struct backend *backend;
    struct block block;
    struct load_result result;
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
    struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = 1 << 20};
    assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
    assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_OK);
    const struct engine_task task = {
        .comm = comm, .n = N, .potential = &none, .csr = with_csr ? &csr : NULL};
    assert_int_equal(backend_cpu.strip->open(&backend, &plan, &error), APSP_OK);
    assert_int_equal(load_edges(&result, &task, &edges, backend, &error), APSP_OK);
    backend_cpu.strip->fetch(backend, 0, plan.rows, NULL, &block);
    for (size_t i = 0; i < N; i++)
        memcpy(rows + i * N, block_row(&block, i), N * sizeof *rows);
    *parallel = result.parallel;
    backend_cpu.strip->free(backend);
    csr_free(&csr);
    edges_free(&edges);
    graph_close(&graph);
    comm_free(comm);
}

static void strips_hold_the_lightest_edges(void **state)
{
    (void)state;
    const double right[N * N] = {0, 1.5, INFINITY, INFINITY, 0, 0, 7, INFINITY, 0};
    for (int with_csr = 0; with_csr < 2; with_csr++) {
        double rows[N * N];
        size_t parallel;
        load(rows, with_csr, &parallel);
        assert_memory_equal(rows, right, sizeof right); /* bit by bit: no -0.0 */
        assert_int_equal(parallel, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strips_hold_the_lightest_edges)};
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
