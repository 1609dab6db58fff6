/*
 * The relaxation of a tile in the course's best programs. Both pivot tiles are in shared memory.
 * Each of TX x TY threads has every TX-th column and every TY-th row of the tile, with its values
 * in registers. A of the column of tiles is asked for by rows: a whole warp wants the same word,
 * which is one access; of B it wants 32 words side by side, one from each bank.
 */
#ifndef LAB_COURSE_CUH
#define LAB_COURSE_CUH

#include "blocked.cuh"

extern __shared__ int course_memory[];

template <int B, int TX, int TY, int BLOCKS = 1> struct course {
    static constexpr int factor = B, tx = TX, ty = TY, blocks = BLOCKS, wide = B / TX,
                         high = B / TY;
    static constexpr size_t shared = 2 * B * B * sizeof(int);
    static constexpr int multiple = B;
    static_assert(B % TX == 0 && B % TY == 0 && TX * TY <= 1024,
                  "whole parts of a tile for every thread");

    static __device__ __forceinline__ int *tile(int *d, size_t ld, int i, int j)
    {
        return d + (size_t)i * B * ld + (size_t)j * B;
    }
    static __device__ __forceinline__ void load(int *to, const int *from, size_t ld)
    {
        for (int y = threadIdx.y; y < B; y += TY)
            for (int x = threadIdx.x; x < B; x += TX)
                to[y * B + x] = from[y * ld + x];
    }

    /* Phases 1 and 2: the tile is one of the two in shared memory, or both. */
    static __device__ __forceinline__ void close(int *to, size_t ld, int *c, const int *a,
                                                 const int *b)
    {
        for (int k = 0; k < B; k++) {
            for (int y = threadIdx.y; y < B; y += TY)
                for (int x = threadIdx.x; x < B; x += TX)
                    c[y * B + x] = min(c[y * B + x], a[y * B + k] + b[k * B + x]);
            __syncthreads();
        }
        for (int y = threadIdx.y; y < B; y += TY)
            for (int x = threadIdx.x; x < B; x += TX)
                to[y * ld + x] = c[y * B + x];
    }

    static __device__ __forceinline__ void relax_registers(int *to, size_t ld, const int *a,
                                                           const int *b)
    {
        int c[high][wide];
        to += threadIdx.y * ld + threadIdx.x;
#pragma unroll
        for (int y = 0; y < high; y++)
#pragma unroll
            for (int x = 0; x < wide; x++)
                c[y][x] = to[(size_t)y * TY * ld + x * TX];
#pragma unroll 8
        for (int k = 0; k < B; k++)
#pragma unroll
            for (int y = 0; y < high; y++) {
                const int first = a[(threadIdx.y + y * TY) * B + k];
#pragma unroll
                for (int x = 0; x < wide; x++)
                    c[y][x] = min(c[y][x], first + b[k * B + threadIdx.x + x * TX]);
            }
#pragma unroll
        for (int y = 0; y < high; y++)
#pragma unroll
            for (int x = 0; x < wide; x++)
                to[(size_t)y * TY * ld + x * TX] = c[y][x];
    }

    template <bool DEPENDENT>
    static __device__ __forceinline__ void relax(int *d, size_t ld, int, int r, int i, int j)
    {
        int *a = course_memory, *b = i == r && j == r ? a : a + B * B;
        load(a, tile(d, ld, i, r), ld);
        if (b != a)
            load(b, tile(d, ld, r, j), ld);
        __syncthreads();
        if (DEPENDENT)
            close(tile(d, ld, i, j), ld, j == r ? a : b, a, b);
        else
            relax_registers(tile(d, ld, i, j), ld, a, b);
    }
};

#endif
