/* The common part of the GPU steps: copies and the clock. A step is a function that launches its
 * kernel. */
#ifndef TRIANGULAR_CUH
#define TRIANGULAR_CUH

#include "gpu.cuh"
#include "triangular.h"

typedef void triangular_launch(double *c, const double *a, const double *b, size_t n);

template <triangular_launch *LAUNCH>
enum lab_outcome triangular_run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    on_device<double>(problem, run, n * n,
                      [=](double *c, const double *a, const double *b) { LAUNCH(c, a, b, n); });
    return LAB_DONE;
}

static inline unsigned parts(size_t n, unsigned size)
{
    return (unsigned)((n + size - 1) / size);
}

#endif
