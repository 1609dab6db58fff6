/*
 * The order in which the vertices of a graph are eliminated: vertices of low degree first (peel.c), then
 * nested dissection of what is left (dissect.c).
 */
#ifndef ORDER_H
#define ORDER_H

#include "sparse/pattern.h"

/* False where this program was built without METIS; there is no order then. */
bool order_possible(void);

/*
 * vertex[i] is the one to be eliminated as number i. The same for the same pattern and seed, whatever the
 * number of worker processes, which is at least 1. They are children of the caller's, which is left as it is
 * otherwise. APSP_MEMORY: no memory, no process, or METIS failed. Local.
 */
int order_make(uint32_t *vertex, const struct pattern *pattern, int seed, int workers,
               struct apsp_error *error);

#endif
