/*
 * A source of edges reads any bytes, in one part and in several, in small pieces and large: it
 * refuses them with a message, or gives edges whose vertices exist, the same ones each time, and as
 * many as it promised. FUZZ_FORMAT names the source; empty: the one that the content is for.
 */
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

#define STRING(text) #text
#define NAME(format) STRING(format)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* A sum over all edges that does not depend on their order, and their number. */
struct sum {
    uint64_t edges, mixed;
};

static void add(struct sum *sum, const struct graph *graph, const struct edge *edge)
{
    expect(edge->from < graph->n && edge->to < graph->n);
    uint64_t weight;
    memcpy(&weight, &edge->weight, sizeof weight);
    sum->edges++;
    sum->mixed += (edge->from + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
                  (edge->to + 7) * UINT64_C(0xc2b2ae3d27d4eb4f) ^ weight;
}

/* Whether all was read; what was, is in *sum. */
static bool read_parts(const struct graph *graph, int parts, size_t room, struct sum *sum)
{
    struct apsp_error error = {0};
    struct edge edges[64];
    size_t records = 0, count;
    *sum = (struct sum){0};
    for (int i = 0; i < parts && !error.code; i++) {
        struct graph_part *part = NULL;
        graph_part_open(&part, graph, i, parts, &error);
        while (!error.code && graph_part_next(part, edges, room, &count, &error) == APSP_OK &&
               count > 0) {
            expect(count <= room);
            for (size_t e = 0; e < count; e++)
                add(sum, graph, &edges[e]);
        }
        if (part)
            records += graph_part_records(part);
        graph_part_free(part);
    }
    if (!error.code)
        graph_check_records(graph, records, &error);
    expect(!error.code || (error.text[0] && !strchr(error.text, '\n')));
    return !error.code;
}

static void check_names(const struct graph *graph)
{
    char text[LABEL_SHOWN];
    size_t vertex;
    for (size_t v = 0; v < graph->n && v < 100; v++) {
        const char *name = label_text(graph_labels(graph), v, text);
        expect(*name && !strchr(name, '\n'));
        expect(label_find(graph_labels(graph), graph->n, name, &vertex) && vertex == v);
    }
}

/* The last byte chooses what is done to the edges. */
static struct graph_options choose(const uint8_t *data, size_t bytes)
{
    const char *format = NAME(FUZZ_FORMAT);
    uint8_t choice = bytes > 0 ? data[bytes - 1] : 0;
    return (struct graph_options){.format = *format ? format : NULL,
                                  .directed = (choice & 17) == 16,
                                  .undirected = choice & 1,
                                  .reverse = choice & 2,
                                  .unweighted = choice & 4,
                                  .sorted = choice & 8};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct graph graph;
    struct apsp_error error = {0};
    struct sum whole, cut, small;
    const struct graph_options options = choose(data, bytes);
    if (graph_open_bytes(&graph, data, bytes, &options, &error) != APSP_OK) {
        expect(error.text[0] && !strchr(error.text, '\n'));
        return 0;
    }
    expect(graph.n > 0 && graph.n <= INT32_MAX);
    bool read = read_parts(&graph, 1, 64, &whole);
    expect(read_parts(&graph, 3, 64, &cut) == read && read_parts(&graph, 1, 3, &small) == read);
    expect(!read ||
           (cut.edges == whole.edges && cut.mixed == whole.mixed && small.edges == whole.edges &&
            small.mixed == whole.mixed && whole.edges <= graph.m));
    check_names(&graph);
    graph_close(&graph);
    return 0;
}
