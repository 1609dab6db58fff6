#include "rows/gpu/turn.h"

enum { THREADS = 256, TILE = 256 }; /* bytes of columns of a tile */

namespace {

struct work {
    struct gpu_turn turn;
    size_t lo, hi, group; /* rows; the first one's group */
};

/* A block turns some columns of the rows of one group. */
template <class V> __global__ void turn_kernel(const struct work work)
{
    constexpr unsigned columns = TILE / sizeof(V), most = TILE / sizeof(V), pad = sizeof(V) < 4 ? 4 / sizeof(V) : 1;
    __shared__ V tile[columns][most + pad];
    const unsigned width = (unsigned)work.turn.width;
    const size_t first = (size_t)blockIdx.x * columns, n = work.turn.n, group = work.group + blockIdx.y;
    const V *from = (const V *)work.turn.from + group * n * width;
    for (unsigned i = threadIdx.x; i < columns * width; i += THREADS)
        if (first + i / width < n)
            tile[i / width][i % width] = from[(size_t)work.turn.position[first + i / width] * width + i % width];
    __syncthreads();
    const unsigned column = threadIdx.x % columns;
    for (unsigned r = threadIdx.x / columns; r < width; r += THREADS / columns) {
        size_t row = group * width + r;
        if (row >= work.lo && row < work.hi && first + column < n)
            ((V *)work.turn.to)[(row - work.lo) * work.turn.ld + first + column] = tile[column][r];
    }
}

template <class V> void turn_any(const struct work &work, size_t groups, gpuStream_t stream)
{
    constexpr size_t columns = TILE / sizeof(V);
    dim3 grid((unsigned)((work.turn.n + columns - 1) / columns), (unsigned)groups);
    turn_kernel<V><<<grid, THREADS, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_turn(const struct gpu_turn *turn, struct range rows, gpuStream_t stream)
{
    if (range_length(rows) == 0)
        return;
    struct work work = {*turn, rows.lo, rows.hi, rows.lo / turn->width};
    size_t groups = (rows.hi - 1) / turn->width + 1 - work.group;
    if (turn->bytes == 2)
        turn_any<uint16_t>(work, groups, stream);
    else if (turn->bytes == 4)
        turn_any<uint32_t>(work, groups, stream);
    else
        turn_any<uint64_t>(work, groups, stream);
}
