/*
 * From the edges to the strips: every rank routes those of its part to the owners of their rows, or
 * takes those of its own rows where each rank has all edges.
 */
#ifndef LOAD_H
#define LOAD_H

#include "dense/backend.h"
#include "engine/engine.h"

struct load_result {
    size_t parallel; /* edges of all ranks that met one already there */
    double seconds;  /* that building took on this rank */
};

/*
 * Collective; ends in agreement. Loops are left out, the task's potentials put on, weights made
 * reals where the backend's type is real.
 */
int load_edges(struct load_result *result, const struct engine_task *task, struct edges *edges,
               struct backend *backend, struct apsp_error *error);
size_t load_need(const struct comm *comm); /* bytes on each rank while loading, at most */

#endif
