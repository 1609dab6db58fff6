/* Step 2: what is possible on these cores: dtrmm of BLAS. */
#include "blas.h"
#include "triangular.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    double start = lab_now();
    bool there = blas_triangular(problem->out, problem->in[0], problem->in[1], problem->n);
    run->seconds = lab_now() - start;
    return there ? LAB_DONE : LAB_ABSENT;
}

struct lab_step triangular_blas = {"BLAS on the CPU", NULL, false, run};
