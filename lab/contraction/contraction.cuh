/*
 * The common part of the GPU steps: tiles of T x T pairs. A block has I x J values of each of its
 * rows of A and B in shared memory, J side by side in A[l][i][j], and PAD words between rows. PARTS
 * 2: two blocks for each tile, one for each of the two products, which add to C. Z 2: two threads
 * for each pair, which share the values; they are added up in shared memory, or, if APART, go to a
 * matrix each, which is the bound for any way to add them.
 */
#ifndef CONTRACTION_CUH
#define CONTRACTION_CUH

#include "contraction.h"
#include "gpu.cuh"

#include <cstdlib>

template <int T, int I, int J, int PAD = 0, int Z = 1> struct contraction_shape {
    static constexpr int tile = T, i = I, j = J, z = Z, depth = I * J, pitch = depth + PAD,
                         threads = T * T * Z;
    static_assert(WIDTH % I == 0 && WIDTH % J == 0 && depth % Z == 0, "whole tiles");
};

struct contraction_work {
    double *c, *other;
    const double *a, *b;
    size_t n;
};

/* Values i .. i + I - 1 by j .. j + J - 1 of T rows. */
template <class Shape>
__device__ __forceinline__ void load_rows(double (*to)[Shape::pitch], const double *from,
                                          size_t row, size_t n, int i, int j)
{
    constexpr int T = Shape::tile, J = Shape::j, D = Shape::depth;
    const int t = (threadIdx.z * T + threadIdx.y) * T + threadIdx.x;
    for (int e = t; e < T * D; e += Shape::threads) {
        const size_t at = (row + e / D) * DEPTH + (i + e % D / J) * WIDTH + j + e % J;
        to[e / D][e % D] = row + e / D < n ? from[at] : 0;
    }
}

template <class Shape, int PARTS, bool APART>
__global__ void __launch_bounds__(Shape::threads) tile_kernel(const struct contraction_work work)
{
    constexpr int T = Shape::tile, D = Shape::depth, Z = Shape::z, P = Shape::pitch;
    __shared__ double ak[T][P], al[T][P], bk[T][P], bl[T][P], half[T][T];
    const size_t k0 = (size_t)blockIdx.y * T, l0 = (size_t)blockIdx.x * T;
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const bool first = PARTS == 1 || blockIdx.z == 0, second = PARTS == 1 || blockIdx.z == 1;
    double sum = 0;
    if (k0 > l0)
        return;
    for (int slab = 0; slab < DEPTH / D; slab++) {
        const int i = slab / (WIDTH / Shape::j) * Shape::i,
                  j = slab % (WIDTH / Shape::j) * Shape::j;
        if (first) {
            load_rows<Shape>(al, work.a, l0, work.n, i, j);
            load_rows<Shape>(bk, work.b, k0, work.n, i, j);
        }
        if (second) {
            load_rows<Shape>(ak, work.a, k0, work.n, i, j);
            load_rows<Shape>(bl, work.b, l0, work.n, i, j);
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

template <class Shape, int PARTS = 1, bool APART = false>
enum lab_outcome contraction_run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t n = problem->n;
    constexpr int T = Shape::tile;
    const unsigned tiles = (unsigned)((n + T - 1) / T);
    device_array<double> other(APART ? n * n : 1);
    on_device<double>(problem, run, n * DEPTH, [&](double *c, const double *a, const double *b) {
        if (PARTS == 2)
            GPU_CHECK(gpuMemsetAsync(c, 0, problem->bytes, 0));
        tile_kernel<Shape, PARTS, APART><<<dim3(tiles, tiles, PARTS), dim3(T, T, Shape::z)>>>(
            contraction_work{c, other.at, a, b, n});
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
