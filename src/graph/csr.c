/* Counting sort by tails. */
#include "graph/csr.h"

#include "base/mem.h"

static size_t csr_layout(struct csr *csr, void *base)
{
    struct mem_layout layout = {.base = base};
    csr->start = mem_place(&layout, csr->n + 1, sizeof *csr->start);
    csr->to = mem_place(&layout, csr->m, sizeof *csr->to);
    csr->weight = mem_place(&layout, csr->m, sizeof *csr->weight);
    return layout.bytes;
}

size_t csr_need(size_t n, size_t m)
{
    return csr_layout(&(struct csr){.n = n, .m = m}, NULL);
}

/* csr: its n, m and real. */
static int open_csr(struct csr *csr, struct apsp_error *error)
{
    void *memory = mem_alloc(csr_layout(csr, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY,
                         "no memory to hold a graph of %zu vertices and %zu edges", csr->n, csr->m);
    csr_layout(csr, memory);
    return APSP_OK;
}

void csr_free(struct csr *csr)
{
    mem_free(csr->start);
    *csr = (struct csr){0};
}

/* Degrees in start[v + 1] become, in start[v + 1], the place of v's first edge. */
static void start_edges(struct csr *csr)
{
    size_t next = 0;
    for (size_t v = 0; v < csr->n; v++) {
        size_t degree = csr->start[v + 1];
        csr->start[v + 1] = next;
        next += degree;
    }
}

/* start[v + 1] is the place of v's next edge while this runs. False when there are more edges than
 * were counted. */
static bool place_edges(struct csr *csr, const struct edges *edges, const struct edge *list,
                        size_t count)
{
    for (size_t e = 0; e < count; e++) {
        if (!edges_stores(edges, &list[e]))
            continue;
        size_t at = csr->start[list[e].from + 1]++;
        if (at >= csr->m)
            return false;
        csr->to[at] = list[e].to;
        csr->weight[at] = list[e].weight;
        if (csr->real)
            csr->weight[at].real += 0.0; /* makes -0.0 into 0 */
    }
    return true;
}

/* Of this rank's edges, to start[v + 1]. */
static void count_degrees(struct csr *csr, struct edges *edges)
{
    const struct edge *list;
    struct apsp_error none = {0};
    size_t count;
    for (size_t v = 0; edges->degree && v < csr->n; v++)
        csr->start[v + 1] = edges->degree[v];
    if (edges->degree)
        return;
    edges_begin(edges);
    while (edges_next(edges, &list, &count, &none) == APSP_OK &&
           count > 0) /* from memory: cannot fail */
        for (size_t e = 0; e < count; e++)
            csr->start[list[e].from + 1] += edges_stores(edges, &list[e]);
}

/* Places the edges of rank `root`, which passes them on; `buffer` is for those of others. */
static void pass_edges(struct csr *csr, struct edges *edges, int root, struct edge *buffer,
                       struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    const struct edge *list = buffer;
    size_t count = 0;
    if (comm->rank == root)
        edges_begin(edges);
    do {
        if (comm->rank == root && edges_next(edges, &list, &count, error) != APSP_OK)
            count = 0;
        comm_broadcast(comm, &count, sizeof count, root);
        comm_broadcast(comm, (void *)list, count * sizeof *list, root);
        if (csr->to && !place_edges(csr, edges, list, count))
            graph_changed(edges->graph, error);
    } while (count > 0);
}

int csr_load(struct csr *csr, struct edges *edges, bool wanted, struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    struct edge *buffer = comm->ranks > 1 ? mem_alloc(EDGES_BATCH * sizeof *buffer) : NULL;
    *csr = (struct csr){.n = edges->graph->n,
                        .m = wanted ? edges->stored : 0,
                        .real = edges->graph->real,
                        .algebra = edges->graph->algebra};
    open_csr(csr, error);
    if (comm->ranks > 1 && !buffer)
        error_set(error, APSP_MEMORY, "no memory to pass edges on, on %s", comm->host);
    if (comm_agree(comm, error) == APSP_OK) {
        count_degrees(csr, edges);
        comm_sum_all(comm, csr->start + 1, csr->n);
        start_edges(csr);
        if (!wanted)
            csr->to = NULL;
        for (int root = 0; root < comm->ranks; root++)
            pass_edges(csr, edges, root, buffer, error);
        comm_agree(comm, error);
    }
    mem_free(buffer);
    if (!wanted)
        csr_free(csr);
    return error->code;
}

int csr_transpose(struct csr *transposed, const struct csr *csr, struct apsp_error *error)
{
    *transposed =
        (struct csr){.n = csr->n, .m = csr->m, .real = csr->real, .algebra = csr->algebra};
    if (open_csr(transposed, error))
        return error->code;
    for (size_t e = 0; e < csr->m; e++)
        transposed->start[csr->to[e] + 1]++;
    start_edges(transposed);
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            size_t at = transposed->start[csr->to[e] + 1]++;
            transposed->to[at] = (uint32_t)u;
            transposed->weight[at] = csr->weight[e];
        }
    return APSP_OK;
}

void csr_convert(struct csr *csr, struct scale scale)
{
    for (size_t e = 0; e < csr->m && !csr->real; e++)
        csr->weight[e].real = scale_value(scale, csr->weight[e].whole);
    csr->algebra.real /= scale_factor(scale); /* as the differences that are keys */
    csr->real = true;
}
