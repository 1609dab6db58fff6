/*
 * Step 10: rows of shared memory one word longer, so that a column of it is spread over all 32 banks: no
 * conflicts when the transposed tile is written.
 */
#include "../blocked.cuh"
#include "ladder.h"

namespace
{
struct step {
    static constexpr int factor = 32, tx = 32, ty = 32, blocks = 1, pitch = factor + 1;
    static constexpr size_t shared = 0; /* that is known to the compiler is no parameter of the launch */
    static constexpr int multiple = factor;
    static constexpr bool pinned = false;

    template <bool DEPENDENT>
    static __device__ void relax(int *d, size_t ld, int, int r, int tile_i, int tile_j)
    {
        __shared__ int a[factor][pitch], b[factor][pitch]; /* a[k][i], b[k][j] */
        const int x = threadIdx.x, y = threadIdx.y;
        int *mine = d + (tile_i * factor + y) * ld + tile_j * factor + x, least = *mine;
        a[x][y] = d[(tile_i * factor + y) * ld + r * factor + x];
        b[y][x] = d[(r * factor + y) * ld + tile_j * factor + x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < factor; k++) {
            least = min(least, a[k][y] + b[k][x]);
            if (!DEPENDENT)
                continue;
            __syncthreads(); /* all have read a[k] and b[k], */
            if (tile_j == r)
                a[x][y] = least;
            if (tile_i == r)
                b[y][x] = least;
            __syncthreads(); /* and now the next ones are right */
        }
        *mine = least;
    }
};
} // namespace

struct lab_step ladder_banks = {"no bank conflicts", NULL, true, blocked_plain<step>};
