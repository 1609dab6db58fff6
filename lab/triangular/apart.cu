/*
 * Step 6: the triangle and the rectangle apart. Only the first tile of A has the diagonal; of all
 * others the loop needs no question, and unrolls.
 */
#include "triangular.cuh"

enum { HIGH = 8, WIDE = 64 };

static __device__ void load(double (*x)[HIGH], double (*y)[WIDE], const double *a, const double *b,
                            size_t n, size_t k0)
{
    const size_t i = blockIdx.y * HIGH + threadIdx.y, j = blockIdx.x * WIDE + threadIdx.x;
    const size_t k = k0 + threadIdx.y, left = k0 + threadIdx.x;
    __syncthreads();
    if (threadIdx.x < HIGH)
        x[threadIdx.y][threadIdx.x] = i < n && left < n ? a[i * n + left] : 0;
    y[threadIdx.y][threadIdx.x] = k < n && j < n ? b[k * n + j] : 0;
    __syncthreads();
}

static __global__ void kernel(double *c, const double *a, const double *b, size_t n)
{
    __shared__ double x[HIGH][HIGH], y[HIGH][WIDE];
    const size_t first = blockIdx.y * HIGH, i = first + threadIdx.y,
                 j = blockIdx.x * WIDE + threadIdx.x;
    double sum = 0;
    load(x, y, a, b, n, first);
    for (int e = threadIdx.y; e < HIGH; e++)
        sum += x[threadIdx.y][e] * y[e][threadIdx.x];
    for (size_t k0 = first + HIGH; k0 < n; k0 += HIGH) {
        load(x, y, a, b, n, k0);
#pragma unroll
        for (int e = 0; e < HIGH; e++)
            sum += x[threadIdx.y][e] * y[e][threadIdx.x];
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}

static void launch(double *c, const double *a, const double *b, size_t n)
{
    kernel<<<dim3(parts(n, WIDE), parts(n, HIGH)), dim3(WIDE, HIGH)>>>(c, a, b, n);
}

struct lab_step triangular_apart = {"triangle and rectangle apart", "25.7 GFLOP/s (M2070)", true,
                                    triangular_run<launch>};
