/*
 * Step 6: the blocked algorithm as a first GPU program has it: a thread for every value of a tile of 32 x 32,
 * all in the device's memory. Thread x has row x of the tile, so that the 32 threads of a warp read 32 rows:
 * 32 pieces of memory for one word each. Every access asks whether it is inside of the matrix.
 */
#include "../blocked.cuh"
#include "ladder.h"

namespace
{
struct step {
    static constexpr int factor = 32, tx = 32, ty = 32, blocks = 1;
    static constexpr size_t shared = 0;
    static constexpr int multiple = 1;
    static constexpr bool pinned = false;

    template <bool DEPENDENT>
    static __device__ void relax(int *d, size_t ld, int n, int r, int tile_i, int tile_j)
    {
        const int i = tile_i * factor + threadIdx.x, j = tile_j * factor + threadIdx.y;
        for (int k = r * factor; k < (r + 1) * factor && k < n; k++) {
            if (i < n && j < n && d[i * ld + k] + d[k * ld + j] < d[i * ld + j])
                d[i * ld + j] = d[i * ld + k] + d[k * ld + j];
            if (DEPENDENT)
                __syncthreads();
        }
    }
};
} // namespace

struct lab_step ladder_global = {"GPU, global memory", "18.4 s (GTX 1080)", true, blocked_plain<step>};
