/*
 * Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959), with
 * a binary heap in which a vertex may lie several times: stale entries are skipped when they
 * surface. Bellman, "On a routing problem", Quarterly of Applied Mathematics 16 (1958).
 */
#include "reference.h"

#include "base/dtype.h"

#include <math.h>
#include <stdlib.h>

struct entry {
    int64_t distance;
    uint32_t vertex;
};

/* One source's work space and the edges by their tails. */
struct dijkstra {
    size_t n, *start;
    struct edge *edges;
    struct entry *heap; /* room for one entry per edge and the source */
    size_t count;
};

static void heap_push(struct dijkstra *state, struct entry entry)
{
    size_t i = state->count++;
    for (size_t up; i > 0 && state->heap[up = (i - 1) / 2].distance > entry.distance; i = up)
        state->heap[i] = state->heap[up];
    state->heap[i] = entry;
}

static struct entry heap_pop(struct dijkstra *state)
{
    struct entry *heap = state->heap, top = heap[0], last = heap[--state->count];
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < state->count; i = down) {
        down += down + 1 < state->count && heap[down + 1].distance < heap[down].distance;
        if (heap[down].distance >= last.distance)
            break;
        heap[i] = heap[down];
    }
    heap[i] = last;
    return top;
}

static void dijkstra_from(struct dijkstra *state, uint32_t source, int32_t *row)
{
    for (size_t v = 0; v < state->n; v++)
        row[v] = INF_I32;
    row[source] = 0;
    state->count = 0;
    heap_push(state, (struct entry){0, source});
    while (state->count) {
        struct entry here = heap_pop(state);
        if (here.distance > row[here.vertex])
            continue;
        for (size_t e = state->start[here.vertex]; e < state->start[here.vertex + 1]; e++) {
            int64_t distance = here.distance + state->edges[e].weight.whole;
            uint32_t to = state->edges[e].to;
            if (distance >= row[to])
                continue;
            row[to] = (int32_t)distance;
            heap_push(state, (struct entry){distance, to});
        }
    }
}

static void sort_by_tail(struct dijkstra *state, const struct edge *edges, size_t m)
{
    for (size_t e = 0; e < m; e++)
        state->start[edges[e].from + 1]++;
    for (size_t v = 0; v < state->n; v++)
        state->start[v + 1] += state->start[v];
    for (size_t e = m; e-- > 0;) /* backwards: each tail's edges fill from its end, and start[v + 1]
                                    moves down to where v begins */
        state->edges[--state->start[edges[e].from + 1]] = edges[e];
    for (size_t v = 0; v < state->n; v++)
        state->start[v] = state->start[v + 1];
    state->start[state->n] = m;
}

int32_t *reference_dijkstra(size_t n, const struct edge *edges, size_t m)
{
    struct dijkstra state = {.n = n,
                             .start = calloc(n + 1, sizeof *state.start),
                             .edges = malloc((m + 1) * sizeof *state.edges),
                             .heap = malloc((m + 1) * sizeof *state.heap)};
    int32_t *distances = malloc(n * n * sizeof *distances);
    if (state.start && state.edges && state.heap && distances) {
        sort_by_tail(&state, edges, m);
        for (size_t v = 0; v < n; v++)
            dijkstra_from(&state, (uint32_t)v, distances + v * n);
    } else {
        free(distances);
        distances = NULL;
    }
    free(state.heap);
    free(state.edges);
    free(state.start);
    return distances;
}

int64_t *reference_whole(size_t n, const struct edge *edges, size_t m, bool *cycle)
{
    int64_t *distances = malloc(n * n * sizeof *distances);
    *cycle = false;
    for (size_t source = 0; distances && source < n; source++) {
        int64_t *row = distances + source * n;
        bool changed = true;
        for (size_t v = 0; v < n; v++)
            row[v] = v == source ? 0 : INF_I64;
        for (size_t round = 0; round <= n && changed; round++) {
            changed = false;
            for (size_t e = 0; e < m; e++)
                if (row[edges[e].from] != INF_I64 &&
                    row[edges[e].from] + edges[e].weight.whole < row[edges[e].to]) {
                    row[edges[e].to] = row[edges[e].from] + edges[e].weight.whole;
                    changed = true;
                }
        }
        *cycle |= changed;
    }
    return distances;
}

int32_t *reference_bellman_ford(size_t n, const struct edge *edges, size_t m)
{
    bool cycle;
    int32_t *distances = malloc(n * n * sizeof *distances);
    int64_t *whole = reference_whole(n, edges, m, &cycle);
    for (size_t k = 0; distances && whole && k < n * n; k++)
        distances[k] = whole[k] < INF_I32 ? (int32_t)whole[k] : INF_I32;
    if (!whole) {
        free(distances);
        distances = NULL;
    }
    free(whole);
    return distances;
}

double *reference_real(size_t n, const struct edge *edges, size_t m, bool *cycle)
{
    double *distances = malloc(n * n * sizeof *distances);
    *cycle = false;
    for (size_t source = 0; distances && source < n; source++) {
        double *row = distances + source * n;
        bool changed = true;
        for (size_t v = 0; v < n; v++)
            row[v] = v == source ? 0 : INFINITY;
        for (size_t round = 0; round <= n && changed; round++) {
            changed = false;
            for (size_t e = 0; e < m; e++)
                if (row[edges[e].from] + edges[e].weight.real < row[edges[e].to]) {
                    row[edges[e].to] = row[edges[e].from] + edges[e].weight.real;
                    changed = true;
                }
        }
        *cycle |= changed;
    }
    return distances;
}
