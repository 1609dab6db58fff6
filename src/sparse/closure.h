/*
 * The distances between the vertices of a tree's core: an engine that takes a matrix closes
 * what elimination has left between them.
 */
#ifndef CLOSURE_H
#define CLOSURE_H

#include "engine/checkpoint_matrix.h"
#include "engine/engine.h"
#include "sparse/eliminate.h"

/* The engine that closes the dense core, at work; zeroed where there is no core. */
struct closure {
    const struct engine_ops *ops;
    struct engine_task task;
    struct engine *engine;
    struct engine_plan plan;
};

/* For a core of so many vertices. The task is to stay. Ends in agreement. */
int closure_plan(struct closure *closure, const struct engine_task *task, size_t size,
                 struct apsp_error *error);

/* Bytes of host memory while it is made, beyond those that panels_need counts. */
size_t closure_need(const struct closure *closure);

/* Collective; ends in agreement. The panels' core becomes its distances, on every rank. */
int closure_make(struct closure *closure, struct panels *panels, struct progress *progress,
                 struct apsp_error *error);

/* Collective; end in agreement. The same by the checkpoint of a run that this one goes on from:
 * whether it has them. And for the next one, where reading is quicker than so many seconds of
 * making them. */
bool closure_load(const struct closure *closure, struct panels *panels,
                  struct checkpoint *checkpoint, struct apsp_error *error);
void closure_save(const struct closure *closure, const struct panels *panels,
                  struct checkpoint *checkpoint, double seconds);

/* Seconds that this rank waited for others meanwhile. */
double closure_exposed(const struct closure *closure);

void closure_free(struct closure *closure); /* a zeroed one is allowed */

#endif
