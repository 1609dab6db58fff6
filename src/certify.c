/*
 * One breadth-first search over tight edges both checks and proves. It walks every edge out of every vertex
 * that it reaches, so no edge out of a reached vertex may be shorter than the row says; and a finite distance
 * that it does not reach has no path. What it reaches has a path of exactly its distance, edge by edge from
 * row i's own zero.
 */
#include "certify.h"

#include "dtype.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

struct certify_space {
    uint32_t *queue;   /* vertices in the order in which they were reached */
    uint64_t *reached; /* a bit per vertex */
    size_t words;
};

struct certify_space *certify_space_new(size_t n)
{
    struct certify_space *space = calloc(1, sizeof *space);
    if (!space)
        return NULL;
    space->words = n / 64 + 1;
    space->queue = calloc(n, sizeof *space->queue);
    space->reached = calloc(space->words, sizeof *space->reached);
    if (space->queue && space->reached)
        return space;
    certify_space_free(space);
    return NULL;
}

void certify_space_free(struct certify_space *space)
{
    if (!space)
        return;
    free(space->reached);
    free(space->queue);
    free(space);
}

static size_t bytes_of(size_t count, size_t each)
{
    size_t bytes;
    mem_mul(&bytes, count, each);
    return bytes;
}

size_t certify_need(size_t n, size_t m, int threads)
{
    size_t all, space;
    mem_add(&space, bytes_of(n, sizeof(uint32_t)), n / 8);
    mem_mul(&space, space, (size_t)threads);
    mem_add(&all, bytes_of(n + 1, sizeof(size_t)), bytes_of(m, sizeof(uint32_t) + sizeof(int32_t)));
    mem_add(&all, all, space);
    return all;
}

/* What to do with each edge that is not a loop. */
typedef int (*visit_edge)(struct certify_graph *edges, const struct edge *edge, const struct graph *graph,
                          struct apsp_error *error);

static int count_edge(struct certify_graph *edges, const struct edge *edge, const struct graph *graph,
                      struct apsp_error *error)
{
    if (edge->weight < 0 || edge->weight > INT32_MAX)
        return error_set(error, APSP_INPUT, "%s: edge %zu -> %zu has weight %lld, outside 0 .. %d",
                         graph->path, edge->from + graph->first, edge->to + graph->first,
                         (long long)edge->weight, INT32_MAX);
    edges->start[edge->from + 1]++;
    edges->m++;
    return APSP_OK;
}

/* start[v + 1] is the place of v's next edge while this runs. */
static int place_edge(struct certify_graph *edges, const struct edge *edge, const struct graph *graph,
                      struct apsp_error *error)
{
    size_t at = edges->start[edge->from + 1]++;
    if (at >= edges->m)
        return error_set(error, APSP_INPUT, "%s: changed while it was read", graph->path);
    edges->to[at] = edge->to;
    edges->weight[at] = (int32_t)edge->weight;
    return APSP_OK;
}

static int each_edge(struct certify_graph *edges, const struct graph *graph, visit_edge visit,
                     struct apsp_error *error)
{
    struct edge batch[BATCH];
    size_t count = 0, total = 0;
    struct graph_part *part = graph_part_open(graph, 0, 1);
    if (!part)
        return error_set(error, APSP_MEMORY, "%s: no memory to read edges", graph->path);
    int status = graph_part_next(part, batch, BATCH, &count, error);
    while (status == APSP_OK && count > 0) {
        total += count;
        for (size_t e = 0; e < count && status == APSP_OK; e++)
            if (batch[e].from != batch[e].to)
                status = visit(edges, &batch[e], graph, error);
        if (status == APSP_OK)
            status = graph_part_next(part, batch, BATCH, &count, error);
    }
    graph_part_free(part);
    return status == APSP_OK ? graph_check_total(graph, total, error) : status;
}

/* Degrees in start[v + 1] become, in start[v + 1], the place of v's first edge. */
static void sum_degrees(struct certify_graph *edges)
{
    size_t next = 0;
    for (size_t v = 0; v < edges->n; v++) {
        size_t degree = edges->start[v + 1];
        edges->start[v + 1] = next;
        next += degree;
    }
}

