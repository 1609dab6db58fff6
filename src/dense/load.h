/* From the file to the strips: every rank reads its part of the edges and routes them to the owners of their
 * rows. */
#ifndef LOAD_H
#define LOAD_H

#include "comm/comm.h"
#include "dense/backend.h"
#include "proof/potential.h"

/*
 * Collective; ends in agreement. Loops are left out, potentials (potential.h) put on, weights made reals
 * where the backend's type is real. Adds up over all ranks in *parallel the edges that met one already there.
 */
int load_edges(struct edges *edges, const struct potential *potential, struct comm *comm,
               struct backend *backend, size_t *parallel, double *build_seconds, struct apsp_error *error);
size_t load_need(void); /* bytes on each rank while loading */

#endif
