#include "rows/gpu/turn.h"

#include "rows/gpu/pack.cuh"

#include <cstring>

/* A block turns so many columns of the rows of one group, through shared memory. */
enum { THREADS = 256, COLUMNS = 128, WORDS = GPU_TURN_ROW / 4, QUADS = GPU_TURN_ROW / 16 };

/* Rows may begin within a group. */
enum { GROUPS = CONVERT_PLACES / (GPU_TURN_ROW / 8) + 1 };

namespace
{

template <class From, class To> struct work {
    const uint4 *from;
    size_t n;
    const uint32_t *position, *column;
    size_t columns;
    To *to;
    size_t ld;
    packer<From, To> pack;
    uint32_t first[GROUPS + 1];   /* of the places of each group */
    uint32_t row[CONVERT_PLACES]; /* of its group */
    size_t place[CONVERT_PLACES];
};

/* A word has the value of a row, or of two, or half of one. */
template <class From> __device__ __forceinline__ From value_at(const uint32_t *words, uint32_t row)
{
    From value;
    if constexpr (sizeof(From) == 2)
        return (From)(words[row / 2] >> 16 * (row % 2));
    uint32_t word[2] = {words[row * (sizeof(From) / 4)], words[row * (sizeof(From) / 4) + 1]};
    memcpy(&value, word, sizeof value);
    return value;
}

/* Two values of one row, side by side. */
__device__ __forceinline__ void put_pair(uint16_t *row, size_t column, size_t columns,
                                         uint16_t first, uint16_t second)
{
    if (column + 1 < columns && ((uintptr_t)(row + column) & 3) == 0) {
        *(uint32_t *)(row + column) = first | (uint32_t)second << 16;
        return;
    }
    if (column < columns)
        row[column] = first;
    if (column + 1 < columns)
        row[column + 1] = second;
}

template <class From, class To>
__global__ void __launch_bounds__(THREADS) turn_kernel(const work<From, To> work)
{
    __shared__ uint32_t tile[COLUMNS][WORDS + 1];
    constexpr int across = sizeof(To) == 2 ? 2 : 1; /* values of a thread */
    const size_t first = (size_t)blockIdx.x * COLUMNS;
    const uint4 *from = work.from + blockIdx.y * work.n * QUADS;
    static_assert(COLUMNS * QUADS % THREADS == 0, "all threads take as many");
#pragma unroll
    for (int step = 0; step < COLUMNS * QUADS / THREADS; step++) {
        int i = step * THREADS + (int)threadIdx.x, c = i / QUADS, q = i % QUADS;
        if (first + c < work.columns) {
            size_t column = work.column ? work.column[first + c] : first + c;
            uint4 four = from[(size_t)work.position[column] * QUADS + q];
            tile[c][4 * q] = four.x;
            tile[c][4 * q + 1] = four.y;
            tile[c][4 * q + 2] = four.z;
            tile[c][4 * q + 3] = four.w;
        }
    }
    __syncthreads();
    const uint32_t lo = work.first[blockIdx.y], hi = work.first[blockIdx.y + 1];
    for (uint32_t i = threadIdx.x; i < (hi - lo) * (COLUMNS / across); i += THREADS) {
        uint32_t k = lo + i / (COLUMNS / across), c = i % (COLUMNS / across) * across,
                 row = work.row[k];
        To *to = work.to + work.place[k] * work.ld, value = work.pack(value_at<From>(tile[c], row));
        if constexpr (across == 2)
            put_pair(to, first + c, work.columns, value,
                     work.pack(value_at<From>(tile[c + 1], row)));
        else if (first + c < work.columns)
            to[first + c] = value;
    }
}

/* Returns how many groups there are. Rows of places ascend. */
template <class From, class To>
unsigned list_places(work<From, To> *work, const struct gpu_turn &turn,
                     const struct convert_places *places)
{
    const size_t width = GPU_TURN_ROW / sizeof(From), offset = turn.rows.lo % width,
                 count = places ? places->count : range_length(turn.rows);
    unsigned groups = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t row = offset + (places ? places->row[k] : k);
        while (groups <= row / width)
            work->first[groups++] = (uint32_t)k;
        work->row[k] = (uint32_t)(row % width);
        work->place[k] = places ? places->place[k] : k;
    }
    work->first[groups] = (uint32_t)count;
    return groups;
}

template <class From, class To>
void turn_to(const struct gpu_turn &turn, const struct gpu_turned &turned)
{
    const size_t width = GPU_TURN_ROW / sizeof(From);
    work<From, To> work = {};
    work.from = (const uint4 *)turn.from + turn.rows.lo / width * turn.n * QUADS;
    work.n = turn.n;
    work.position = turn.position;
    work.column = turned.column;
    work.columns = turned.columns;
    work.to = (To *)turned.to;
    work.ld = turned.ld;
    const struct dtype_info &to = dtype_info[turned.dtype];
    work.pack = {infinite<From>(dtype_info[turn.dtype].infinity),
                 infinite<To>(turned.computed ? to.infinity : to.unreachable), turned.factor};
    const unsigned groups = list_places(&work, turn, turned.places);
    const dim3 grid((unsigned)((work.columns + COLUMNS - 1) / COLUMNS), groups);
    turn_kernel<From, To><<<grid, THREADS, 0, turn.stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_turn(const struct gpu_turn *turn, const struct gpu_turned *turned)
{
    static void (*const table[DTYPE_COUNT][DTYPE_COUNT])(
        const struct gpu_turn &, const struct gpu_turned &) = CONVERSIONS(turn_to);
    if (range_length(turn->rows) > 0 && turned->columns > 0)
        table[turn->dtype][turned->dtype](*turn, *turned);
}
