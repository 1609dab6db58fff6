#include "rows/sources.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER = 23, LONGEST = 4096, WHERE = 400 }; /* bytes of a range, of a name, before them in a message */

struct reader {
    struct sources *sources;
    const struct graph *graph;
    const char *where;   /* begins messages */
    const char *between; /* what parts vertices, */
    size_t longest;      /* and their bytes, at most */
    enum apsp_status refusal;
};

static int add_vertex(struct reader *reader, size_t vertex, struct apsp_error *error)
{
    struct sources *sources = reader->sources;
    if (sources->place[vertex])
        return error_set(error, reader->refusal, "%s: vertex %s stands there twice", reader->where,
                         LABEL(graph_labels(reader->graph), vertex));
    sources->vertex[sources->count++] = (uint32_t)vertex;
    sources->place[vertex] = (uint32_t)sources->count;
    return APSP_OK;
}

/* "7" or "100-199", or a name, of which `text` is all. */
static int add_text(struct reader *reader, const char *text, struct apsp_error *error)
{
    const struct graph *graph = reader->graph;
    size_t first = graph->first, last = first + graph->n - 1, named;
    char *end;
    if (graph->names) {
        char where[WHERE];
        snprintf(where, sizeof where, "%s: ", reader->where);
        return graph_vertex(graph, text, &named, reader->refusal, where, error)
                   ? error->code
                   : add_vertex(reader, named, error);
    }
    errno = 0;
    unsigned long long from = strtoull(text, &end, 10), to = from;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        to = strtoull(end + 1, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || from < first || to > last || from > to)
        return error_set(error, reader->refusal,
                         "%s: '%s' is neither a vertex nor a range of vertices: the graph has %zu to %zu",
                         reader->where, text, first, last);
    for (size_t vertex = (size_t)from; vertex <= (size_t)to; vertex++)
        if (add_vertex(reader, vertex - first, error))
            return error->code;
    return APSP_OK;
}

/* All that stands there, from `next`, which returns EOF at the end. */
static int add_all(struct reader *reader, int (*next)(void *), void *from, struct apsp_error *error)
{
    char text[LONGEST + 1];
    size_t length = 0;
    for (int c = 0; c != EOF && !error->code;) {
        c = next(from);
        bool ends = c == EOF || (c && strchr(reader->between, c));
        if (!ends && length < reader->longest) {
            text[length++] = (char)c;
            continue;
        }
        text[length] = '\0';
        if (!ends)
            error_set(error, reader->refusal, "%s: '%.40s...' is too long for a vertex or a range",
                      reader->where, text);
        else if (length > 0)
            add_text(reader, text, error);
        length = 0;
    }
    if (!error->code && reader->sources->count == 0)
        error_set(error, reader->refusal, "%s: names no vertex", reader->where);
    return error->code;
}

static int next_of_text(void *from)
{
    const char **at = from;
    return **at ? (unsigned char)*(*at)++ : EOF;
}

static int next_of_file(void *from)
{
    return fgetc(from);
}

static int read_file(struct reader *reader, const char *path, struct apsp_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(error, APSP_IO, "%s: cannot open the list of vertices: %s", path, strerror(errno));
    reader->refusal = APSP_INPUT;
    add_all(reader, next_of_file, file, error);
    if (ferror(file))
        error_set(error, APSP_IO, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return error->code;
}

/* Names may be anything: what is no file is a list of them. */
static bool is_list(const char *text, const struct graph *graph)
{
    return graph->names ? access(text, F_OK) != 0 : *text && text[strspn(text, "0123456789,-")] == '\0';
}

static const char *between(const struct graph *graph, bool list)
{
    return !graph->names ? " ,\t\r\n" : list ? "," : "\r\n";
}

static int open_sources(struct sources *sources, size_t n, struct apsp_error *error)
{
    sources->vertex = mem_alloc(mem_bytes(n, sizeof *sources->vertex));
    sources->place = mem_alloc(mem_bytes(n, sizeof *sources->place));
    if (!sources->vertex || !sources->place)
        return error_set(error, APSP_MEMORY, "no memory for a list of vertices");
    return APSP_OK;
}

/* In ascending order, too. */
static int sort(struct sources *sources, size_t n, struct apsp_error *error)
{
    size_t kept = 0;
    sources->sorted = mem_alloc(mem_bytes(sources->count, sizeof *sources->sorted));
    if (!sources->sorted)
        return error_set(error, APSP_MEMORY, "no memory for a list of vertices");
    for (size_t v = 0; v < n; v++)
        if (sources->place[v])
            sources->sorted[kept++] = v;
    return APSP_OK;
}

int sources_take(struct sources *sources, const uint32_t *list, size_t count, size_t n, const char *name,
                 struct apsp_error *error)
{
    *sources = (struct sources){0};
    if (!list || open_sources(sources, n, error))
        return error->code;
    for (size_t k = 0; k < count; k++) {
        if (list[k] >= n)
            return error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is not in 0 .. %zu", name, k, list[k],
                             n - 1);
        if (sources->place[list[k]])
            return error_set(error, APSP_USAGE, "%s[%zu]: vertex %u stands there twice", name, k, list[k]);
        sources->vertex[sources->count++] = list[k];
        sources->place[list[k]] = (uint32_t)sources->count;
    }
    return sort(sources, n, error);
}

/* Rank 0's list to all ranks. */
static int share(struct sources *sources, size_t n, struct comm *comm, struct apsp_error *error)
{
    comm_broadcast(comm, &sources->count, sizeof sources->count, 0);
    comm_broadcast(comm, sources->vertex, sources->count * sizeof *sources->vertex, 0);
    for (size_t k = 0; k < sources->count; k++)
        sources->place[sources->vertex[k]] = (uint32_t)(k + 1);
    sort(sources, n, error);
    return comm_agree(comm, error);
}

int sources_read(struct sources *sources, const char *text, const struct graph *graph, struct comm *comm,
                 struct apsp_error *error)
{
    *sources = (struct sources){0};
    if (!text)
        return APSP_OK;
    const bool list = is_list(text, graph);
    struct reader reader = {.sources = sources,
                            .graph = graph,
                            .where = text,
                            .between = between(graph, list),
                            .longest = graph->names ? LONGEST : NUMBER,
                            .refusal = APSP_USAGE};
    if (open_sources(sources, graph->n, error) == APSP_OK && comm->rank == 0) {
        if (list)
            add_all(&reader, next_of_text, &text, error);
        else
            read_file(&reader, text, error);
    }
    return comm_agree(comm, error) ? error->code : share(sources, graph->n, comm, error);
}

void sources_free(struct sources *sources)
{
    mem_free(sources->sorted);
    mem_free(sources->place);
    mem_free(sources->vertex);
    *sources = (struct sources){0};
}
