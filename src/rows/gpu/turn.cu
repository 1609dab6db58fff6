#include "rows/gpu/turn.h"

/* A block turns so many columns of the rows of one group, through shared memory. */
enum { THREADS = 256, COLUMNS = 128, WORDS = GPU_TURN_ROW / 4, QUADS = GPU_TURN_ROW / 16 };

namespace
{

struct work {
    struct gpu_turn turn;
    size_t lo, hi, group; /* rows; the first one's group */
};

template <class V> __device__ __forceinline__ V *row_at(const struct work &work, size_t row)
{
    if (row < work.lo || row >= work.hi)
        return NULL;
    size_t place = work.turn.row ? work.turn.row[row - work.lo] : row - work.lo;
    return (V *)work.turn.to + place * work.turn.ld;
}

/* Two 16-bit values of one row, side by side. */
__device__ __forceinline__ void put_pair(uint16_t *row, size_t column, size_t n, uint32_t pair)
{
    if (!row || column >= n)
        return;
    if (column + 1 < n && ((uintptr_t)(row + column) & 3) == 0) {
        *(uint32_t *)(row + column) = pair;
        return;
    }
    row[column] = (uint16_t)pair;
    if (column + 1 < n)
        row[column + 1] = (uint16_t)(pair >> 16);
}

/* Word s of a row of the group has the values of one source, or of two, or half of one. */
template <class V>
__device__ __forceinline__ void put_rows(const struct work &work, const uint32_t (*tile)[WORDS + 1],
                                         size_t row, size_t first)
{
    const size_t n = work.turn.n;
    if constexpr (sizeof(V) == 2) {
        for (int i = threadIdx.x; i < WORDS * COLUMNS / 2; i += THREADS) {
            int s = i / (COLUMNS / 2), c = i % (COLUMNS / 2) * 2;
            uint32_t a = tile[c][s], b = tile[c + 1][s];
            put_pair(row_at<uint16_t>(work, row + 2 * s), first + c, n, (a & 0xffffu) | b << 16);
            put_pair(row_at<uint16_t>(work, row + 2 * s + 1), first + c, n,
                     a >> 16 | (b & 0xffff0000u));
        }
    } else {
        constexpr int words = sizeof(V) / 4;
        for (int i = threadIdx.x; i < WORDS / words * COLUMNS; i += THREADS) {
            int s = i / COLUMNS, c = i % COLUMNS;
            V *to = row_at<V>(work, row + s);
            V value = tile[c][s * words];
            if constexpr (words == 2)
                value |= (V)tile[c][s * words + 1] << 32;
            if (to && first + c < n)
                to[first + c] = value;
        }
    }
}

template <class V> __global__ void __launch_bounds__(THREADS) turn_kernel(const struct work work)
{
    __shared__ uint32_t tile[COLUMNS][WORDS + 1];
    const size_t first = (size_t)blockIdx.x * COLUMNS, n = work.turn.n,
                 group = work.group + blockIdx.y;
    const uint4 *from = (const uint4 *)work.turn.from + group * n * QUADS;
    static_assert(COLUMNS * QUADS % THREADS == 0, "all threads take as many");
#pragma unroll
    for (int step = 0; step < COLUMNS * QUADS / THREADS; step++) {
        int i = step * THREADS + (int)threadIdx.x, c = i / QUADS, q = i % QUADS;
        if (first + c < n) {
            uint4 four = from[(size_t)work.turn.position[first + c] * QUADS + q];
            tile[c][4 * q] = four.x;
            tile[c][4 * q + 1] = four.y;
            tile[c][4 * q + 2] = four.z;
            tile[c][4 * q + 3] = four.w;
        }
    }
    __syncthreads();
    put_rows<V>(work, tile, group * (GPU_TURN_ROW / sizeof(V)), first);
}

template <class V> void turn_any(const struct work &work, size_t groups, gpuStream_t stream)
{
    dim3 grid((unsigned)((work.turn.n + COLUMNS - 1) / COLUMNS), (unsigned)groups);
    turn_kernel<V><<<grid, THREADS, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_turn(const struct gpu_turn *turn, struct range rows, gpuStream_t stream)
{
    const size_t width = GPU_TURN_ROW / turn->bytes;
    if (range_length(rows) == 0)
        return;
    struct work work = {*turn, rows.lo, rows.hi, rows.lo / width};
    size_t groups = (rows.hi - 1) / width + 1 - work.group;
    if (turn->bytes == 2)
        turn_any<uint16_t>(work, groups, stream);
    else if (turn->bytes == 4)
        turn_any<uint32_t>(work, groups, stream);
    else
        turn_any<uint64_t>(work, groups, stream);
}
