/*
 * Step 5: A and B in shared memory, for 8 x 64 values of C, a thread each: 8 x 8 of A and 8 x 64 of
 * B at a time. Each value of B is used 8 times, each of A 64 times. Every one asks whether it is
 * above the diagonal.
 */
#include "triangular.cuh"

enum { HIGH = 8, WIDE = 64 };

static __global__ void kernel(double *c, const double *a, const double *b, size_t n)
{
    __shared__ double x[HIGH][HIGH], y[HIGH][WIDE];
    const size_t first = blockIdx.y * HIGH, i = first + threadIdx.y,
                 j = blockIdx.x * WIDE + threadIdx.x;
    double sum = 0;
    for (size_t k0 = first; k0 < n; k0 += HIGH) {
        const size_t k = k0 + threadIdx.y, left = k0 + threadIdx.x;
        if (threadIdx.x < HIGH)
            x[threadIdx.y][threadIdx.x] = i < n && left < n ? a[i * n + left] : 0;
        y[threadIdx.y][threadIdx.x] = k < n && j < n ? b[k * n + j] : 0;
        __syncthreads();
        for (int e = 0; e < HIGH; e++)
            if (k0 + e >= i)
                sum += x[threadIdx.y][e] * y[e][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < n)
        c[i * n + j] = sum;
}

static void launch(double *c, const double *a, const double *b, size_t n)
{
    kernel<<<dim3(parts(n, WIDE), parts(n, HIGH)), dim3(WIDE, HIGH)>>>(c, a, b, n);
}

struct lab_step triangular_tiles = {"tiles of 8 x 64 shared", "19.2 GFLOP/s (M2070)", true,
                                    triangular_run<launch>};
