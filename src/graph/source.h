/*
 * What a source of edges is; for sources and graph.c alone. One row of the table in sources.c is one source,
 * and one file. A source tells the size of the graph when it is opened, and can then be read any number of
 * times, in parts at once or, if it cannot be cut, by one reader at a time.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "graph/graph.h"

/* The head of a source's reader of one part. */
struct graph_part {
    const struct graph *graph;
    size_t records; /* read so far, of those that the source promises; `next` counts them */
    bool empty;     /* of a source that cannot be cut: another part has all edges */
};

struct graph_source {
    const char *name;
    const char *alias;  /* another name, which no list shows; or NULL */
    const char *suffix; /* of a path; "": any that no other source has; NULL: only --format takes it */
    bool sequential;    /* cannot be cut: part 0 has all edges, and one reader reads at a time */
    size_t reader;      /* bytes of a reader, which begins with a struct graph_part */

    /*
     * Opens what graph->path names, or graph->memory holds, and fills n, m, records, first, real, bytes and
     * own. `stream`: what can be read only once may be copied first. graph_close calls close in any case.
     */
    int (*open)(struct graph *graph, bool stream, struct apsp_error *error);
    void (*close)(struct graph *graph);

    /* Starts at the beginning of part `index` of `parts`; of the reader only the head is set before. `end`,
     * which may be NULL, is called in any case. */
    int (*begin)(struct graph_part *part, int index, int parts, struct apsp_error *error);
    /* Fills edges[0..room) with the next edges of the part; *count, 0 before, stays 0 at its end. Vertices
     * are checked, weights are as in the source, loops are passed on. */
    int (*next)(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                struct apsp_error *error);
    void (*end)(struct graph_part *part);
};

/* All sources, up to NULL: sources.c. */
extern const struct graph_source *const graph_sources[];

/* The source of that name, or if name is NULL that of the path's suffix; NULL when there is none. */
const struct graph_source *graph_source_find(const char *name, const char *path);

/* Lets graph_open and graph_arrays begin. */
void graph_start(struct graph *graph, const struct graph_source *source, const char *path);

#endif
