/* Changes of a graph as a whole when it is opened: for open.c alone. */
#ifndef COLLECT_H
#define COLLECT_H

#include "graph/graph.h"

/* Whether the options ask for that. */
bool graph_collects(const struct graph_options *options);

/*
 * Reads all edges of an open graph into memory. By the options it merges parallel edges or rejects
 * them (APSP_INPUT), and leaves only the vertices of the largest strongly connected component.
 * Among several it takes the one with the first vertex. The graph is then that, and its file is
 * closed. Loops are edges like others. APSP_MEMORY, and what reading returns.
 */
int graph_collect(struct graph *graph, struct apsp_error *error);

#endif
