/* Steps of the product's own engine (strip.h) on the GPU. */
#ifndef LADDER_ENGINE_H
#define LADDER_ENGINE_H

#include "../strip.h"
#include "ladder.h"

/* apart: without look-ahead. */
enum lab_outcome ladder_engine(struct lab_problem *problem, struct lab_run *run, enum dtype dtype,
                               bool apart);

#endif
