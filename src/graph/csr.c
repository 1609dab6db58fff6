/* Counting sort by tails: a pass over the edges counts, a second one places. */
#include "graph/csr.h"

#include "base/mem.h"

enum { BATCH = 1024 };

size_t csr_need(size_t n, size_t m)
{
    size_t all;
    mem_add(&all, mem_bytes(n + 1, sizeof(size_t)), mem_bytes(m, sizeof(uint32_t) + sizeof(union value)));
    return all;
}

void csr_free(struct csr *csr)
{
    mem_free(csr->weight);
    mem_free(csr->to);
    mem_free(csr->start);
    *csr = (struct csr){0};
}

static int start_rows(struct csr *csr, size_t n, bool real, struct apsp_error *error)
{
    *csr = (struct csr){.n = n, .real = real};
    csr->start = mem_alloc(mem_bytes(n + 1, sizeof *csr->start));
    return csr->start ? APSP_OK
                      : error_set(error, APSP_MEMORY, "no memory to hold a graph of %zu vertices", n);
}

static bool is_kept(const struct csr *csr, const struct edge *edge)
{
    return edge->from != edge->to || (csr->real ? edge->weight.real < 0 : edge->weight.whole < 0);
}

static void count_edges(struct csr *csr, const struct edge *edges, size_t count)
{
    for (size_t e = 0; e < count; e++) {
        size_t kept = is_kept(csr, &edges[e]);
        csr->start[edges[e].from + 1] += kept;
        csr->m += kept;
    }
}

/* Degrees in start[v + 1] become, in start[v + 1], the place of v's first edge. */
static int start_edges(struct csr *csr, struct apsp_error *error)
{
    size_t next = 0;
    for (size_t v = 0; v < csr->n; v++) {
        size_t degree = csr->start[v + 1];
        csr->start[v + 1] = next;
        next += degree;
    }
    csr->to = mem_alloc(mem_bytes(csr->m, sizeof *csr->to));
    csr->weight = mem_alloc(mem_bytes(csr->m, sizeof *csr->weight));
    if (!csr->to || !csr->weight)
        return error_set(error, APSP_MEMORY, "no memory to hold a graph of %zu vertices and %zu edges",
                         csr->n, csr->m);
    return APSP_OK;
}

/* start[v + 1] is the place of v's next edge while this runs. False when there are more edges than were
 * counted. */
static bool place_edges(struct csr *csr, const struct edge *edges, size_t count)
{
    for (size_t e = 0; e < count; e++) {
        if (!is_kept(csr, &edges[e]))
            continue;
        size_t at = csr->start[edges[e].from + 1]++;
        if (at >= csr->m)
            return false;
        csr->to[at] = edges[e].to;
        csr->weight[at] = edges[e].weight;
        if (csr->real)
            csr->weight[at].real += 0.0; /* makes -0.0 into 0 */
    }
    return true;
}

/* One pass over the file, to count or to place. */
static int read_edges(struct csr *csr, const struct graph *graph, bool place, struct apsp_error *error)
{
    struct edge batch[BATCH];
    size_t count = 0, total = 0;
    struct graph_part *part = graph_part_open(graph, 0, 1);
    if (!part)
        return error_set(error, APSP_MEMORY, "%s: no memory to read edges", graph->path);
    while (graph_part_next(part, batch, BATCH, &count, error) == APSP_OK && count > 0) {
        total += count;
        if (!place)
            count_edges(csr, batch, count);
        else if (!place_edges(csr, batch, count))
            error_set(error, APSP_INPUT, "%s: changed while it was read", graph->path);
        if (error->code)
            break;
    }
    graph_part_free(part);
    return error->code ? error->code : graph_check_total(graph, total, error);
}

int csr_load(struct csr *csr, const struct graph *graph, struct apsp_error *error)
{
    if (start_rows(csr, graph->n, graph->real, error) || read_edges(csr, graph, false, error) ||
        start_edges(csr, error))
        return error->code;
    return read_edges(csr, graph, true, error);
}

int csr_make(struct csr *csr, size_t n, bool real, const struct edge *edges, size_t count,
             struct apsp_error *error)
{
    if (start_rows(csr, n, real, error))
        return error->code;
    count_edges(csr, edges, count);
    if (start_edges(csr, error))
        return error->code;
    place_edges(csr, edges, count);
    return APSP_OK;
}

int csr_transpose(struct csr *turned, const struct csr *csr, struct apsp_error *error)
{
    if (start_rows(turned, csr->n, csr->real, error))
        return error->code;
    for (size_t e = 0; e < csr->m; e++)
        turned->start[csr->to[e] + 1]++;
    turned->m = csr->m;
    if (start_edges(turned, error))
        return error->code;
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            size_t at = turned->start[csr->to[e] + 1]++;
            turned->to[at] = (uint32_t)u;
            turned->weight[at] = csr->weight[e];
        }
    return APSP_OK;
}

void csr_convert(struct csr *csr)
{
    if (csr->real)
        return;
    for (size_t e = 0; e < csr->m; e++)
        csr->weight[e].real = (double)csr->weight[e].whole;
    csr->real = true;
}
