/*
 * The product on a GPU, a thread for each value of C. T > 0: by tiles of T x T in shared memory, so
 * that a value that was read is used T times. ZERO_COPY: A, B and C stay in host memory, which the
 * device reads over the bus. Counted: a value of C takes 2 n flop, and 2 n words read, of which
 * tiles save all but one in T.
 */
#ifndef PRODUCT_CUH
#define PRODUCT_CUH

#include "gpu.cuh"
#include "product.h"

#include <cstring>

static __global__ void global_kernel(float *c, const float *a, const float *b, size_t n)
{
    const size_t i = blockIdx.y * blockDim.y + threadIdx.y,
                 j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n || j >= n)
        return;
    for (size_t k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

template <int T> __global__ void tile_kernel(float *c, const float *a, const float *b, size_t n)
{
    __shared__ float x[T][T], y[T][T];
    const size_t i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (size_t k0 = 0; k0 < n; k0 += T) {
        x[threadIdx.y][threadIdx.x] =
            i < n && k0 + threadIdx.x < n ? a[i * n + k0 + threadIdx.x] : 0;
        y[threadIdx.y][threadIdx.x] =
            j < n && k0 + threadIdx.y < n ? b[(k0 + threadIdx.y) * n + j] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; k++)
            sum += x[threadIdx.y][k] * y[k][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}

template <int T> void product_launch(float *c, const float *a, const float *b, size_t n)
{
    const unsigned side = T > 0 ? T : 16, blocks = (unsigned)((n + side - 1) / side);
    if constexpr (T > 0)
        tile_kernel<T><<<dim3(blocks, blocks), dim3(side, side)>>>(c, a, b, n);
    else
        global_kernel<<<dim3(blocks, blocks), dim3(side, side)>>>(c, a, b, n);
}

static inline void product_columns(struct lab_run *run, size_t n, double uses)
{
    const double bytes =
        2 * (double)n * n * n / uses * sizeof(float) + (double)n * n * sizeof(float);
    run->column[PRODUCT_CGMA] = product_work(n) / bytes;
    run->column[PRODUCT_BANDWIDTH] = bytes / run->seconds / 1e9;
}

template <int T>
enum lab_outcome product_zero_copy(struct lab_problem *problem, struct lab_run *run)
{
    float *matrix[3];
    device_clock clock;
    for (int m = 0; m < 3; m++) {
        GPU_CHECK(gpuHostAlloc((void **)&matrix[m], problem->bytes));
        if (m < 2)
            memcpy(matrix[m], problem->in[m], problem->bytes);
    }
    clock.start();
    product_launch<T>(matrix[2], matrix[0], matrix[1], problem->n);
    run->seconds = clock.stop();
    product_columns(run, problem->n, T > 0 ? T : 1);
    memcpy(problem->out, matrix[2], problem->bytes);
    for (float *each : matrix)
        GPU_CHECK(gpuHostFree(each));
    return LAB_DONE;
}

template <int T>
enum lab_outcome product_on_device(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    on_device<float>(problem, run, n * n, [=](float *c, const float *a, const float *b) {
        product_launch<T>(c, a, b, n);
    });
    product_columns(run, n, T > 0 ? T : 1);
    return LAB_DONE;
}

#endif
