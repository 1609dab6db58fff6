#include "rows/deep.h"

#include "base/mem.h"
#include "rows/scaled.h"

#include <string.h>

#define UNSEEN UINT32_MAX

static size_t deep_place(struct deep *deep, size_t n, size_t m, bool edges, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *deep);
    deep->sum = mem_place(&layout, n, sizeof *deep->sum);
    deep->arc = mem_place(&layout, edges ? m : 0, sizeof *deep->arc);
    deep->part = mem_place(&layout, n, sizeof *deep->part);
    deep->level = mem_place(&layout, n, sizeof *deep->level);
    deep->scale = mem_place(&layout, n, sizeof *deep->scale);
    deep->order = mem_place(&layout, n, sizeof *deep->order);
    if (!edges)
        deep->arc = NULL;
    return layout.bytes;
}

size_t deep_need(size_t n, size_t m, bool edges)
{
    return deep_place(&(struct deep){0}, n, m, edges, NULL);
}

int deep_open(struct deep **out, const struct brandes_graph *graph, struct apsp_error *error)
{
    const size_t n = graph->n, m = graph->out.start[n];
    struct deep *deep = *out = mem_alloc(deep_need(n, m, graph->arc));
    if (!deep)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness of %zu vertices", n);
    deep_place(deep, n, m, graph->arc, deep);
    deep->graph = graph;
    memset(deep->level, 0xff, n * sizeof *deep->level);
    return APSP_OK;
}

void deep_free(struct deep *deep)
{
    mem_free(deep);
}

/* The fields of a vertex are prefetched so many vertices before their use. */
enum { AHEAD = 8 };
static inline void ask_for(const struct deep *deep, uint32_t u)
{
    __builtin_prefetch(&deep->part[u], 1);
    __builtin_prefetch(&deep->level[u]);
    __builtin_prefetch(&deep->graph->out.start[u]);
}

/* Vertices are as before the search. */
static void forget(struct deep *deep)
{
    for (size_t at = 0; at < deep->known; at++) {
        const uint32_t v = deep->order[at];
        deep->level[v] = UNSEEN;
        deep->part[v] = 0;
        deep->scale[v] = 0;
    }
}

/* Counts shortest paths, level by level. Returns whether their numbers had room, which they always
 * have with scales. */
static inline __attribute__((always_inline)) bool count_paths(struct deep *deep, uint32_t source,
                                                              bool scaled)
{
    const struct paths_lists out = deep->graph->out;
    const size_t levels = deep->graph->paths.levels;
    uint32_t *level = deep->level, *order = deep->order;
    double *part = deep->part, most = 1;
    size_t known = 1;
    level[source] = 0;
    part[source] = 1;
    order[0] = source;
    for (size_t at = 0; at < known && level[order[at]] < levels; at++) {
        const uint32_t u = order[at], next = level[u] + 1;
        if (at + AHEAD < known)
            ask_for(deep, order[at + AHEAD]);
        if (scaled)
            scaled_raise(&part[u], &deep->scale[u]);
        const double here = part[u];
        most = here > most ? here : most;
        for (size_t e = out.start[u]; e < out.start[u + 1]; e++) {
            const uint32_t v = out.vertex[e], before = level[v];
            if (before < next)
                continue;
            level[v] = next;
            if (scaled)
                scaled_add(&part[v], &deep->scale[v], here, deep->scale[u]);
            else
                part[v] += here;
            if (before == UNSEEN)
                order[known++] = v;
        }
    }
    deep->known = known;
    return scaled || most <= PATHS_MOST;
}

/* The sum of (wanted + dependency) / paths over the heads of the tight arcs out of u, in the scale
 * of u; arcs have their part of it. */
static inline __attribute__((always_inline)) double sum_after(struct deep *deep, uint32_t u,
                                                              bool scaled, bool arcs)
{
    const struct brandes_graph *graph = deep->graph;
    const uint32_t *level = deep->level, next = level[u] + 1;
    const double own = deep->part[u];
    double sum = 0;
    for (size_t e = graph->out.start[u]; e < graph->out.start[u + 1]; e++) {
        const uint32_t v = graph->out.vertex[e];
        if (level[v] != next)
            continue;
        const int32_t below = scaled ? deep->scale[v] - deep->scale[u] : 0;
        const double part = scaled_part(deep->part[v], below);
        sum += part;
        if (arcs)
            fixed_add(&graph->fixed, &deep->arc[e], own * part);
    }
    return sum;
}

/* Backwards along the order, adds the dependencies of its first vertex on the others. */
static inline __attribute__((always_inline)) void add_dependencies(struct deep *deep, bool scaled,
                                                                   bool arcs)
{
    const struct brandes_graph *graph = deep->graph;
    const bool count_ends = graph->paths.ends;
    double ends = 0;
    for (size_t at = deep->known; at-- > 1;) {
        const uint32_t u = deep->order[at];
        if (at > AHEAD) {
            ask_for(deep, deep->order[at - AHEAD]);
            __builtin_prefetch(&deep->sum[deep->order[at - AHEAD]], 1);
        }
        const double own = deep->part[u], sum = sum_after(deep, u, scaled, arcs),
                     wanted = graph->wanted[u];
        fixed_add(&graph->fixed, &deep->sum[u], own * sum + (count_ends ? wanted : 0));
        deep->part[u] = wanted / own + sum;
        ends += wanted;
    }
    if (arcs)
        sum_after(deep, deep->order[0], scaled, true);
    if (count_ends)
        fixed_add(&graph->fixed, &deep->sum[deep->order[0]], ends);
}

void deep_take(struct deep *deep, uint32_t source)
{
    const uint32_t s = deep->graph->number[source];
    if (!deep->scaled && !count_paths(deep, s, false)) {
        deep->scaled = true;
        forget(deep);
    }
    if (deep->scaled) {
        count_paths(deep, s, true);
        add_dependencies(deep, true, deep->arc);
    } else if (deep->arc) {
        add_dependencies(deep, false, true);
    } else {
        add_dependencies(deep, false, false);
    }
    forget(deep);
}
