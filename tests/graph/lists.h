/* Shared by the tests of lists: a list of edges is put into a file, read, and held against the
 * edges that it should give. */
#ifndef LISTS_H
#define LISTS_H

#include "folder.h"
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

static char path[sizeof folder + 20];
static struct graph_options options;

static inline void put(const char *name, const char *text, size_t bytes)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static inline const char *name_of(const struct graph *graph, size_t v)
{
    static char text[LABEL_SHOWN];
    return label_text(graph_labels(graph), v, text);
}

/* The edges as "A>B:W ", by the names of their ends. */
static inline void print_edges(const struct graph *graph, int parts, char *out)
{
    struct apsp_error error = {0};
    struct edge edges[3];
    size_t count;
    *out = '\0';
    for (int i = 0; i < parts; i++) {
        struct graph_part *part;
        assert_int_equal(graph_part_open(&part, graph, i, parts, &error), APSP_OK);
        while (graph_part_next(part, edges, 3, &count, &error) == APSP_OK && count > 0)
            for (size_t e = 0; e < count; e++) {
                out += sprintf(out, "%s>", name_of(graph, edges[e].from));
                out += sprintf(out, "%s:", name_of(graph, edges[e].to));
                out += graph->real ? sprintf(out, "%g ", edges[e].weight.real)
                                   : sprintf(out, "%lld ", (long long)edges[e].weight.whole);
            }
        assert_int_equal(error.code, APSP_OK);
        graph_part_free(part);
    }
}

static inline void check_bytes(const char *text, size_t bytes, size_t n, const char *expected)
{
    char found[1000];
    put("list.csv", text, bytes);
    for (int parts = 1; parts <= 3; parts++) {
        struct graph graph;
        struct apsp_error error = {0};
        if (graph_open(&graph, path, &options, false, &error) != APSP_OK)
            fail_msg("%s", error.text);
        assert_string_equal(graph.source->name, "list");
        assert_int_equal(graph.n, n);
        print_edges(&graph, parts, found);
        assert_string_equal(found, expected);
        graph_close(&graph);
    }
}

static inline void check(const char *text, size_t n, const char *expected)
{
    check_bytes(text, strlen(text), n, expected);
}

static inline void refuse(const char *text, const char *words)
{
    struct graph graph;
    struct apsp_error error = {0};
    char list[200];
    put("bad.csv", text, strlen(text));
    assert_int_equal(graph_open(&graph, path, &options, false, &error), APSP_INPUT);
    graph_close(&graph);
    snprintf(list, sizeof list, "%s", words);
    for (char *rest, *word = strtok_r(list, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
        if (!strstr(error.text, word))
            fail_msg("'%s' is not in: %s", word, error.text);
}

#endif
