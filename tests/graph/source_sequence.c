/*
 * A source that can only be read from its beginning to its end: a text of `N M` and M times `U V
 * W`, vertices from 0, read through stdio. It shows all that a new source takes: this file, and a
 * line in a table.
 */
#include "graph/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int sequence_open(struct graph *graph, struct apsp_error *error)
{
    FILE *file = graph->own = fopen(graph->path, "re");
    if (!file)
        return error_set(error, APSP_IO, "%s: cannot open the graph: %s", graph->path,
                         strerror(errno));
    if (fscanf(file, "%zu %zu", &graph->n, &graph->m) != 2 || graph->n < 1 || graph->n > INT32_MAX)
        return error_set(error, APSP_INPUT, "%s: does not begin with 'N M'", graph->path);
    graph->records = graph->m;
    graph->bytes = 16 * graph->m;
    return APSP_OK;
}

static void sequence_close(struct graph *graph)
{
    if (graph->own)
        fclose(graph->own);
    graph->own = NULL;
}

static int sequence_begin(struct graph_part *part, int index, int parts, struct apsp_error *error)
{
    (void)index;
    (void)parts;
    rewind(part->graph->own);
    if (fscanf(part->graph->own, "%*u %*u") == EOF)
        error_set(error, APSP_IO, "%s: cannot be read again", part->graph->path);
    return error->code;
}

static int sequence_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                         struct apsp_error *error)
{
    const struct graph *graph = part->graph;
    long long weight;
    for (; *count < room; ++*count, part->records++) {
        struct edge *edge = &edges[*count];
        int fields = fscanf(graph->own, "%u %u %lld", &edge->from, &edge->to, &weight);
        if (fields == EOF)
            return APSP_OK;
        if (fields != 3 || edge->from >= graph->n || edge->to >= graph->n)
            return error_set(error, APSP_INPUT, "%s: edge %zu is none", graph->path, part->records);
        edge->weight.whole = weight;
    }
    return APSP_OK;
}

const struct graph_source graph_sequence = {.name = "sequence",
                                            .about =
                                                "text: N M, then M times U V W; vertices from 0",
                                            .suffix = ".seq",
                                            .sequential = true,
                                            .reader = sizeof(struct graph_part),
                                            .open = sequence_open,
                                            .close = sequence_close,
                                            .begin = sequence_begin,
                                            .next = sequence_next};
