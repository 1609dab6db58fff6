/* From the file to the strips: every rank reads its part of the edges and routes them to the owners of their
 * rows. */
#ifndef LOAD_H
#define LOAD_H

#include "backend.h"
#include "comm.h"

struct load_counts { /* over all ranks */
    size_t parallel, loops;
};

/* Collective; ends in agreement. */
int load_edges(const struct graph *graph, struct comm *comm, struct backend *backend,
               struct load_counts *counts, double *build_seconds, struct apsp_error *error);
size_t load_need(void); /* bytes on each rank while loading */

#endif
