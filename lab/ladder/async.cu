/*
 * Step 21: the product's own kernels (src/kernels/gpu/relax.cuh), each phase after the one before.
 * Slabs of 32 k come into shared memory by asynchronous copies, two at a time: while one is relaxed
 * the next arrives.
 */
#include "engine.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    return ladder_engine(problem, run, DTYPE_I32, true);
}

struct lab_step ladder_async = {"asynchronous copies", NULL, true, run};
