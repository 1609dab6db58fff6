/* Edges in memory. */
#include "graph/array.h"
#include "graph/source.h"

#include "base/range.h"

#include <stdlib.h>

static int arrays_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                       struct apsp_error *error)
{
    const struct graph *graph = part->graph;
    const struct apsp_edges *arrays = graph->own;
    for (; *count < room && range_length(part->left) > 0; part->left.lo++) {
        size_t e = part->left.lo;
        struct edge *edge = &edges[*count];
        if (array_vertex(graph, &arrays->from, e, &edge->from, error) ||
            array_vertex(graph, &arrays->to, e, &edge->to, error) ||
            array_weight(graph, &arrays->weight, e, &edge->weight, error))
            return error->code;
        ++*count;
        part->records++;
    }
    return APSP_OK;
}

/* In no table: it is not opened by a path. */
static const struct graph_source source = {
    .name = "arrays", .close = graph_free_own, .next = arrays_next};

int graph_arrays(struct graph *graph, const struct apsp_edges *arrays, struct apsp_error *error)
{
    if (array_start(graph, &source, arrays->vertices, error) ||
        array_check_whole(&arrays->from, arrays->edges, "from", error) ||
        array_check_whole(&arrays->to, arrays->edges, "to", error) ||
        array_check_weight(&arrays->weight, error))
        return error->code;
    struct apsp_edges *own = graph->own = malloc(sizeof *own);
    if (!own)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", graph->path);
    *own = *arrays;
    graph->m = graph->records = arrays->edges;
    graph->real = array_is_real(&arrays->weight);
    graph->binary = true;
    graph->bytes =
        graph->m < SIZE_MAX / sizeof(struct edge) ? graph->m * sizeof(struct edge) : SIZE_MAX;
    return APSP_OK;
}
