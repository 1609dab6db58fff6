/*
 * Step 19: a register tile of 8 x 8 values a thread (registers.cuh): a quarter of the reads of
 * shared memory of 2 x 8, which were what the step before waited for.
 */
#include "../registers.cuh"
#include "ladder.h"

namespace
{
struct step : register_base {
};
__global__ void __launch_bounds__(256, 2) rest(int *d, size_t ld, int r)
{
    int *tile = d + (size_t)blockIdx.y * REGISTER_TILE * ld,
        *row = d + (size_t)r * step::factor * ld;
    const size_t column = (size_t)blockIdx.x * REGISTER_TILE;
    register_relax(tile + column, ld, by_rows{tile + r * step::factor, ld}, by_k{row + column, ld});
}
} // namespace

template <> struct blocked_phase3<step> {
    static constexpr auto kernel = rest;
    static constexpr int threads = 256;
    static constexpr size_t shared = 0;
    static void launch(int *d, size_t ld, int, int, int r)
    {
        const unsigned tiles = ld / REGISTER_TILE;
        rest<<<dim3(tiles, tiles), dim3(REGISTER_SIDE, REGISTER_SIDE)>>>(d, ld, r);
    }
};

struct lab_step ladder_registers = {"register tile, 8 x 8", NULL, true, blocked_plain<step>};
