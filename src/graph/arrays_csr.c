/* Compressed sparse rows in memory. */
#include "graph/array.h"
#include "graph/source.h"

#include "base/range.h"

#include <stdlib.h>

struct csr_part {
    struct graph_part head;
    size_t from; /* the tail of the next edge, or a vertex before that */
};

/* The last vertex whose edges begin at or before edge e. */
static size_t tail_of(const struct apsp_csr *csr, size_t e)
{
    size_t lo = 0, hi = csr->vertices;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (array_whole(&csr->start, middle) <= e)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static int csr_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct csr_part *part = (struct csr_part *)head;
    (void)index;
    (void)parts;
    (void)error;
    part->from = tail_of(head->graph->own, head->left.lo);
    return APSP_OK;
}

static int csr_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    struct csr_part *part = (struct csr_part *)head;
    const struct graph *graph = head->graph;
    const struct apsp_csr *csr = graph->own;
    for (; *count < room && range_length(head->left) > 0; head->left.lo++) {
        size_t e = head->left.lo;
        struct edge *edge = &edges[*count];
        while (part->from + 1 < graph->n && array_whole(&csr->start, part->from + 1) <= e)
            part->from++;
        edge->from = (uint32_t)part->from;
        if (array_vertex(graph, &csr->to, e, &edge->to, error) ||
            array_weight(graph, &csr->weight, e, &edge->weight, error))
            return error->code;
        ++*count;
        head->records++;
    }
    return APSP_OK;
}

static const struct graph_source source = {.name = "csr",
                                           .reader = sizeof(struct csr_part),
                                           .close = graph_free_own,
                                           .begin = csr_begin,
                                           .next = csr_next};

const struct apsp_csr *graph_rows(const struct graph *graph)
{
    return graph->source == &source ? graph->own : NULL;
}

static int check_start(const struct graph *graph, const struct apsp_array *start,
                       struct apsp_error *error)
{
    uint64_t last = 0;
    if (array_whole(start, 0) != 0)
        return error_set(error, APSP_INPUT, "%s: start[0] is %lld, and must be 0", graph->path,
                         (long long)array_whole(start, 0));
    for (size_t v = 1; v <= graph->n; v++) {
        uint64_t next = array_whole(start, v);
        if (next < last || next > INT64_MAX)
            return error_set(error, APSP_INPUT, "%s: start[%zu] is %lld, after %lld", graph->path,
                             v, (long long)next, (long long)last);
        last = next;
    }
    return APSP_OK;
}

int graph_csr(struct graph *graph, const struct apsp_csr *csr, struct apsp_error *error)
{
    if (array_start(graph, &source, csr->vertices, error) ||
        array_check_whole(&csr->start, csr->vertices + 1, "start", error) ||
        check_start(graph, &csr->start, error))
        return error->code;
    graph->m = graph->records = array_whole(&csr->start, graph->n);
    if (array_check_whole(&csr->to, graph->m, "to", error) ||
        array_check_weight(&csr->weight, error))
        return error->code;
    struct apsp_csr *own = graph->own = malloc(sizeof *own);
    if (!own)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", graph->path);
    *own = *csr;
    graph->real = array_is_real(&csr->weight);
    graph->binary = true;
    graph->bytes =
        graph->m < SIZE_MAX / sizeof(struct edge) ? graph->m * sizeof(struct edge) : SIZE_MAX;
    return APSP_OK;
}
