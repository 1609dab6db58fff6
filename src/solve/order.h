/* Orders of elimination of graphs, apart from any solver. */
#ifndef SOLVE_ORDER_H
#define SOLVE_ORDER_H

#include "graph/graph.h"

/* The content of a file of the order of an open graph, for mem_free. Its weights do not count.
 * Local. APSP_MEMORY, APSP_USAGE, and what reading edges may give. */
int solve_order(void **content, size_t *bytes, const struct graph *graph, int threads,
                struct apsp_error *error);

#endif
