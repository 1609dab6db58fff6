/* Edges in memory. */
#include "graph/source.h"

#include "base/range.h"

#include <math.h>
#include <stdlib.h>

#define WEIGHT_MAX ((INT64_C(1) << 62) - 2)

struct array_part {
    struct graph_part head;
    struct range left;
};

static void arrays_close(struct graph *graph)
{
    free(graph->own);
    graph->own = NULL;
}

static int arrays_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct array_part *part = (struct array_part *)head;
    const struct graph_arrays *arrays = head->graph->own;
    (void)error;
    part->left = range_part((struct range){0, arrays->m}, (size_t)index, (size_t)parts);
    return APSP_OK;
}

static int take_weight(const struct graph *graph, size_t e, union value *weight, struct apsp_error *error)
{
    const struct graph_arrays *arrays = graph->own;
    weight->whole = 1;
    if (arrays->real)
        weight->real = arrays->real[e];
    else if (arrays->whole)
        weight->whole = arrays->whole[e];
    if (arrays->real && !isfinite(weight->real))
        return error_set(error, APSP_INPUT, "%s: edge %zu: weight %g is not finite", graph->path, e,
                         weight->real);
    if (!arrays->real && (weight->whole > WEIGHT_MAX || weight->whole < -WEIGHT_MAX))
        return error_set(error, APSP_INPUT, "%s: edge %zu: weight %lld is not from %lld to %lld", graph->path,
                         e, (long long)weight->whole, -(long long)WEIGHT_MAX, (long long)WEIGHT_MAX);
    return APSP_OK;
}

static int arrays_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                       struct apsp_error *error)
{
    struct array_part *part = (struct array_part *)head;
    const struct graph *graph = head->graph;
    const struct graph_arrays *arrays = graph->own;
    for (; *count < room && range_length(part->left) > 0; part->left.lo++) {
        size_t e = part->left.lo;
        struct edge *edge = &edges[*count];
        edge->from = arrays->from[e];
        edge->to = arrays->to[e];
        if (edge->from >= graph->n || edge->to >= graph->n)
            return error_set(error, APSP_INPUT, "%s: edge %zu: vertex %u is not in 0 .. %zu", graph->path, e,
                             edge->from >= graph->n ? edge->from : edge->to, graph->n - 1);
        if (take_weight(graph, e, &edge->weight, error) != APSP_OK)
            return error->code;
        ++*count;
        head->records++;
    }
    return APSP_OK;
}

/* In no table: nobody opens it by a path. */
static const struct graph_source source = {.name = "arrays",
                                           .reader = sizeof(struct array_part),
                                           .close = arrays_close,
                                           .begin = arrays_begin,
                                           .next = arrays_next};

int graph_arrays(struct graph *graph, const struct graph_arrays *arrays, struct apsp_error *error)
{
    graph_start(graph, &source, "the graph in memory");
    if (arrays->n < 1 || arrays->n > INT32_MAX)
        return error_set(error, APSP_INPUT, "%s: %zu vertices, and there must be 1 to %d", graph->path,
                         arrays->n, INT32_MAX);
    struct graph_arrays *own = graph->own = malloc(sizeof *own);
    if (!own)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", graph->path);
    *own = *arrays;
    graph->n = arrays->n;
    graph->m = graph->records = arrays->m;
    graph->real = arrays->real != NULL;
    graph->bytes = arrays->m < SIZE_MAX / sizeof(struct edge) ? arrays->m * sizeof(struct edge) : SIZE_MAX;
    return APSP_OK;
}
