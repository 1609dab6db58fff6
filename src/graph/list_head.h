/* The lines of a list of edges before its first edge: comments, and a line that counts. */
#ifndef LIST_HEAD_H
#define LIST_HEAD_H

#include "graph/lines.h"

struct list_head {
    bool counted;            /* the first line may be the numbers of vertices and of edges */
    int64_t vertices, edges; /* the numbers in that line */
    bool undirected;         /* a comment says so */
};

/*
 * Reads the comments before offset `end` of the file, and the line `first` behind them, which ends
 * with a line feed. "Undirected graph" is a comment of SNAP, "sym positive" one of KONECT. APSP_IO,
 * APSP_MEMORY; APSP_INPUT: KONECT's bipartite graphs, two columns of which number different
 * vertices, unless the options name columns.
 */
int list_head_read(struct list_head *head, const struct graph *graph, size_t end,
                   const unsigned char *first, struct apsp_error *error);

#endif
