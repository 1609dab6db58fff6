#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

const char *graph_source_names(void)
{
    static char names[256];
    size_t used = 0;
    for (int i = 0; graph_sources[i] && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 graph_sources[i]->name);
    return names;
}

static bool has_name(const struct graph_source *source, const char *name)
{
    return strcmp(source->name, name) == 0 || (source->alias && strcmp(source->alias, name) == 0);
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return tail > 0 && length > tail && strcmp(path + length - tail, suffix) == 0;
}

const struct graph_source *graph_source_find(const char *name, const char *path)
{
    const struct graph_source *fallback = NULL;
    for (int i = 0; graph_sources[i]; i++) {
        const struct graph_source *source = graph_sources[i];
        if (name ? has_name(source, name) : source->suffix && has_suffix(path, source->suffix))
            return source;
        if (!name && source->suffix && source->suffix[0] == '\0')
            fallback = source;
    }
    return fallback;
}

void graph_start(struct graph *graph, const struct graph_source *source, const char *path)
{
    *graph = (struct graph){.source = source, .path = path};
}

static int open_source(struct graph *graph, const char *format, bool stream, struct apsp_error *error)
{
    if (!graph->source)
        return error_set(error, APSP_USAGE, "--format: there is no format '%s', only %s", format,
                         graph_source_names());
    if (graph->source->open(graph, stream, error) != APSP_OK)
        graph_close(graph);
    return error->code;
}

int graph_open(struct graph *graph, const char *path, const char *format, bool stream,
               struct apsp_error *error)
{
    graph_start(graph, graph_source_find(format, path), path);
    return open_source(graph, format, stream, error);
}

int graph_open_bytes(struct graph *graph, const void *data, size_t bytes, const char *format,
                     struct apsp_error *error)
{
    graph_start(graph, graph_source_find(format, ""), "the graph in memory");
    graph->memory = data;
    graph->bytes = bytes;
    return open_source(graph, format, false, error);
}

void graph_close(struct graph *graph)
{
    if (graph->source)
        graph->source->close(graph);
    graph->source = NULL;
}

bool graph_is_sequential(const struct graph *graph)
{
    return graph->source->sequential;
}

int graph_part_open(struct graph_part **out, const struct graph *graph, int index, int parts,
                    struct apsp_error *error)
{
    const struct graph_source *source = graph->source;
    struct graph_part *part = *out = malloc(source->reader);
    if (!part)
        return error_set(error, APSP_MEMORY, "%s: no memory for a buffer of %zu bytes", graph->path,
                         source->reader);
    *part = (struct graph_part){.graph = graph, .empty = source->sequential && index > 0};
    return part->empty ? APSP_OK : source->begin(part, index, parts, error);
}

int graph_part_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    *count = 0;
    if (part->empty || part->graph->source->next(part, edges, room, count, error) != APSP_OK)
        return error->code;
    if (part->records > part->graph->records) { /* nobody gets more edges than the head promised */
        *count = 0;
        return graph_check_records(part->graph, part->records, error);
    }
    return APSP_OK;
}

size_t graph_part_records(const struct graph_part *part)
{
    return part->records;
}

void graph_part_free(struct graph_part *part)
{
    if (part && !part->empty && part->graph->source->end)
        part->graph->source->end(part);
    free(part);
}

int graph_check_records(const struct graph *graph, size_t records, struct apsp_error *error)
{
    if (records == graph->records)
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%s: %zu edges%s, but the header promises %zu", graph->path, records,
                     records > graph->records ? " or more" : "", graph->records);
}
