/*
 * A thread for every value of a tile of 32 x 32, all in the device's memory. CHECKED: n is as it
 * is, and every access asks whether it is inside of the matrix. ACROSS: thread x has column x of
 * the tile, else row x.
 */
#ifndef LAB_GLOBAL_CUH
#define LAB_GLOBAL_CUH

#include "blocked.cuh"

template <bool CHECKED, bool ACROSS> struct global_step {
    static constexpr int factor = 32, tx = 32, ty = 32, blocks = 1;
    static constexpr size_t shared = 0;
    static constexpr int multiple = CHECKED ? 1 : factor;

    template <bool DEPENDENT>
    static __device__ void relax(int *d, size_t ld, int n, int r, int tile_i, int tile_j)
    {
        const int i = tile_i * factor + (ACROSS ? threadIdx.y : threadIdx.x);
        const int j = tile_j * factor + (ACROSS ? threadIdx.x : threadIdx.y);
        for (int k = r * factor; k < (r + 1) * factor && (!CHECKED || k < n); k++) {
            if ((!CHECKED || (i < n && j < n)) && d[i * ld + k] + d[k * ld + j] < d[i * ld + j])
                d[i * ld + j] = d[i * ld + k] + d[k * ld + j];
            if (DEPENDENT)
                __syncthreads();
        }
    }
};

#endif
