/* Answers from a file of distances and its graph, as lines on standard output. */
#ifndef QUERY_H
#define QUERY_H

#include "cli/subject.h"
#include "proof/predecessor.h"

struct query { /* zeroed, but for `of` and `from`, which are SIZE_MAX, and with a subject */
    struct subject subject;
    bool paths;          /* default: with a shortest path */
    void *row;           /* of vertex `of`, once one is needed */
    void *whole;         /* The same in the order of the vertices, where the file has another. */
    struct pair *chosen; /* of a row, once some are needed */
    size_t of;
    bool loaded; /* the edges are loaded */
    bool ready;  /* for paths, the members below are made, too */
    struct predecessor_space *space;
    struct exact_space *exact;
    int32_t *tree; /* of row `from`, once one has been asked for */
    size_t from;
    uint32_t *path; /* backwards */
};

void query_free(struct query *query);

/* Reads the edges, once: whole distances of real weights are to be multiples of what these are. As
 * subject_load. */
int query_load(struct query *query, struct apsp_error *error);
/* The same, for paths. APSP_USAGE: the file has no whole rows; and as subject_load. */
int query_prepare(struct query *query, struct apsp_error *error);

/* A line for the pair; `path`: with a shortest path. APSP_REFUTED: the entry is no distance, or the
 * row not that of the graph; APSP_USAGE: the file has no such row or column; APSP_IO, APSP_INPUT,
 * APSP_MEMORY. */
int query_pair(struct query *query, const size_t pair[2], bool path, struct apsp_error *error);

/* A line for each vertex that u reaches, but itself: in the order of the columns, or the `nearest`
 * ones, unless that is 0. Fails as query_pair. */
int query_row(struct query *query, size_t u, size_t nearest, struct apsp_error *error);

/* How many vertices there are, and what they are called; a line that begins so. */
void query_print_numbering(const struct query *query, const char *start);

#endif
