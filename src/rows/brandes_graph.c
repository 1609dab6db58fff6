#include "base/mem.h"
#include "rows/brandes.h"

#include <math.h>
#include <string.h>

static size_t graph_place(struct brandes_graph *graph, size_t n, size_t m, bool edges, void *base)
{
    struct mem_layout layout = {.base = base};
    graph->out.start = mem_place(&layout, n + 1, sizeof *graph->out.start);
    graph->in.start = mem_place(&layout, n + 1, sizeof *graph->in.start);
    graph->out.vertex = mem_place(&layout, m, sizeof *graph->out.vertex);
    graph->in.vertex = mem_place(&layout, m, sizeof *graph->in.vertex);
    graph->number = mem_place(&layout, n, sizeof *graph->number);
    graph->vertex = mem_place(&layout, n, sizeof *graph->vertex);
    graph->rank = mem_place(&layout, n, sizeof *graph->rank);
    graph->wanted = mem_place(&layout, n, sizeof *graph->wanted);
    graph->arc = mem_place(&layout, edges ? m : 0, sizeof *graph->arc);
    if (!edges)
        graph->arc = NULL;
    return layout.bytes;
}

size_t brandes_graph_need(size_t n, size_t m, bool edges)
{
    return graph_place(&(struct brandes_graph){0}, n, m, edges, NULL);
}

/* Places of the vertices by a key up to n, those of one key as they come: a counting sort. `first`
 * has room for n + 2. */
static void sort_by_key(const size_t *key, size_t n, size_t *first, uint32_t *place)
{
    memset(first, 0, (n + 2) * sizeof *first);
    for (size_t v = 0; v < n; v++)
        first[key[v] + 1]++;
    for (size_t k = 0; k <= n; k++)
        first[k + 1] += first[k];
    for (size_t v = 0; v < n; v++)
        place[v] = (uint32_t)first[key[v]]++;
}

/* By falling degree. */
static void number_by_degree(struct brandes_graph *graph, const struct arcs *arcs, size_t *key,
                             size_t *first)
{
    const size_t n = graph->n;
    memset(key, 0, n * sizeof *key);
    for (size_t v = 0; v < n; v++)
        key[v] += arcs->start[v + 1] - arcs->start[v];
    for (size_t e = 0; e < arcs->m; e++)
        key[arcs->to[e]]++;
    for (size_t v = 0; v < n; v++)
        key[v] = key[v] < n ? n - key[v] : 0;
    sort_by_key(key, n, first, graph->number);
    for (size_t v = 0; v < n; v++)
        graph->vertex[graph->number[v]] = (uint32_t)v;
}

/* As searches reach them, from each vertex that none before has reached. */
static void number_by_searches(struct brandes_graph *graph, const struct arcs *arcs)
{
    uint32_t count = 0;
    memset(graph->number, 0xff, graph->n * sizeof *graph->number);
    for (size_t root = 0, at = 0; root < graph->n; root++) {
        if (graph->number[root] == UINT32_MAX) {
            graph->vertex[count] = (uint32_t)root;
            graph->number[root] = count++;
        }
        for (; at < count; at++)
            for (size_t u = graph->vertex[at], e = arcs->start[u]; e < arcs->start[u + 1]; e++) {
                const uint32_t v = arcs->to[e];
                if (graph->number[v] == UINT32_MAX) {
                    graph->vertex[count] = v;
                    graph->number[v] = count++;
                }
            }
    }
}

/* Vertices are taken as tails in ascending order for `in`, then as heads for `out`: so both lists
 * are ascending. `next` has room for n. */
