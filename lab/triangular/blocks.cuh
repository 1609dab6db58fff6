/*
 * Square tiles of C for two-dimensional blocks of 16 x 16 threads, EACH x EACH values a thread, in
 * slabs of 16 values of k. A tile starts at its diagonal; what lies below that is 0 in A.
 */
#ifndef TRIANGULAR_BLOCKS_CUH
#define TRIANGULAR_BLOCKS_CUH

#include "triangular.cuh"

enum { SIDE = 16, SLAB = 16 };

template <int EACH>
__global__ void __launch_bounds__(SIDE *SIDE)
    blocks_kernel(double *c, const double *a, const double *b, size_t n)
{
    constexpr int TILE = SIDE * EACH;
    __shared__ double x[SLAB][TILE + 1], y[SLAB][TILE];
    const int t = threadIdx.y * SIDE + threadIdx.x;
    const size_t i0 = (size_t)blockIdx.y * TILE, j0 = (size_t)blockIdx.x * TILE;
    double sum[EACH][EACH] = {};
    for (size_t k0 = i0; k0 < n; k0 += SLAB) {
        for (int e = t; e < TILE * SLAB; e += SIDE * SIDE) {
            const size_t i = i0 + e / SLAB, k = k0 + e % SLAB, k2 = k0 + e / TILE,
                         j = j0 + e % TILE;
            x[e % SLAB][e / SLAB] = i < n && k < n ? a[i * n + k] : 0;
            y[e / TILE][e % TILE] = k2 < n && j < n ? b[k2 * n + j] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SLAB; k++)
#pragma unroll
            for (int u = 0; u < EACH; u++)
#pragma unroll
                for (int v = 0; v < EACH; v++)
                    sum[u][v] += x[k][threadIdx.y + u * SIDE] * y[k][threadIdx.x + v * SIDE];
        __syncthreads();
    }
    for (int u = 0; u < EACH; u++)
        for (int v = 0; v < EACH; v++) {
            const size_t i = i0 + threadIdx.y + u * SIDE, j = j0 + threadIdx.x + v * SIDE;
            if (i < n && j < n)
                c[i * n + j] = sum[u][v];
        }
}

template <int EACH> void blocks_launch(double *c, const double *a, const double *b, size_t n)
{
    const unsigned tiles = parts(n, SIDE * EACH);
    blocks_kernel<EACH><<<dim3(tiles, tiles), dim3(SIDE, SIDE)>>>(c, a, b, n);
}

#endif
