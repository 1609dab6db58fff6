/*
 * What the GPU steps share: tiles of T x T pairs, of which a block keeps D values of each of its rows of A
 * and B in shared memory, PAD words between rows. PARTS 2: two blocks for each tile, one for each of the two
 * products, which add to C. Z 2: two threads for each pair, which share the D values; they are added up in
 * shared memory, or, if APART, go to a matrix each, which is the bound for any way to add them.
 */
#ifndef CONTRACTION_CUH
#define CONTRACTION_CUH

#include "contraction.h"
#include "gpu.cuh"

#include <cstdlib>

struct contraction_work {
    double *c, *other;
    const double *a, *b;
    size_t n;
};

template <int T, int D, int PAD, int Z>
__device__ __forceinline__ void load_rows(double (*to)[D + PAD], const double *from, size_t row, size_t n,
                                          int e0)
{
    const int t = (threadIdx.z * T + threadIdx.y) * T + threadIdx.x;
    for (int e = t; e < T * D; e += T * T * Z)
        to[e / D][e % D] = row + e / D < n ? from[(row + e / D) * DEPTH + e0 + e % D] : 0;
}

template <int T, int D, int PAD, int PARTS, int Z, bool APART>
__global__ void __launch_bounds__(T *T *Z) tile_kernel(const struct contraction_work work)
{
    __shared__ double ak[T][D + PAD], al[T][D + PAD], bk[T][D + PAD], bl[T][D + PAD], half[T][T];
    const size_t k0 = (size_t)blockIdx.y * T, l0 = (size_t)blockIdx.x * T;
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const bool first = PARTS == 1 || blockIdx.z == 0, second = PARTS == 1 || blockIdx.z == 1;
    double sum = 0;
    if (k0 > l0)
        return;
    for (int e0 = 0; e0 < DEPTH; e0 += D) {
        if (first) {
            load_rows<T, D, PAD, Z>(al, work.a, l0, work.n, e0);
            load_rows<T, D, PAD, Z>(bk, work.b, k0, work.n, e0);
        }
        if (second) {
            load_rows<T, D, PAD, Z>(ak, work.a, k0, work.n, e0);
            load_rows<T, D, PAD, Z>(bl, work.b, l0, work.n, e0);
        }
        __syncthreads();
        for (int e = z * (D / Z); e < (z + 1) * (D / Z); e++) {
            if (first)
                sum += al[x][e] * bk[y][e];
            if (second)
                sum += ak[y][e] * bl[x][e];
        }
        __syncthreads();
    }
    if (Z == 2 && !APART) {
        if (z == 1)
            half[y][x] = sum;
        __syncthreads();
        sum += half[y][x];
    }
    const size_t k = k0 + y, l = l0 + x;
    if (k > l || l >= work.n || (z > 0 && !APART))
        return;
    double *to = (APART && z > 0 ? work.other : work.c) + k * work.n + l;
    if (PARTS == 1)
        *to = sum / 2;
    else
        atomicAdd(to, sum / 2);
}

template <int T, int D, int PAD, int PARTS, int Z, bool APART>
enum lab_outcome contraction_run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    const unsigned tiles = (unsigned)((n + T - 1) / T);
    device_array<double> other(APART ? n * n : 1);
    on_device<double>(problem, run, n * DEPTH, [&](double *c, const double *a, const double *b) {
        if (PARTS == 2)
            GPU_CHECK(gpuMemsetAsync(c, 0, problem->bytes, 0));
        tile_kernel<T, D, PAD, PARTS, Z, APART>
            <<<dim3(tiles, tiles, PARTS), dim3(T, T, Z)>>>(contraction_work{c, other.at, a, b, n});
    });
    if (!APART)
        return LAB_DONE;
    double *out = (double *)problem->out, *rest = (double *)lab_alloc(n * n, sizeof *rest);
    GPU_CHECK(gpuMemcpy(rest, other.at, problem->bytes, gpuMemcpyDeviceToHost));
    for (size_t i = 0; i < n * n; i++)
        out[i] += rest[i];
    free(rest);
    return LAB_DONE;
}

#endif
