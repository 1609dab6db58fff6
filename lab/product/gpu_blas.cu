/* What is possible on the GPU: its library's sgemm. Row by row, C' = B' A' is what it sees. */
#include "blas.cuh"
#include "product.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
#ifdef LAB_GPU_BLAS
    const size_t n = problem->n;
    const int m = (int)n;
    const float one = 1, zero = 0;
    device_blas blas;
    on_device<float>(problem, run, n * n, [&](float *c, const float *a, const float *b) {
        device_blas::check(BLAS(Sgemm)(blas.handle, BLAS_VALUE(OP_N), BLAS_VALUE(OP_N), m, m, m,
                                       &one, b, m, a, m, &zero, c, m));
    });
    return LAB_DONE;
#else
    (void)problem, (void)run;
    return LAB_ABSENT;
#endif
}

struct lab_step product_gpu_blas = {"the GPU's BLAS", NULL, true, run};
