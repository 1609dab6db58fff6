/* What a pass over all edges tells before anything is built from them. */
#ifndef CENSUS_H
#define CENSUS_H

#include "comm/comm.h"
#include "graph/graph.h"

struct census {              /* over all ranks */
    size_t edges, loops;     /* loops are edges too */
    bool real;               /* the weights are */
    union value least, most; /* of the weights, and 0; loops count when they are negative */
};

/* Collective; every rank reads its part, with that many threads. Checks the number of edges. Ends in
 * agreement. */
int census_take(struct census *census, const struct graph *graph, struct comm *comm, int threads,
                struct apsp_error *error);

#endif