static void fill_lists(struct brandes_graph *graph, const struct arcs *arcs, size_t *next)
{
    const size_t n = graph->n;
    size_t *out = (size_t *)graph->out.start, *in = (size_t *)graph->in.start;
    uint32_t *tail = (uint32_t *)graph->in.vertex, *head = (uint32_t *)graph->out.vertex;
    for (size_t v = 0; v < n; v++)
        out[graph->number[v] + 1] = arcs->start[v + 1] - arcs->start[v];
    for (size_t e = 0; e < arcs->m; e++)
        in[graph->number[arcs->to[e]] + 1]++;
    for (size_t v = 0; v < n; v++) {
        out[v + 1] += out[v];
        in[v + 1] += in[v];
    }
    memcpy(next, in, n * sizeof *next);
    for (size_t u = 0; u < n; u++)
        for (size_t v = graph->vertex[u], e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            tail[next[graph->number[arcs->to[e]]]++] = (uint32_t)u;
    memcpy(next, out, n * sizeof *next);
    for (size_t v = 0; v < n; v++)
        for (size_t e = in[v]; e < in[v + 1]; e++)
            head[next[tail[e]]++] = (uint32_t)v;
}

/* Which arc stands where in the lists of `out`: new numbers of the heads of one tail are all
 * different. `place` has room for n. */
static void find_arcs(struct brandes_graph *graph, const struct arcs *arcs, size_t *place)
{
    for (size_t u = 0; graph->arc && u < graph->n; u++) {
        const size_t v = graph->vertex[u];
        for (size_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            place[graph->number[arcs->to[e]]] = e;
        for (size_t e = graph->out.start[u]; e < graph->out.start[u + 1]; e++)
            graph->arc[e] = place[graph->out.vertex[e]];
    }
}

/* Sources that share their neighbour of the highest degree reach other vertices in the same levels
 * (after H. Liu et al., iBFS, SIGMOD 2016). */
static void rank_sources(struct brandes_graph *graph, size_t *key, size_t *first)
{
    for (size_t v = 0; v < graph->n; v++) {
        const size_t u = graph->number[v], e = graph->out.start[u];
        key[v] = e < graph->out.start[u + 1] ? graph->out.vertex[e] : graph->n;
        key[v] = key[v] < u ? key[v] : u;
    }
    sort_by_key(key, graph->n, first, graph->rank);
}

int brandes_graph_make(struct brandes_graph *graph, const struct arcs *arcs, bool deep,
                       const struct brandes_paths *paths, struct apsp_error *error)
{
    const size_t n = arcs->n;
    *graph = (struct brandes_graph){.n = n, .deep = deep, .paths = *paths, .fixed = fixed_for(n)};
    void *memory = mem_alloc(graph_place(graph, n, arcs->m, paths->edges, NULL));
    size_t *work = mem_alloc(mem_bytes(n + 2, 2 * sizeof *work));
    graph_place(graph, n, arcs->m, paths->edges, memory);
    if (memory && work) {
        if (deep)
            number_by_searches(graph, arcs);
        else
            number_by_degree(graph, arcs, work, work + n);
        fill_lists(graph, arcs, work);
        find_arcs(graph, arcs, work);
        if (deep)
            memcpy(graph->rank, graph->number, n * sizeof *graph->rank);
        else
            rank_sources(graph, work, work + n);
        for (size_t v = 0; v < n; v++)
            graph->wanted[graph->number[v]] = !paths->target || paths->target[v];
        graph->paths.target = NULL;
    } else {
        error_set(error, APSP_MEMORY, "no memory for the betweenness of %zu vertices", n);
        mem_free(memory);
        *graph = (struct brandes_graph){0};
    }
    mem_free(work);
    return error->code;
}

void brandes_graph_free(struct brandes_graph *graph)
{
    mem_free((void *)graph->out.start); /* the first of what is placed */
    *graph = (struct brandes_graph){0};
}

/* The first vertices that a search reaches, by levels. */
enum { BALL = 4096, SLOTS = 2 * BALL, SLOT_BITS = 13 };
struct ball {
    uint32_t vertex[BALL], slot[SLOTS]; /* The table of them has 1 + the vertex, or 0. */
    size_t end[BALL + 1];               /* Where each level ends. */
    size_t count, levels;
};

static void ball_add(struct ball *ball, uint32_t v)
{
    size_t at = v * UINT32_C(2654435761) >> (32 - SLOT_BITS);
    while (ball->slot[at] && ball->slot[at] != v + 1)
        at = (at + 1) % SLOTS;
    if (ball->slot[at] || ball->count == BALL)
        return;
    ball->slot[at] = v + 1;
    ball->vertex[ball->count++] = v;
}

static void ball_fill(struct ball *ball, const struct csr *edges)
{
    uint32_t hub = 0;
    for (uint32_t v = 1; v < edges->n; v++)
        if (edges->start[v + 1] - edges->start[v] > edges->start[hub + 1] - edges->start[hub])
            hub = v;
    ball_add(ball, hub);
    for (size_t at = 0; at < ball->count;) {
        const size_t end = ball->end[ball->levels++] = ball->count;
        for (; at < end && ball->count < BALL; at++) {
            const uint32_t u = ball->vertex[at];
            for (size_t e = edges->start[u]; e < edges->start[u + 1] && ball->count < BALL; e++)
                ball_add(ball, edges->to[e]);
        }
        if (ball->count == BALL) {
            ball->end[ball->levels++] = BALL;
            return;
        }
    }
}

/* PATHS_WIDTH draws from the distances of the ball have so many values, in the mean. A vertex costs
 * a row of the batch for each of these. At 6, social networks, the batch takes 0.7 times the time
 * of rows; at 40, roads, 4 to 9 times (docs/log). */
bool brandes_is_shallow(const struct csr *edges)
{
    const double most = 12;
    struct ball ball = {.count = 0};
    double differ = 0;
    if (edges->n == 0)
        return false;
    ball_fill(&ball, edges);
    for (size_t k = 0, first = 0; k < ball.levels; first = ball.end[k++])
        differ += 1 - pow(1 - (double)(ball.end[k] - first) / (double)ball.count, PATHS_WIDTH);
    return differ <= most;
}
