/* Step 1: the definition, one core. B is read by columns: one value of every piece of memory. */
#include "product.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    size_t n = problem->n;
    const float *a = problem->in[0], *b = problem->in[1];
    float *c = problem->out;
    double start = lab_now();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    run->seconds = lab_now() - start;
    return LAB_DONE;
}

struct lab_step product_sequential = {"sequential", NULL, false, run};
