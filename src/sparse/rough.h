/* Plans of the sparse engine before there is an order. */
#ifndef ROUGH_H
#define ROUGH_H

#include "engine/engine.h"

/* A lower bound, without any edges. */
void rough_plan(struct engine_plan *plan, const struct engine_task *task);

/* Collective. A bound knows more once it is seen, by one search at most, that separators are small.
 * The task has all edges. */
void rough_glance(struct engine_plan *plan, const struct engine_task *task);

#endif
