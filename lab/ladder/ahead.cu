/*
 * Step 21: look-ahead. Phases 1 and 2 of the next round run beside phase 3 of this one, on a stream of higher
 * priority (src/dense/rounds.c): the few blocks of a pivot keep nobody waiting. This is the product.
 */
#include "../strip.h"
#include "ladder.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    static const struct lab_way way = {&backend_gpu, DTYPE_I32, false};
    enum lab_outcome outcome = lab_strip(problem, &way, run, NULL);
    run->column[LADDER_SHARE] = lab_paths.work(problem->n) / run->seconds / lab_ceiling(4);
    return outcome;
}

struct lab_step ladder_ahead = {"look-ahead: the product", NULL, true, run};
