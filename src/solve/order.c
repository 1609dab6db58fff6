#include "solve/order.h"

#include "base/threads.h"
#include "graph/edge_scan.h"
#include "solve/engines.h"

/* The engine that has orders, or NULL. */
static const struct engine_ops *find_engine(void)
{
    for (int i = 0; engines[i]; i++)
        if (engines[i]->order)
            return engines[i];
    return NULL;
}

static int load_graph(struct csr *csr, struct graph *graph, struct comm *comm, int threads,
                      struct apsp_error *error)
{
    struct edge_scan scan;
    struct edges edges = {.graph = graph, .comm = comm, .threads = threads};
    if (edge_scan_take(&scan, &edges, error) == APSP_OK)
        csr_load(csr, &edges, true, error);
    edges_free(&edges);
    return error->code;
}

int solve_order(void **content, size_t *bytes, const struct graph *graph, int threads,
                struct apsp_error *error)
{
    const struct engine_ops *engine = find_engine();
    struct graph own = *graph; /* whose counts an edge scan changes */
    struct comm *comm = NULL;
    struct csr csr = {0};
    *content = NULL;
    if (!engine)
        return error_set(error, APSP_USAGE, "no engine of this build makes orders");
    if (comm_solo(&comm, error) == APSP_OK &&
        load_graph(&csr, &own, comm, threads, error) == APSP_OK)
        engine->order(content, bytes, &csr, threads, error);
    csr_free(&csr);
    comm_free(comm);
    return error->code;
}
