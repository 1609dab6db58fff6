#include "graph_part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct graph_format *const formats[] = {&graph_course, &graph_gr};

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

static const char *kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a directory";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

/* O_NONBLOCK: a pipe without a writer must not block before it can be refused. */
static int open_regular(struct graph *graph, struct apsp_error *error)
{
    struct stat status;
    graph->fd = open(graph->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (graph->fd < 0 || fstat(graph->fd, &status) != 0)
        return error_set(error, APSP_IO, "%s: cannot open the graph: %s", graph->path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(error, APSP_IO, "%s: cannot read the graph: it is %s, not a regular file",
                         graph->path, kind_of(status.st_mode));
    graph->bytes = (size_t)status.st_size;
    if (graph->bytes == 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: the file is empty", graph->path);
    return APSP_OK;
}

int graph_open(struct graph *graph, const char *path, const char *format, struct apsp_error *error)
{
    *graph = (struct graph){.path = path, .fd = -1};
    graph->format = graph_format_find(format, path);
    if (!graph->format)
        return error_set(error, APSP_USAGE, "--format: there is no format '%s', only %s; see apsp --help",
                         format, graph_format_names());
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
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(graph->fd, (char *)data + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, APSP_IO, "%s: byte %zu: cannot read: %s", graph->path, offset + done,
                             strerror(errno));
        if (got == 0)
            return error_set(error, APSP_IO,
                             "%s: byte %zu: the file ends here, but had %zu bytes when it was opened",
                             graph->path, offset + done, graph->bytes);
        done += (size_t)got;
    }
    return APSP_OK;
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
