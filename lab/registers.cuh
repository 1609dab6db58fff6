/*
 * Phase 3 with a tile of 128 x 128 for 256 threads, 8 x 8 values each in registers: 16 words of
 * shared memory for 64 relaxations. Pivot tiles are 64 wide; their other phases are course.cuh's.
 * The tiles of phase 3 may hold pivot rows and columns, which it finds as they are to stay.
 * Operands come in slabs of 16 k.
 */
#ifndef LAB_REGISTERS_CUH
#define LAB_REGISTERS_CUH

#include "course.cuh"

enum {
    REGISTER_TILE = 128,
    REGISTER_EACH = 8,
    REGISTER_SLAB = 16,
    REGISTER_SIDE = 16 /* threads */
};

struct register_base : course<64, 32, 8> {
    static constexpr int multiple = REGISTER_TILE;
};

/* The source of a slab's operands: value k of row i of the column of tiles. */
struct by_rows {
    const int *at;
    size_t ld;
    __device__ __forceinline__ void load(int (*a)[REGISTER_TILE], int k0) const
    {
        const int t = threadIdx.y * REGISTER_SIDE + threadIdx.x; /* pieces of 16 words of rows */
        for (int e = t; e < REGISTER_SLAB * REGISTER_TILE; e += REGISTER_SIDE * REGISTER_SIDE)
            a[e % REGISTER_SLAB][e / REGISTER_SLAB] =
                at[(size_t)(e / REGISTER_SLAB) * ld + k0 + e % REGISTER_SLAB];
    }
};

struct by_k { /* k-major: whole rows of 128 words */
    const int *at;
    size_t ld;
    __device__ __forceinline__ void load(int (*a)[REGISTER_TILE], int k0) const
    {
        const int t = threadIdx.y * REGISTER_SIDE + threadIdx.x;
        for (int e = t; e < REGISTER_SLAB * REGISTER_TILE / 4; e += REGISTER_SIDE * REGISTER_SIDE) {
            const int k = e / (REGISTER_TILE / 4), i = e % (REGISTER_TILE / 4) * 4;
            *(int4 *)&a[k][i] = *(const int4 *)(at + (size_t)(k0 + k) * ld + i);
        }
    }
};

/* Four values side by side, 64 apart: the words that 8 threads read are 128 bytes in a row. */
static __device__ __forceinline__ int register_place(int thread, int e)
{
    return e / 4 * (REGISTER_TILE / 2) + thread * 4 + e % 4;
}

template <class Left>
__device__ __forceinline__ void register_relax(int *to, size_t ld, Left left, by_k right)
{
    __shared__ __align__(16) int a[REGISTER_SLAB][REGISTER_TILE], b[REGISTER_SLAB][REGISTER_TILE];
    int c[REGISTER_EACH][REGISTER_EACH];
#pragma unroll
    for (int i = 0; i < REGISTER_EACH; i++)
#pragma unroll
        for (int j = 0; j < REGISTER_EACH; j++)
            c[i][j] = to[register_place(threadIdx.y, i) * ld + register_place(threadIdx.x, j)];
    for (int k0 = 0; k0 < register_base::factor; k0 += REGISTER_SLAB) {
        __syncthreads();
        left.load(a, k0);
        right.load(b, k0);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < REGISTER_SLAB; k++) {
            int x[REGISTER_EACH], y[REGISTER_EACH];
#pragma unroll
            for (int e = 0; e < REGISTER_EACH; e++) {
                x[e] = a[k][register_place(threadIdx.y, e)];
                y[e] = b[k][register_place(threadIdx.x, e)];
            }
#pragma unroll
            for (int i = 0; i < REGISTER_EACH; i++)
#pragma unroll
                for (int j = 0; j < REGISTER_EACH; j++)
                    c[i][j] = min(c[i][j], x[i] + y[j]);
        }
    }
#pragma unroll
    for (int i = 0; i < REGISTER_EACH; i++)
#pragma unroll
        for (int j = 0; j < REGISTER_EACH; j++)
            to[register_place(threadIdx.y, i) * ld + register_place(threadIdx.x, j)] = c[i][j];
}

#endif
