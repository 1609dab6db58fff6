/*
 * Every vertex without a partner offers itself to that neighbour without one to which it has the
 * most edges for its size. Two that offer themselves to each other are partners, and become one
 * vertex. A few rounds of offers make a graph of about half the vertices.
 */
#ifdef APSP_METIS
#include "sparse/coarse.h"

#include "base/mem.h"

#include <string.h>

enum {
    ROUNDS = 4,   /* of offers for a graph */
    CHUNK = 4096, /* vertices of a task */
    HEAVY = 4,    /* times the weight of an average vertex of the last graph, at most */
};

#define NO_VERTEX UINT32_MAX

struct making {
    struct coarse *coarse; /* the graph so far */
    uint32_t *partner;     /* of each vertex */
    uint32_t *offer;       /* to whom; and later its number in the next graph */
    int64_t heavy;
    int threads;
};

/* A pseudo-random number of the edge between v and u, the same in both directions. */
static uint32_t tie(uint32_t v, uint32_t u)
{
    uint64_t x = v < u ? (uint64_t)v << 32 | u : (uint64_t)u << 32 | v;
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return (uint32_t)(x >> 40);
}

static uint32_t best_partner(const struct making *making, uint32_t v)
{
    const struct coarse *graph = making->coarse;
    uint32_t best = NO_VERTEX;
    uint64_t most = 0;
    for (idx_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
        const uint32_t u = (uint32_t)graph->to[e];
        const int64_t weight = (int64_t)graph->weight[v] + graph->weight[u];
        if (making->partner[u] != NO_VERTEX || weight > making->heavy)
            continue;
        const uint64_t sizes = (uint64_t)graph->weight[v] * (uint64_t)graph->weight[u];
        const uint64_t value = ((uint64_t)graph->edges[e] << 20) / sizes;
        const uint64_t key = (value << 24 | tie(v, u)) + 1;
        if (key > most || (key == most && u < best)) {
            most = key;
            best = u;
        }
    }
    return best;
}

static void find_partners(struct making *making)
{
    const size_t n = making->coarse->n;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (uint32_t v = 0; v < n; v++)
        making->partner[v] = NO_VERTEX;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
        for (uint32_t v = 0; v < n; v++)
            making->offer[v] =
                making->partner[v] == NO_VERTEX ? best_partner(making, v) : NO_VERTEX;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
        for (uint32_t v = 0; v < n; v++)
            if (making->offer[v] != NO_VERTEX && making->offer[making->offer[v]] == v)
                making->partner[v] = making->offer[v];
    }
}

/* A vertex and its partner, if it has one, have the number of the lower one. */
static size_t number_next(struct making *making)
{
    size_t count = 0;
    for (uint32_t v = 0; v < making->coarse->n; v++) {
        const uint32_t partner = making->partner[v];
        making->offer[v] = partner < v ? making->offer[partner] : (uint32_t)count++;
    }
    return count;
}

/* Adds v's edges to those of x, each neighbour once. Returns how many there are. */
static idx_t add_edges(const struct making *making, uint32_t v, uint32_t x, idx_t *to, idx_t *edges,
                       idx_t count)
{
    enum { FAR = 64 }; /* No entry further back is looked at. */
    const struct coarse *graph = making->coarse;
    for (idx_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
        const idx_t y = (idx_t)making->offer[graph->to[e]];
        idx_t at = count > FAR ? count - FAR : 0;
        if (y == (idx_t)x)
            continue;
        while (at < count && to[at] != y)
            at++;
        if (at == count) {
            to[count] = y;
            edges[count++] = 0;
        }
        edges[at] += graph->edges[e];
    }
    return count;
}

static bool open_graph(struct coarse *graph, size_t n, size_t entries)
{
    graph->n = n;
    graph->start = mem_alloc(mem_bytes(n + 1, sizeof *graph->start));
    graph->weight = mem_alloc(mem_bytes(n, sizeof *graph->weight));
    graph->to = mem_alloc(mem_bytes(entries, sizeof *graph->to));
    graph->edges = mem_alloc(mem_bytes(entries, sizeof *graph->edges));
    return graph->start && graph->weight && graph->to && graph->edges;
}

static void free_graph(struct coarse *graph)
{
    mem_free(graph->edges);
    mem_free(graph->to);
    mem_free(graph->weight);
    mem_free(graph->start);
}

