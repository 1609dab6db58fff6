/* Rows of blocks to their places in the memory of a GPU (rows/convert.h), as files have them. */
#include "rows/gpu/pack.cuh"
#include "rows/gpu/turn.h"

namespace
{

enum { THREADS = 256, VALUES = 4 }; /* of a thread */

template <class From, class To> struct work {
    const From *from;
    size_t stride;
    const uint32_t *column;
    size_t columns;
    To *to;
    packer<From, To> pack;
    size_t place[CONVERT_PLACES];
    uint32_t row[CONVERT_PLACES];
};

/* A block takes a piece of one row. */
template <class From, class To> __global__ void place_kernel(const work<From, To> work)
{
    const size_t first = (size_t)blockIdx.x * THREADS * VALUES + threadIdx.x, k = blockIdx.y;
    const From *from = work.from + work.row[k] * work.stride;
    To *to = work.to + work.place[k] * work.columns;
#pragma unroll
    for (size_t i = 0; i < VALUES; i++) {
        const size_t j = first + i * THREADS;
        if (j >= work.columns)
            continue;
        const From value = from[work.column ? work.column[j] : j];
        if constexpr (std::is_same_v<From, To>)
            to[j] = value;
        else
            to[j] = work.pack(value);
    }
}

template <class From, class To>
void launch(work<From, To> work, const struct convert_places *places, size_t columns, size_t stride)
{
    const size_t across = THREADS * VALUES;
    work.columns = columns;
    work.stride = stride;
    memcpy(work.place, places->place, sizeof work.place);
    memcpy(work.row, places->row, sizeof work.row);
    const dim3 grid((unsigned)((columns + across - 1) / across), (unsigned)places->count);
    place_kernel<From, To><<<grid, THREADS, 0, 0>>>(work);
    GPU_CHECK(gpuGetLastError());
}

/* Whole rows by words as wide as their size and their places allow. */
template <class Word>
bool copy_by(const struct convert_places *places, const struct block *block, size_t bytes)
{
    work<Word, Word> work = {};
    const size_t row = places->columns * bytes, stride = block->device_stride * bytes;
    if ((row | stride | (uintptr_t)block->device | (uintptr_t)places->values) % sizeof(Word) != 0)
        return false;
    work.from = (const Word *)block->device;
    work.to = (Word *)places->values;
    launch(work, places, row / sizeof(Word), stride / sizeof(Word));
    return true;
}

template <class From, class To>
void place(const struct convert_places *places, const struct block *block)
{
    work<From, To> work = {};
    if (std::is_same_v<From, To> && !places->column &&
        (copy_by<uint4>(places, block, sizeof(From)) ||
         copy_by<uint2>(places, block, sizeof(From)) ||
         copy_by<uint32_t>(places, block, sizeof(From))))
        return;
    work.from = (const From *)block->device;
    work.column = places->column;
    work.to = (To *)places->values;
    work.pack = {infinite_of<From>(places->packing.rows), infinite_of<To>(places->packing.file),
                 scale_factor(places->packing.scale)};
    launch(work, places, places->columns, block->device_stride);
}

#define TO_REAL(from) place<from, float>, place<from, double>

void place_rows(const struct convert_places *places, const struct block *block)
{
    static void (*const table[DTYPE_COUNT][DTYPE_COUNT])(const struct convert_places *,
                                                         const struct block *) = {
        {place<uint16_t, uint16_t>, NULL, NULL, TO_REAL(uint16_t)},
        {NULL, place<int32_t, int32_t>, NULL, TO_REAL(int32_t)},
        {NULL, NULL, place<int64_t, int64_t>, TO_REAL(int64_t)},
        {NULL, NULL, NULL, place<float, float>, NULL},
        {NULL, NULL, NULL, TO_REAL(double)}};
    static_assert(DTYPE_COUNT == 5, "in the order of enum dtype");
    if (places->count == 0 || places->columns == 0)
        return;
    if (block->turn) {
        const struct gpu_turned turned = {
            places->packing.file, false,           scale_factor(places->packing.scale),
            places->column,       places->columns, places->values,
            places->columns,      places};
        gpu_turn(block->turn, &turned);
        GPU_CHECK(gpuStreamSynchronize(block->turn->stream));
        return;
    }
    table[places->packing.rows][places->packing.file](places, block);
    GPU_CHECK(gpuStreamSynchronize(0));
}

} // namespace

extern "C" convert_placing *convert_device(void)
{
    return place_rows;
}
