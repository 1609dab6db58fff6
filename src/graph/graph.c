#include "graph/part.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct graph_format *const formats[] = {&graph_course, &graph_gr, &graph_mtx};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *graph_format_names(void)
{
    static char names[64];
    names[0] = '\0';
    for (int i = 0; i < FORMATS; i++) {
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, formats[i]->name, sizeof names - strlen(names) - 1);
    }
    return names;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return tail > 0 && length > tail && strcmp(path + length - tail, suffix) == 0;
}

const struct graph_format *graph_format_find(const char *name, const char *path)
{
    const struct graph_format *fallback = NULL;
    for (int i = 0; i < FORMATS; i++) {
        if (name ? strcmp(formats[i]->name, name) == 0 : has_suffix(path, formats[i]->suffix))
            return formats[i];
        if (!name && formats[i]->suffix[0] == '\0')
            fallback = formats[i];
    }
    return fallback;
}

static int open_regular(struct graph *graph, struct apsp_error *error)
{
    struct file file;
    int status = file_open(&file, graph->path, "the graph", error);
    graph->fd = file.fd;
    graph->bytes = file.bytes;
    if (status == APSP_OK && file.bytes == 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: the file is empty", graph->path);
    return status;
}

int graph_open(struct graph *graph, const char *path, const char *format, struct apsp_error *error)
{
    *graph = (struct graph){.path = path, .fd = -1};
    graph->format = graph_format_find(format, path);
    if (!graph->format)
        return error_set(error, APSP_USAGE, "--format: there is no format '%s', only %s", format,
                         graph_format_names());
    if (open_regular(graph, error) != APSP_OK || graph->format->header(graph, error) != APSP_OK) {
        graph_close(graph);
        return error->code;
    }
    return APSP_OK;
}

void graph_close(struct graph *graph)
{
    if (graph->format && graph->fd >= 0)
        close(graph->fd);
    graph->fd = -1;
}

int graph_read(const struct graph *graph, size_t offset, void *data, size_t bytes, struct apsp_error *error)
{
    const struct file file = {graph->path, graph->fd, graph->bytes};
    return file_read(&file, offset, data, bytes, error);
}

struct graph_part *graph_part_open(const struct graph *graph, int index, int parts)
{
    struct graph_part *part = malloc(sizeof *part);
    if (!part)
        return NULL;
    size_t body = graph->bytes - graph->body, count = (size_t)parts, i = (size_t)index;
    size_t share = body / count, rest = body % count;
    part->graph = graph;
    part->lo = graph->body + i * share + (i < rest ? i : rest);
    part->hi = part->lo + share + (i < rest);
    part->at = part->lo;
    part->used = part->have = part->delivered = 0;
    part->has_twin = false;
    return part;
}

int graph_part_fill(struct graph_part *part, struct apsp_error *error)
{
    size_t keep = part->have - part->used;
    memmove(part->buffer, part->buffer + part->used, keep);
    part->at += part->used;
    part->used = 0;
    part->have = keep;

    size_t room = GRAPH_BUFFER - 1 - keep, left = part->graph->bytes - (part->at + keep);
    size_t bytes = left < room ? left : room;
    if (graph_read(part->graph, part->at + keep, part->buffer + keep, bytes, error) != APSP_OK)
        return error->code;
    part->have += bytes;
    return APSP_OK;
}

int graph_part_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    *count = 0;
    int status = part->graph->format->next(part, edges, room, count, error);
    if (status != APSP_OK)
        return status;
    part->delivered += *count;
    if (part->delivered > part->graph->m) { /* nobody gets more edges than the header promised */
        *count = 0;
        return graph_check_total(part->graph, part->delivered, error);
    }
    return APSP_OK;
}

void graph_part_free(struct graph_part *part)
{
    free(part);
}

int graph_check_total(const struct graph *graph, size_t total, struct apsp_error *error)
{
    if (total == graph->m)
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%s: %zu edges%s, but the header promises %zu", graph->path, total,
                     total > graph->m ? " or more" : "", graph->m);
}
