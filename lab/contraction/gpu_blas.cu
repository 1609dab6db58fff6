/* Step 10: what it really is, by the GPU's library: dsyr2k, of the lower triangle as it sees rows.
 */
#include "blas.cuh"
#include "contraction.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
#ifdef LAB_GPU_BLAS
    const size_t n = problem->n;
    const int m = (int)n;
    const double half = 0.5, zero = 0;
    device_blas blas;
    on_device<double>(problem, run, n * DEPTH, [&](double *c, const double *a, const double *b) {
        device_blas::check(BLAS(Dsyr2k)(blas.handle, BLAS_VALUE(FILL_MODE_LOWER), BLAS_VALUE(OP_T),
                                        m, DEPTH, &half, a, DEPTH, b, DEPTH, &zero, c, m));
    });
    return LAB_DONE;
#else
    (void)problem, (void)run;
    return LAB_ABSENT;
#endif
}

struct lab_step contraction_gpu_blas = {"the GPU's BLAS: a rank-2k update", NULL, true, run};
