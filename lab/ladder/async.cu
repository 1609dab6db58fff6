/*
 * Step 20: the product's own kernels (src/kernels/gpu/relax.cuh), each phase after the one before. Slabs of
 * 32 k come into shared memory by asynchronous copies, two at a time: while one is relaxed the next arrives.
 */
#include "../strip.h"
#include "ladder.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    static const struct lab_way way = {&backend_gpu, DTYPE_I32, true};
    enum lab_outcome outcome = lab_strip(problem, &way, run, NULL);
    run->column[LADDER_SHARE] = lab_paths.work(problem->n) / run->seconds / lab_ceiling(4);
    return outcome;
}

struct lab_step ladder_async = {"asynchronous copies", NULL, true, run};
