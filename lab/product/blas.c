/* What is possible on these cores: sgemm of BLAS. */
#include "blas.h"
#include "product.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    double start = lab_now();
    bool there = blas_product(problem->out, problem->in[0], problem->in[1], problem->n);
    run->seconds = lab_now() - start;
    return there ? LAB_DONE : LAB_ABSENT;
}

struct lab_step product_blas = {"BLAS on the CPU", NULL, false, run};
