/* Step 9: what is possible on the GPU: its library's dtrmm. Row by row, C' = B' A', and A' is
 * lower. */
#include "blas.cuh"
#include "triangular.cuh"

#ifdef LAB_GPU_BLAS
static void launch(double *c, const double *a, const double *b, size_t n)
{
    static device_blas blas; /* starting it is no part of the product */
    const int m = (int)n;
    const double one = 1;
    device_blas::check(BLAS(Dtrmm)(blas.handle, BLAS_VALUE(SIDE_RIGHT), BLAS_VALUE(FILL_MODE_LOWER),
                                   BLAS_VALUE(OP_N), BLAS_VALUE(DIAG_NON_UNIT), m, m, &one, a, m, b,
                                   m, c, m));
}
#endif

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
#ifdef LAB_GPU_BLAS
    return triangular_run<launch>(problem, run);
#else
    (void)problem, (void)run;
    return LAB_ABSENT;
#endif
}

struct lab_step triangular_gpu_blas = {"the GPU's BLAS", NULL, true, run};
