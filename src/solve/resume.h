/* Runs that go on from a checkpoint. */
#ifndef RESUME_H
#define RESUME_H

#include "solve/solver.h"

/* Collective; ends in agreement. Refuses a checkpoint of another graph, or of other results. The
 * task gets what it has kept. Without a checkpoint nothing happens. */
int resume_find(struct solver *solver);

#endif
