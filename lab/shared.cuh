/*
 * A thread for every value of a tile of 32 x 32, and both pivot tiles in shared memory, the first
 * one transposed, so that both are read along rows. Their rows are PITCH words long; k is unrolled
 * UNROLLED times.
 */
#ifndef LAB_SHARED_CUH
#define LAB_SHARED_CUH

#include "blocked.cuh"

template <int PITCH, int UNROLLED> struct shared_step {
    static constexpr int factor = 32, tx = 32, ty = 32, blocks = 1;
    static constexpr size_t shared =
        0; /* that is known to the compiler is no parameter of the launch */
    static constexpr int multiple = factor;

    template <bool DEPENDENT>
    static __device__ void relax(int *d, size_t ld, int, int r, int tile_i, int tile_j)
    {
        __shared__ int a[factor][PITCH], b[factor][PITCH]; /* a[k][i], b[k][j] */
        const int x = threadIdx.x, y = threadIdx.y;
        int *mine = d + (tile_i * factor + y) * ld + tile_j * factor + x, least = *mine;
        a[x][y] = d[(tile_i * factor + y) * ld + r * factor + x];
        b[y][x] = d[(r * factor + y) * ld + tile_j * factor + x];
        __syncthreads();
#pragma unroll UNROLLED
        for (int k = 0; k < factor; k++) {
            least = min(least, a[k][y] + b[k][x]);
            if (!DEPENDENT)
                continue;
            __syncthreads(); /* all have read a[k] and b[k] */
            if (tile_j == r)
                a[x][y] = least;
            if (tile_i == r)
                b[y][x] = least;
            __syncthreads(); /* and now the next ones are right */
        }
        *mine = least;
    }
};

#endif
