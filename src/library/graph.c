#include "library/library.h"
#include "library/options.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for the graph, or says why there is none. */
static struct apsp_graph *graph_begin(struct apsp_graph **out, const void *given,
                                      struct apsp_error *error)
{
    if (out)
        *out = NULL;
    if (!out || !given) {
        error_set(error, APSP_USAGE, "NULL: expected a graph");
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

int apsp_graph_edges(struct apsp_graph **out, const struct apsp_edges *edges,
                     struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_graph *graph = graph_begin(out, edges, error);
    if (graph)
        graph_arrays(&graph->graph, edges, error);
    return end(out, graph, error);
}

int apsp_graph_csr(struct apsp_graph **out, const struct apsp_csr *csr, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_graph *graph = graph_begin(out, csr, error);
    if (graph)
        graph_csr(&graph->graph, csr, error);
    return end(out, graph, error);
}

int apsp_graph_matrix(struct apsp_graph **out, const struct apsp_matrix *matrix,
                      struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_graph *graph = graph_begin(out, matrix, error);
    if (graph)
        graph_matrix(&graph->graph, matrix, error);
    return end(out, graph, error);
}

void apsp_reading_reset(struct apsp_reading *reading, size_t size)
{
    memset(reading, 0, size);
    reading->size = size;
}

static int translate(struct graph_options *options, const struct apsp_reading *reading,
                     struct apsp_error *error)
{
    static const char *const parallel[] = {
        [APSP_PARALLEL_MIN] = "min", [APSP_PARALLEL_SUM] = "sum", [APSP_PARALLEL_ERROR] = "error"};
    struct apsp_reading own;
    if (options_take(&own, sizeof own, reading, "reading", error) != APSP_OK)
        return error->code;
    if ((unsigned)own.parallel > APSP_PARALLEL_ERROR)
        return error_set(error, APSP_USAGE, "reading: parallel %d is unknown", (int)own.parallel);
    *options = (struct graph_options){.format = own.format,
                                      .columns = own.columns,
                                      .no_edge = own.no_edge,
                                      .weight_key = own.weight_key,
                                      .oneway = own.oneway,
                                      .label_key = own.label_key,
                                      .sorted = own.sort_names != 0,
                                      .directed = own.directed != 0,
                                      .undirected = own.undirected != 0,
                                      .reverse = own.reverse != 0,
                                      .unweighted = own.unweighted != 0,
                                      .largest = own.largest_component != 0,
                                      .parallel = parallel[own.parallel]};
    return APSP_OK;
}

/* The caller's texts are his own again. */
static int end_reading(struct apsp_graph **out, struct apsp_graph *graph,
                       const struct apsp_error *error)
{
    if (graph)
        graph->graph.options = (struct graph_options){0};
    return end(out, graph, error);
}

int apsp_graph_read_bytes(struct apsp_graph **out, const void *data, size_t bytes,
                          const struct apsp_reading *reading, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct graph_options options;
    struct apsp_graph *graph = graph_begin(out, data, error);
    if (graph && translate(&options, reading, error) == APSP_OK)
        graph_open_bytes(&graph->graph, data, bytes, &options, error);
    return end_reading(out, graph, error);
}

int apsp_graph_read(struct apsp_graph **out, const char *path, const struct apsp_reading *reading,
                    struct apsp_error *error)
{
    LIBRARY_CALL;
    struct graph_options options;
    struct apsp_graph *graph = graph_begin(out, path, error);
    if (graph && !(graph->path = strdup(path)))
        error_set(error, APSP_MEMORY, "no memory for a graph");
    else if (graph && translate(&options, reading, error) == APSP_OK)
        graph_open(&graph->graph, graph->path, &options, false, error);
    return end_reading(out, graph, error);
}

int apsp_graph_bytes(struct apsp_graph **out, const void *data, size_t bytes, const char *format,
                     struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_reading reading;
    apsp_reading_init(&reading);
    reading.format = format;
    if (format || !data || !out)
        return apsp_graph_read_bytes(out, data, bytes, &reading, error);
    *out = NULL;
    return error_set(error, APSP_USAGE, "bytes need a format: %s", graph_source_names());
}

int apsp_graph_file(struct apsp_graph **out, const char *path, const char *format,
                    struct apsp_error *error)
{
    struct apsp_reading reading;
    apsp_reading_init(&reading);
    reading.format = format;
    return apsp_graph_read(out, path, &reading, error);
}

int apsp_graph_adapt(struct apsp_graph *graph, const struct apsp_reading *reading,
                     struct apsp_error *error)
{
    LIBRARY_CALL;
    struct graph_options options;
    if (!graph)
        return error_set(error, APSP_USAGE, "NULL: expected a graph");
    if (translate(&options, reading, error))
        return error->code;
    if (graph->graph.file.path || options.format || options.sorted)
        return error_set(error, APSP_USAGE, "%s: a reading of files", graph->graph.path);
    graph_adapt(&graph->graph, &options, error);
    graph->graph.options = (struct graph_options){0};
    return error->code;
}

void apsp_graph_free(struct apsp_graph *graph)
{
    LIBRARY_TURN;
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

const char *apsp_graph_notes(const struct apsp_graph *graph)
{
    return graph ? graph->graph.notes : "";
}

size_t apsp_vertex_name(const struct apsp_graph *graph, size_t vertex, char *name, size_t room)
{
    char number[LABEL_SHOWN];
    if (room > 0)
        *name = '\0';
    if (!graph || vertex >= graph->graph.n)
        return 0;
    const char *text = label_text(graph_labels(&graph->graph), vertex, number);
    return (size_t)snprintf(name, room, "%s", text);
}

int apsp_find_vertex(const struct apsp_graph *graph, const char *name, size_t *vertex,
                     struct apsp_error *error)
{
    LIBRARY_CALL;
    if (!graph || !name || !vertex)
        return error_set(error, APSP_USAGE, "NULL: expected a graph, a name and a vertex");
    return graph_vertex(&graph->graph, name, vertex, APSP_USAGE, "", error);
}

const uint32_t *apsp_graph_cycle(const struct apsp_graph *graph, size_t *length)
{
    if (length)
        *length = graph ? graph->cycle_length : 0;
    return graph ? graph->cycle : NULL;
}
