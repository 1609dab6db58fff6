/*
 * The order in which the vertices of a graph are eliminated: vertices of low degree first (peel.c),
 * then nested dissection of what is left (dissect.c).
 */
#ifndef ORDER_H
#define ORDER_H

#include "base/progress.h"
#include "sparse/pattern.h"

/* False where this program was built without METIS; there is no order then. */
bool order_possible(void);

struct order_way {
    int seed, workers;         /* processes at work, at least 1 */
    struct progress *progress; /* a vertex is a step of it */
};

/*
 * vertex[i] is the one to be eliminated as number i. The same for the same pattern and seed,
 * whatever the number of worker processes. They are children of the caller's, which is left as it
 * is otherwise, and end before it. APSP_MEMORY: no memory, no process, or METIS failed. Local.
 */
int order_make(uint32_t *vertex, const struct pattern *pattern, const struct order_way *way,
               struct apsp_error *error);

/* Bytes that it takes meanwhile at most, in all processes, for so many entries of all lists. */
size_t order_need(size_t n, size_t neighbours, int workers);

#endif