/* With room for all edges of both partners; then the lists are taken together. */
static void fill_lists(const struct making *making, struct coarse *wide)
{
    const struct coarse *graph = making->coarse;
    for (uint32_t v = 0; v < graph->n; v++)
        wide->start[making->offer[v] + 1] += graph->start[v + 1] - graph->start[v];
    for (size_t x = 0; x < wide->n; x++)
        wide->start[x + 1] += wide->start[x];
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (uint32_t v = 0; v < graph->n; v++) {
        const uint32_t partner = making->partner[v], x = making->offer[v];
        if (partner < v)
            continue;
        idx_t *to = wide->to + wide->start[x], *edges = wide->edges + wide->start[x];
        idx_t count = add_edges(making, v, x, to, edges, 0);
        wide->weight[x] = graph->weight[v];
        if (partner != NO_VERTEX) {
            count = add_edges(making, partner, x, to, edges, count);
            wide->weight[x] += graph->weight[partner];
        }
        if (count < wide->start[x + 1] - wide->start[x])
            to[count] = -1;
    }
}

static void close_lists(const struct making *making, struct coarse *next, const struct coarse *wide)
{
    for (size_t x = 0; x < wide->n; x++) {
        idx_t e = wide->start[x];
        while (e < wide->start[x + 1] && wide->to[e] >= 0)
            e++;
        next->start[x + 1] = next->start[x] + e - wide->start[x];
    }
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (size_t x = 0; x < wide->n; x++) {
        const size_t bytes = (size_t)(next->start[x + 1] - next->start[x]) * sizeof *next->to;
        memcpy(next->to + next->start[x], wide->to + wide->start[x], bytes);
        memcpy(next->edges + next->start[x], wide->edges + wide->start[x], bytes);
        next->weight[x] = wide->weight[x];
    }
}

/* The next graph in place of this one. False: no memory. */
static bool make_next(struct making *making, size_t n, size_t vertices)
{
    struct coarse *graph = making->coarse, wide, next;
    const size_t entries = (size_t)graph->start[graph->n];
    bool good = open_graph(&wide, n, entries);
    if (good)
        fill_lists(making, &wide);
    good = open_graph(&next, n, entries) && good;
    if (good)
        close_lists(making, &next, &wide);
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (size_t v = 0; v < vertices; v++)
        graph->number[v] = making->offer[graph->number[v]];
    next.number = graph->number;
    free_graph(&wide);
    free_graph(graph);
    *graph = next;
    return good;
}

static bool open_first(struct making *making, const struct pattern *pattern)
{
    struct coarse *graph = making->coarse;
    const size_t n = pattern->n, entries = pattern->start[n];
    if (!open_graph(graph, n, entries) || !making->partner || !making->offer || !graph->number)
        return false;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (size_t v = 0; v < n; v++) {
        graph->number[v] = (uint32_t)v;
        graph->start[v + 1] = (idx_t)pattern->start[v + 1];
        graph->weight[v] = 1;
        for (size_t e = pattern->start[v]; e < pattern->start[v + 1]; e++) {
            graph->to[e] = (idx_t)pattern->to[e];
            graph->edges[e] = 1;
        }
    }
    return true;
}

int coarse_make(struct coarse *coarse, const struct pattern *pattern, size_t most, int threads,
                struct apsp_error *error)
{
    const size_t n = pattern->n;
    struct making making = {.coarse = coarse, .threads = threads};
    *coarse = (struct coarse){.number = mem_alloc(mem_bytes(n, sizeof *coarse->number))};
    making.partner = mem_alloc(mem_bytes(n, sizeof *making.partner));
    making.offer = mem_alloc(mem_bytes(n, sizeof *making.offer));
    making.heavy = (int64_t)(HEAVY * (n / most + 1));
    bool good = open_first(&making, pattern), slow = false;
    while (good && !slow && coarse->n > most) {
        find_partners(&making);
        const size_t next = number_next(&making);
        slow = next > coarse->n - coarse->n / 8;
        good = slow || make_next(&making, next, n);
    }
    mem_free(making.offer);
    mem_free(making.partner);
    if (!good)
        return error_set(error, APSP_MEMORY, "no memory to order %zu vertices", n);
    if (slow)
        coarse_free(coarse);
    return APSP_OK;
}

void coarse_free(struct coarse *coarse)
{
    free_graph(coarse);
    mem_free(coarse->number);
    *coarse = (struct coarse){0};
}
#else
typedef int coarse_without_metis; /* a file is not empty */
#endif
