/*
 * Step 20: the column of tiles is transposed before phase 3, so that value k of all rows lies in a
 * row: both operands come in whole rows of 128 words, 16 bytes a load, and no bank is asked twice.
 * The product's phase 2 writes its panels so.
 */
#include "../registers.cuh"
#include "ladder.h"

namespace
{
struct step : register_base {
};
int *panel; /* factor x n: the column of tiles, transposed */

__global__ void turn(int *to, const int *d, size_t ld, int r)
{
    __shared__ int tile[32][33];
    const size_t i = blockIdx.x * 32, k = blockIdx.y * 32;
    tile[threadIdx.y][threadIdx.x] = d[(i + threadIdx.y) * ld + r * step::factor + k + threadIdx.x];
    __syncthreads();
    to[(k + threadIdx.y) * ld + i + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void __launch_bounds__(256, 2) rest(int *d, const int *left, size_t ld, int r)
{
    const size_t i = (size_t)blockIdx.y * REGISTER_TILE, j = (size_t)blockIdx.x * REGISTER_TILE;
    register_relax(d + i * ld + j, ld, by_k{left + i, ld},
                   by_k{d + (size_t)r * step::factor * ld + j, ld});
}
} // namespace

template <> struct blocked_phase3<step> {
    static constexpr auto kernel = rest;
    static constexpr int threads = 256;
    static constexpr size_t shared = 0;
    static void launch(int *d, size_t ld, int, int, int r)
    {
        const unsigned tiles = ld / REGISTER_TILE;
        turn<<<dim3(ld / 32, step::factor / 32), dim3(32, 32)>>>(panel, d, ld, r);
        rest<<<dim3(tiles, tiles), dim3(REGISTER_SIDE, REGISTER_SIDE)>>>(d, panel, ld, r);
    }
};

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    device_array<int> room((size_t)step::factor * (problem->n + REGISTER_TILE));
    panel = room.at;
    return blocked_plain<step>(problem, run);
}

struct lab_step ladder_kmajor = {"k-major panels", NULL, true, run};
