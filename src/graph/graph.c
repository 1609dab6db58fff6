#include "base/setting.h"
#include "graph/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *graph_source_names(void)
{
    static _Thread_local char names[256];
    size_t used = 0;
    for (int i = 0; graph_sources[i] && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 graph_sources[i]->name);
    return names;
}

void graph_start(struct graph *graph, const struct graph_source *source, const char *path)
{
    *graph = (struct graph){.source = source, .path = path, .file = {.fd = -1}};
}

void graph_close(struct graph *graph)
{
    if (graph->source)
        graph->source->close(graph);
    graph->source = NULL;
    hash_cancel(graph->hasher);
    graph->hasher = NULL;
    file_close(&graph->file);
    names_free(graph->names);
    graph->names = NULL;
}

int graph_vertex(const struct graph *graph, const char *text, size_t *vertex, enum apsp_status code,
                 const char *where, struct apsp_error *error)
{
    if (label_find(graph_labels(graph), graph->n, text, vertex))
        return APSP_OK;
    const char *like = graph->names ? names_like(graph->names, text) : NULL;
    if (like)
        return error_set(error, code, "%s'%s' is not a vertex of %s: is it '%.40s'?", where, text,
                         graph->path, like);
    if (graph->names && graph->source->options & GRAPH_LABEL_KEY && !graph->options.label_key)
        return error_set(error, code,
                         "%s'%s' is not a vertex of %s: they are called as '%.40s'; %s names the "
                         "attribute with other names",
                         where, text, graph->path, names_at(graph->names, 0), SETTING(LABEL_KEY));
    if (graph->names)
        return error_set(error, code, "%s'%s' is not a vertex of %s", where, text, graph->path);
    return error_set(error, code, "%s'%s' is not a vertex: %s has %zu to %zu", where, text,
                     graph->path, graph->first, graph->first + graph->n - 1);
}

static void add_note(struct graph *graph, bool warns, const char *format, va_list arguments)
{
    const size_t used = strlen(graph->notes);
    char *at = graph->notes + used + (used > 0);
    unsigned bit = used > 0 ? 2 : 1;
    for (const char *text = graph->notes; (text = strchr(text, '\n')); text++)
        bit <<= 1;
    if (used + 1 >= GRAPH_NOTES ||
        vsnprintf(at, (size_t)(graph->notes + GRAPH_NOTES - at), format, arguments) <= 0)
        return;
    if (used > 0)
        graph->notes[used] = '\n';
    graph->warnings |= warns ? bit : 0;
}

void graph_note(struct graph *graph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(graph, false, format, arguments);
    va_end(arguments);
}

void graph_warn(struct graph *graph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(graph, true, format, arguments);
    va_end(arguments);
}

bool graph_is_sequential(const struct graph *graph)
{
    return graph->source->sequential;
}

void graph_free_own(struct graph *graph)
{
    free(graph->own);
    graph->own = NULL;
}

int graph_part_open(struct graph_part **out, const struct graph *graph, int index, int parts,
                    struct apsp_error *error)
{
    const struct graph_source *source = graph->source;
    const size_t bytes = source->reader ? source->reader : sizeof **out;
    struct graph_part *part = *out = malloc(bytes);
    if (!part)
        return error_set(error, APSP_MEMORY, "%s: no memory for a buffer of %zu bytes", graph->path,
                         bytes);
    *part = (struct graph_part){
        .graph = graph,
        .left = range_part((struct range){0, graph->records}, (size_t)index, (size_t)parts),
        .empty = graph->follows || (source->sequential && index > 0)};
    return part->empty || !source->begin ? APSP_OK : source->begin(part, index, parts, error);
}

static struct edge reversed(struct edge edge)
{
    return (struct edge){edge.to, edge.from, edge.weight};
}

/* Follows each of count edges with the other direction, but for loops; returns how many there are
 * then. */