int certify_load(struct certify_graph *edges, const struct graph *graph, struct apsp_error *error)
{
    *edges = (struct certify_graph){.n = graph->n};
    edges->start = mem_alloc(bytes_of(graph->n + 1, sizeof *edges->start));
    if (!edges->start)
        return error_set(error, APSP_MEMORY, "%s: no memory for %zu vertices to verify with", graph->path,
                         graph->n);
    if (each_edge(edges, graph, count_edge, error))
        return error->code;
    sum_degrees(edges);
    edges->to = mem_alloc(bytes_of(edges->m, sizeof *edges->to));
    edges->weight = mem_alloc(bytes_of(edges->m, sizeof *edges->weight));
    if (!edges->to || !edges->weight)
        return error_set(error, APSP_MEMORY, "%s: no memory for %zu edges to verify with", graph->path,
                         edges->m);
    return each_edge(edges, graph, place_edge, error);
}

void certify_free(struct certify_graph *edges)
{
    mem_free(edges->weight, bytes_of(edges->m, sizeof *edges->weight));
    mem_free(edges->to, bytes_of(edges->m, sizeof *edges->to));
    mem_free(edges->start, bytes_of(edges->n + 1, sizeof *edges->start));
    *edges = (struct certify_graph){0};
}

/* Where the refutation of a row goes. */
struct reason {
    size_t row, first; /* both are numbers in the file */
    char *text;
    size_t size;
};

static bool refute_edge(const struct certify_graph *edges, const struct reason *why, const int32_t *row,
                        size_t u, size_t e)
{
    size_t v = edges->to[e];
    snprintf(why->text, why->size,
             "row %zu: distance %d of vertex %zu exceeds %d of vertex %zu plus the edge between them of %d",
             why->row, row[v], v + why->first, row[u], u + why->first, edges->weight[e]);
    return false;
}

/* Values that no distance has; counts the finite ones. */
static bool check_range(size_t n, size_t i, const int32_t *row, size_t *finite, const struct reason *why)
{
    int32_t bad = 0;
    *finite = 0;
    for (size_t v = 0; v < n; v++) {
        bad |= (row[v] < 0) | (row[v] > INF_I32);
        *finite += row[v] < INF_I32;
    }
    if (bad) {
        size_t v = 0;
        while (row[v] >= 0 && row[v] <= INF_I32)
            v++;
        snprintf(why->text, why->size, "row %zu: vertex %zu has %d, outside 0 .. %d", why->row,
                 v + why->first, row[v], INF_I32);
        return false;
    }
    if (row[i] == 0)
        return true;
    snprintf(why->text, why->size, "row %zu: vertex %zu is %d away from itself", why->row, why->row, row[i]);
    return false;
}

static bool refute_unreached(const struct certify_space *space, const int32_t *row, const struct reason *why)
{
    size_t v = 0;
    while (row[v] == INF_I32 || space->reached[v / 64] >> v % 64 & 1)
        v++;
    snprintf(why->text, why->size, "row %zu: no path has the distance %d of vertex %zu", why->row, row[v],
             v + why->first);
    return false;
}

bool certify_row(const struct certify_graph *edges, size_t i, const int32_t *row, struct certify_space *space,
                 size_t first, char *why, size_t size)
{
    const struct reason reason = {i + first, first, why, size};
    size_t finite, known = 1;
    if (!check_range(edges->n, i, row, &finite, &reason))
        return false;
    memset(space->reached, 0, space->words * sizeof *space->reached);
    space->queue[0] = (uint32_t)i;
    space->reached[i / 64] |= UINT64_C(1) << i % 64;
    for (size_t next = 0; next < known; next++) {
        size_t u = space->queue[next], end = edges->start[u + 1];
        uint32_t here = (uint32_t)row[u];
        for (size_t e = edges->start[u]; e < end; e++) {
            uint32_t v = edges->to[e], through = here + (uint32_t)edges->weight[e];
            /* A reachable vertex is never infinite, however far. */
            if (through > INF_I32)
                through = INF_I32;
            if (through > (uint32_t)row[v])
                continue;
            if (through < (uint32_t)row[v] || row[v] == INF_I32)
                return refute_edge(edges, &reason, row, u, e);
            if (space->reached[v / 64] >> v % 64 & 1)
                continue;
            space->reached[v / 64] |= UINT64_C(1) << v % 64;
            space->queue[known++] = v;
        }
    }
    return known == finite || refute_unreached(space, row, &reason);
}

size_t certify_choose(size_t *rows, size_t wanted, size_t n)
{
    size_t count = wanted < n ? wanted : n;
    unsigned short state[3] = {0x2026, 0x11, 0x21};
    for (size_t k = 0, lo = 0; k < count; k++) { /* one row of each of `count` nearly equal intervals */
        size_t length = n / count + (k < n % count);
        rows[k] = lo + (size_t)nrand48(state) % length;
        lo += length;
    }
    return count;
}
