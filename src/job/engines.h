/* The engines, and which of them a run takes. */
#ifndef ENGINES_H
#define ENGINES_H

#include "engine/engine.h"

/* All there are, up to NULL (engines.c). */
extern const struct engine_ops *const engines[];

/* Their names, comma-separated, for messages and --help. */
const char *engine_names(void);

/* Collective. Seconds that a timed plan comes to, of the slowest rank and without communication; infinity if
 * unknown. */
double engine_seconds(const struct engine_plan *plan, struct comm *comm);

/*
 * Collective; ends in agreement. The engine that the options name; with "auto", of those that can, the one
 * that is done first. *engine and *plan are then its, for the task as it is now. An error is why the first of
 * them cannot.
 */
int engine_choose(struct engine **engine, struct engine_task *task, struct engine_plan *plan,
                  struct apsp_error *error);

#endif
