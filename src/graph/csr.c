/* Counting sort by tails. */
#include "graph/csr.h"

#include "base/counting.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/stop.h"

#include <string.h>

static size_t csr_layout(struct csr *csr, void *base)
{
    struct mem_layout layout = {.base = base};
    csr->start = mem_place(&layout, csr->n + 1, sizeof *csr->start);
    csr->to = mem_place(&layout, csr->m, sizeof *csr->to);
    csr->weight = mem_place(&layout, csr->m, sizeof *csr->weight);
    return layout.bytes;
}

bool csr_is_equal(const struct csr *csr)
{
    bool equal = csr->m > 0;
    for (size_t e = 1; equal && e < csr->m; e++)
        equal = csr->weight[e].whole == csr->weight[0].whole;
    return equal;
}

size_t csr_need(size_t n, size_t m)
{
    return csr_layout(&(struct csr){.n = n, .m = m}, NULL);
}

/* csr: its n and m. */
static int csr_reserve(struct csr *csr, struct apsp_error *error)
{
    void *memory = mem_alloc(csr_layout(csr, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY,
                         "no memory to hold a graph of %zu vertices and %zu edges", csr->n, csr->m);
    csr_layout(csr, memory);
    return APSP_OK;
}

int csr_open(struct csr *csr, const struct graph *graph, size_t m, struct apsp_error *error)
{
    *csr = (struct csr){.n = graph->n,
                        .m = m,
                        .real = graph->real,
                        .returns = graph->returns,
                        .algebra = graph->algebra};
    return csr_reserve(csr, error);
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

static void put_edge(struct csr *csr, size_t at, const struct edge *edge)
{
    csr->to[at] = edge->to;
    csr->weight[at] = edge->weight;
    if (csr->real)
        csr->weight[at].real += 0.0; /* makes -0.0 into 0 */
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
        put_edge(csr, at, &list[e]);
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

/* A part's edges, counted by tails or placed by them. */
static void sort_part(struct csr *csr, const struct edges *edges, size_t *tail,
                      const struct edges_batch *batch, bool place)
{
    for (size_t e = 0; e < batch->count; e++) {
        const struct edge *edge = &batch->edge[e];
        if (!edges_stores(edges, edge))
            continue;
        size_t at = tail[edge->from]++;
        if (place)
            put_edge(csr, at, edge);
    }
}

static bool sorts_kept(const struct edges *edges)
{
    return edges->comm->ranks == 1 && edges->kept;
}

size_t csr_loading(const struct edges *edges)
{
    return sorts_kept(edges) ? counting_bytes(edges->graph->n, edges->stored, edges->threads) : 0;
}

/* All edges are kept here: threads take batches that follow one another. */
static int sort_kept(struct csr *csr, const struct edges *edges, struct apsp_error *error)
{
    const size_t count = edges_batches(edges, NULL);
    const struct edges_batch **list = mem_alloc(mem_bytes(count + 1, sizeof *list));
    struct counting counting;
    if (!counting_open(&counting, csr->n, csr->m, edges->threads) || !list)
        error_set(error, APSP_MEMORY, "no memory to sort %zu edges on %s", csr->m,
                  edges->comm->host);
    for (int place = 0; place < 2 && !error->code; place++) {
        edges_batches(edges, list);
#pragma omp parallel for num_threads(counting.parts) schedule(static, 1)
        for (int p = 0; p < counting.parts; p++) {
            const size_t end = counting_begin(&counting, count, p + 1);
            for (size_t b = counting_begin(&counting, count, p); b < end && !stop_wanted(); b++)
                sort_part(csr, edges, counting_part(&counting, p), list[b], place);
        }
        if (!place)
            counting_place(&counting, csr->start);
        stop_check(error);
    }
    counting_free(&counting);
    mem_free(list);
    return error->code;
}

int csr_load(struct csr *csr, struct edges *edges, bool wanted, struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    struct edge *buffer = comm->ranks > 1 ? mem_alloc(EDGES_BATCH * sizeof *buffer) : NULL;
    csr_open(csr, edges->graph, wanted ? edges->stored : 0, error);
    if (comm->ranks > 1 && !buffer)
        error_set(error, APSP_MEMORY, "no memory to pass edges on, on %s", comm->host);
    if (sorts_kept(edges) && wanted && !error->code) {
        sort_kept(csr, edges, error);
    } else if (comm_agree(comm, error) == APSP_OK) {
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

struct head {
    uint32_t to;
    union value weight;
};

/* The next vertex that an edge leads to, and the least weight of those edges; lists ascend. False:
 * there is none. */
static bool next_head(const struct csr *csr, size_t u, size_t *at, struct head *head)
{
    if (*at == csr->start[u + 1])
        return false;
    *head = (struct head){csr->to[*at], csr->weight[*at]};
    for ((*at)++; *at < csr->start[u + 1] && csr->to[*at] == head->to; (*at)++) {
        const union value other = csr->weight[*at];
        if (csr->real ? other.real < head->weight.real : other.whole < head->weight.whole)
            head->weight = other;
    }
    return true;
}

bool csr_leads_back(const struct csr *csr, size_t *next)
{
    struct head there, back;
    memcpy(next, csr->start, csr->n * sizeof *next);
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; next_head(csr, u, &e, &there);)
            if (!next_head(csr, there.to, &next[there.to], &back) || back.to != u ||
                back.weight.whole != there.weight.whole)
                return false;
    return true;
}

/* The least weight from u to v; INT64_MAX: there is no edge. */
static int64_t least_weight(const struct csr *csr, size_t u, size_t v)
{
    int64_t least = INT64_MAX;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
        if (csr->to[e] == v)
            least = int64_min(least, csr->weight[e].whole);
    return least;
}

static bool is_mutual(const struct csr *csr, size_t u)
{
    bool mutual = csr->start[u + 1] - csr->start[u] <= MUTUAL_MOST;
    for (size_t e = csr->start[u]; mutual && e < csr->start[u + 1]; e++) {
        const size_t v = csr->to[e];
        mutual = csr->start[v + 1] - csr->start[v] <= MUTUAL_MOST &&
                 least_weight(csr, u, v) == least_weight(csr, v, u);
    }
    return mutual;
}

bool csr_is_mutual(const struct csr *csr, int threads)
{
    bool mutual = true;
    if (csr->real)
        return false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096)
    for (size_t u = 0; u < csr->n; u++) {
        bool so_far;
#pragma omp atomic read
        so_far = mutual;
        if (so_far && !is_mutual(csr, u))
#pragma omp atomic write
            mutual = false;
    }
    return mutual;
}

int csr_transpose(struct csr *transposed, const struct csr *csr, struct apsp_error *error)
{
    *transposed =
        (struct csr){.n = csr->n, .m = csr->m, .real = csr->real, .algebra = csr->algebra};
    if (csr_reserve(transposed, error))
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

void csr_scale(struct csr *csr, struct scale scale)
{
    if (scale_factor(scale) == 1)
        for (size_t e = 0; e < csr->m; e++)
            csr->weight[e].whole = (int64_t)csr->weight[e].real;
    else
        for (size_t e = 0; e < csr->m; e++)
            csr->weight[e].whole = scale_whole(scale, csr->weight[e].real);
    csr->real = false;
}

void csr_convert(struct csr *csr, struct scale scale)
{
    for (size_t e = 0; e < csr->m && !csr->real; e++)
        csr->weight[e].real = scale_value(scale, csr->weight[e].whole);
    csr->algebra.real /= scale_factor(scale); /* as the differences that are keys */
    csr->real = true;
}
