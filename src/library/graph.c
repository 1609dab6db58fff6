#include "library/library.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for the graph, or says why there is none. */
static struct apsp_graph *begin(struct apsp_graph **out, const void *given, struct apsp_error *error)
{
    if (out)
        *out = NULL;
    if (!out || !given) {
        error_set(error, APSP_USAGE, "NULL: there must be a graph");
        return NULL;
    }
    struct apsp_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        error_set(error, APSP_MEMORY, "no memory for a graph");
    return graph;
}

static int end(struct apsp_graph **out, struct apsp_graph *graph, const struct apsp_error *error)
{
    if (error->code)
        apsp_graph_free(graph);
    else
        *out = graph;
    return error->code;
}

int apsp_graph_edges(struct apsp_graph **out, const struct apsp_edges *edges, struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    struct apsp_graph *graph = begin(out, edges, error);
    if (graph)
        graph_arrays(&graph->graph, edges, error);
    return end(out, graph, error);
}

int apsp_graph_csr(struct apsp_graph **out, const struct apsp_csr *csr, struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    struct apsp_graph *graph = begin(out, csr, error);
    if (graph)
        graph_csr(&graph->graph, csr, error);
    return end(out, graph, error);
}

int apsp_graph_bytes(struct apsp_graph **out, const void *data, size_t bytes, const char *format,
                     struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    struct apsp_graph *graph = begin(out, data, error);
    if (graph && !format)
        error_set(error, APSP_USAGE, "bytes need a format: %s", graph_source_names());
    else if (graph)
        graph_open_bytes(&graph->graph, data, bytes, &(struct graph_options){.format = format}, error);
    return end(out, graph, error);
}

int apsp_graph_file(struct apsp_graph **out, const char *path, const char *format, struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    struct apsp_graph *graph = begin(out, path, error);
    if (graph && !(graph->path = strdup(path)))
        error_set(error, APSP_MEMORY, "no memory for a graph");
    else if (graph)
        graph_open(&graph->graph, graph->path, &(struct graph_options){.format = format}, false, error);
    return end(out, graph, error);
}

void apsp_graph_free(struct apsp_graph *graph)
{
    if (!graph)
        return;
    graph_close(&graph->graph);
    free(graph->cycle);
    free(graph->path);
    free(graph);
}

size_t apsp_graph_vertices(const struct apsp_graph *graph)
{
    return graph ? graph->graph.n : 0;
}

const uint32_t *apsp_graph_cycle(const struct apsp_graph *graph, size_t *length)
{
    if (length)
        *length = graph ? graph->cycle_length : 0;
    return graph ? graph->cycle : NULL;
}
