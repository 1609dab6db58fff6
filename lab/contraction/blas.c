/* Step 2: what it really is: an update of rank 2 k, with rows of i and j as one index. dsyr2k of
 * BLAS. */
#include "blas.h"
#include "contraction.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    double start = lab_now();
    bool there = blas_contraction(problem->out, problem->in[0], problem->in[1], problem->n, DEPTH);
    run->seconds = lab_now() - start;
    return there ? LAB_DONE : LAB_ABSENT;
}

struct lab_step contraction_blas = {"BLAS on the CPU: a rank-2k update", NULL, false, run};
