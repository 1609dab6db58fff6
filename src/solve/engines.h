/* The table of engines. */
#ifndef ENGINES_H
#define ENGINES_H

#include "engine/engine.h"

/* All engines, up to NULL (engines.c). */
extern const struct engine_ops *const engines[];

/* Their names, comma-separated, for messages and help. */
const char *engine_names(void);

/* An engine that solves a task with a matrix in place of edges; NULL: the table has none. */
const struct engine_ops *engine_for_matrix(void);

/* Collective. Seconds of the work that a plan describes, by the slowest rank and without
 * communication; infinity where a rank's rate is unknown. */
double engine_seconds(const struct engine_plan *plan, const struct engine_task *task);

/* Relaxations that take the time of a plan's work, with so many rows. */
double engine_relaxations(const struct engine_ops *ops, const struct engine_plan *plan,
                          double rows);

#endif
