/* Step 22: two distances of 16 bits a word, relaxed by one instruction, where they fit. */
#include "../strip.h"
#include "ladder.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    static const struct lab_way way = {&backend_gpu, DTYPE_U16, false};
    enum lab_outcome outcome = lab_strip(problem, &way, run, NULL);
    run->column[LADDER_SHARE] = lab_paths.work(problem->n) / run->seconds / lab_ceiling(2);
    return outcome;
}

struct lab_step ladder_u16 = {"16-bit: the product", NULL, true, run};
