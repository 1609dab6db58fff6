/* Step 10: what it really is, by the GPU's library: dsyr2k, of the lower triangle as it sees rows. */
#include "blas.cuh"
#include "contraction.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
#ifdef LAB_GPU_BLAS
    const size_t n = problem->n, bytes = n * DEPTH * sizeof(double);
    const int m = (int)n;
    const double half = 0.5, zero = 0;
    device_blas blas;
    device_array<double> a(n * DEPTH), b(n * DEPTH), c(n * n);
    device_clock clock;
    double start = lab_now();
    GPU_CHECK(gpuMemcpy(a.at, problem->in[0], bytes, gpuMemcpyHostToDevice));
    GPU_CHECK(gpuMemcpy(b.at, problem->in[1], bytes, gpuMemcpyHostToDevice));
    clock.start();
    device_blas::check(BLAS(Dsyr2k)(blas.handle, BLAS_VALUE(FILL_MODE_LOWER), BLAS_VALUE(OP_T), m, DEPTH,
                                    &half, a.at, DEPTH, b.at, DEPTH, &zero, c.at, m));
    run->seconds = clock.stop();
    GPU_CHECK(gpuMemcpy(problem->out, c.at, problem->bytes, gpuMemcpyDeviceToHost));
    run->whole = lab_now() - start;
    return LAB_DONE;
#else
    (void)problem, (void)run;
    return LAB_ABSENT;
#endif
}

struct lab_step contraction_gpu_blas = {"the GPU's BLAS: a rank-2k update", NULL, true, run};
