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
    device_array<float> a(n * n), b(n * n), c(n * n);
    device_clock clock;
    double start = lab_now();
    GPU_CHECK(gpuMemcpy(a.at, problem->in[0], problem->bytes, gpuMemcpyHostToDevice));
    GPU_CHECK(gpuMemcpy(b.at, problem->in[1], problem->bytes, gpuMemcpyHostToDevice));
    clock.start();
    device_blas::check(BLAS(Sgemm)(blas.handle, BLAS_VALUE(OP_N), BLAS_VALUE(OP_N), m, m, m, &one, b.at, m,
                                   a.at, m, &zero, c.at, m));
    run->seconds = clock.stop();
    GPU_CHECK(gpuMemcpy(problem->out, c.at, problem->bytes, gpuMemcpyDeviceToHost));
    run->whole = lab_now() - start;
    return LAB_DONE;
#else
    (void)problem, (void)run;
    return LAB_ABSENT;
#endif
}

struct lab_step product_gpu_blas = {"the GPU's BLAS", NULL, true, run};
