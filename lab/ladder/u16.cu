/* Step 23: two distances of 16 bits a word, relaxed by one instruction, where they fit. */
#include "engine.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    return ladder_engine(problem, run, DTYPE_U16, false);
}

struct lab_step ladder_u16 = {"16-bit: the product", NULL, true, run};