static size_t double_edges(struct edge *edges, size_t count)
{
    size_t loops = 0;
    for (size_t e = 0; e < count; e++)
        loops += edges[e].from == edges[e].to;
    size_t all = 2 * count - loops;
    for (size_t e = count, to = all; e-- > 0;) {
        struct edge edge = edges[e];
        if (edge.from != edge.to)
            edges[--to] = reversed(edge);
        edges[--to] = edge;
    }
    return all;
}

/* What the options make of edges; of the records of an undirected graph those that have room as
 * two. */
static void transform(const struct graph *graph, struct edge *edges, size_t count)
{
    for (size_t e = 0; e < count && graph->reversed; e++)
        edges[e] = reversed(edges[e]);
    for (size_t e = 0; e < count && graph->unweighted; e++)
        edges[e].weight.whole = 1;
    for (size_t e = 0; e < count && graph->scaled; e++)
        edges[e].weight.whole = scale_whole(graph->scale, edges[e].weight.real);
    for (size_t e = 0; e < count && graph->algebra.map != ALGEBRA_SAME; e++)
        graph_key(graph, &edges[e]);
}

/* The two halves of a product of odd-looking numbers, as in wyhash
 * (https://github.com/wangyi-fudan/wyhash): no vertex reaches the first constant, so that the
 * weight always counts. */
static uint64_t mix(const struct edge *edge)
{
    uint64_t ends = ((uint64_t)edge->from << 32 | edge->to) ^ UINT64_C(0xa0761d6478bd642f),
             weight = (uint64_t)edge->weight.whole ^ UINT64_C(0xe7037ed1a0b428db);
    __uint128_t product = (__uint128_t)ends * weight;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The next edges of the source, as they stand there. */
static int next_raw(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    uint64_t sum = 0;
    part->graph->source->next(part, edges, room, count, error);
    for (size_t e = 0; part->graph->summed && e < *count; e++)
        sum += mix(&edges[e]);
    part->sum += sum;
    return error->code;
}

/* As long as there is room for two, both directions at once; of the last one the other waits. */
static int next_undirected(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                           struct apsp_error *error)
{
    const struct graph *graph = part->graph;
    if (part->has_twin) {
        part->has_twin = false;
        edges[(*count)++] = part->twin;
        return APSP_OK;
    }
    if (next_raw(part, edges, room > 1 ? room / 2 : 1, count, error) != APSP_OK || *count == 0)
        return error->code;
    transform(graph, edges, *count);
    if (room > 1) {
        *count = double_edges(edges, *count);
        return APSP_OK;
    }
    part->twin = reversed(*edges);
    part->has_twin = edges->from != edges->to;
    return APSP_OK;
}

static int next_directed(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                         struct apsp_error *error)
{
    if (next_raw(part, edges, room, count, error) == APSP_OK)
        transform(part->graph, edges, *count);
    return error->code;
}

int graph_part_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    *count = 0;
    if (part->empty || (part->graph->undirected ? next_undirected : next_directed)(
                           part, edges, room, count, error) != APSP_OK)
        return error->code;
    if (part->records >
        part->graph->records) { /* no caller gets more edges than the head promised */
        *count = 0;
        return graph_check_records(part->graph, part->records, error);
    }
    return APSP_OK;
}

size_t graph_part_records(const struct graph_part *part)
{
    return part->records;
}

bool graph_part_rough(const struct graph_part *part)
{
    return part->graph->rough || part->rough;
}

uint64_t graph_part_sum(const struct graph_part *part)
{
    return part->sum;
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
    return error_set(error, APSP_INPUT, "%s: %zu edges%s, but the header promises %zu", graph->path,
                     records, records > graph->records ? " or more" : "", graph->records);
}

int graph_changed(const struct graph *graph, struct apsp_error *error)
{
    *error = (struct apsp_error){0};
    return error_set(error, APSP_IO, "%s: changed while it was read", graph->path);
}
