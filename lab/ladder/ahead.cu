/*
 * Step 22: look-ahead. Phases 1 and 2 of the next round run beside phase 3 of this one, on a stream
 * of higher priority (src/dense/rounds.c): the few blocks of a pivot keep nobody waiting. This is
 * the product.
 */
#include "engine.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    return ladder_engine(problem, run, DTYPE_I32, false);
}

struct lab_step ladder_ahead = {"look-ahead: the product", NULL, true, run};
