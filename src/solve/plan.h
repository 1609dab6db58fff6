/* All that is settled before edges are loaded: types, engine, memory. */
#ifndef PLAN_H
#define PLAN_H

#include "solve/solver.h"

/*
 * Collective; ends in agreement. Settles the types, by proof, and the engine, and refuses what
 * memory cannot hold, as early as it is known. The edges have then been read once, and the sinks
 * know what they will get.
 */
int plan_make(struct solver *solver);

#endif
