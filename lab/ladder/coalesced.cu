/*
 * Step 8: thread x has column x of the tile. The 32 threads of a warp then read 32 words side by side, one or
 * two pieces of memory, and all of them the same d[i][k].
 */
#include "../blocked.cuh"
#include "ladder.h"

namespace
{
struct step {
    static constexpr int factor = 32, tx = 32, ty = 32, blocks = 1;
    static constexpr size_t shared = 0;
    static constexpr int multiple = factor;
    static constexpr bool pinned = false;

    template <bool DEPENDENT>
    static __device__ void relax(int *d, size_t ld, int, int r, int tile_i, int tile_j)
    {
        const int i = tile_i * factor + threadIdx.y, j = tile_j * factor + threadIdx.x;
        for (int k = r * factor; k < (r + 1) * factor; k++) {
            if (d[i * ld + k] + d[k * ld + j] < d[i * ld + j])
                d[i * ld + j] = d[i * ld + k] + d[k * ld + j];
            if (DEPENDENT)
                __syncthreads();
        }
    }
};
} // namespace

struct lab_step ladder_coalesced = {"coalesced access", NULL, true, blocked_plain<step>};
