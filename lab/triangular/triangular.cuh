/* What the GPU steps share: copies and the clock. A step is a function that launches its kernel. */
#ifndef TRIANGULAR_CUH
#define TRIANGULAR_CUH

#include "gpu.cuh"
#include "triangular.h"

typedef void triangular_launch(double *c, const double *a, const double *b, size_t n);

template <triangular_launch *LAUNCH>
enum lab_outcome triangular_run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    device_array<double> a(n * n), b(n * n), c(n * n);
    device_clock clock;
    double start = lab_now();
    GPU_CHECK(gpuMemcpy(a.at, problem->in[0], problem->bytes, gpuMemcpyHostToDevice));
    GPU_CHECK(gpuMemcpy(b.at, problem->in[1], problem->bytes, gpuMemcpyHostToDevice));
    clock.start();
    LAUNCH(c.at, a.at, b.at, n);
    run->seconds = clock.stop();
    GPU_CHECK(gpuMemcpy(problem->out, c.at, problem->bytes, gpuMemcpyDeviceToHost));
    run->whole = lab_now() - start;
    return LAB_DONE;
}

static inline unsigned parts(size_t n, unsigned size)
{
    return (unsigned)((n + size - 1) / size);
}

#endif
