/* Step 3: a thread for each pair, all in the device's memory. */
#include "contraction.h"
#include "gpu.cuh"

static __global__ void kernel(double *c, const double *a, const double *b, size_t n)
{
    const size_t k = blockIdx.y * blockDim.y + threadIdx.y,
                 l = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    if (k > l || l >= n)
        return;
    for (int e = 0; e < DEPTH; e++)
        sum += a[l * DEPTH + e] * b[k * DEPTH + e] + a[k * DEPTH + e] * b[l * DEPTH + e];
    c[k * n + l] = sum / 2;
}

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    const unsigned tiles = (unsigned)((n + 15) / 16);
    on_device<double>(problem, run, n * DEPTH, [=](double *c, const double *a, const double *b) {
        kernel<<<dim3(tiles, tiles), dim3(16, 16)>>>(c, a, b, n);
    });
    return LAB_DONE;
}

struct lab_step contraction_global = {"GPU, global memory", "8.9 GFLOP/s (M2070)", true, run};
