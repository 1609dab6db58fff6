/* Rows of blocks to their places in the memory of a GPU (rows/convert.h), as files have them. */
#include "kernels/gpu/gpu.h"

#define DIVIDE_PLACE static __device__ __forceinline__

extern "C" {
#include "rows/convert.h"
#include "rows/divide.h"
}

#include <cmath>
#include <type_traits>

namespace
{

enum { THREADS = 256 };

template <class From, class To> struct work {
    const From *from;
    size_t stride;
    const uint32_t *column;
    size_t columns;
    To *to;
    From unreachable;
    double factor;
    size_t place[CONVERT_PLACES];
    uint32_t row[CONVERT_PLACES];
};

template <class From, class To> __device__ To pack(From value, From unreachable, double factor)
{
    if constexpr (std::is_same_v<From, To>)
        return value;
    else if (value == unreachable)
        return (To)HUGE_VAL;
    else if constexpr (std::is_floating_point_v<From>)
        return (To)value;
    else if constexpr (std::is_same_v<To, float>)
        return divide_to_float((double)value, factor);
    else
        return (double)value / factor;
}

/* A block takes a piece of one row. */
template <class From, class To> __global__ void place_kernel(const work<From, To> work)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
    if (j >= work.columns)
        return;
    const size_t column = work.column ? work.column[j] : j;
    work.to[work.place[k] * work.columns + j] = pack<From, To>(
        work.from[work.row[k] * work.stride + column], work.unreachable, work.factor);
}

/* The value of integers that stands for unreachable is in the table of types. */
template <class T> T unreachable_of(enum dtype dtype)
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)HUGE_VAL;
    else
        return (T)dtype_info[dtype].unreachable;
}

template <class From, class To>
void place(const struct convert_places *places, const struct block *block)
{
    work<From, To> work = {};
    work.from = (const From *)block->device;
    work.stride = block->device_stride;
    work.column = places->column;
    work.columns = places->columns;
    work.to = (To *)places->values;
    work.unreachable = unreachable_of<From>(places->packing.rows);
    work.factor = scale_factor(places->packing.scale);
    memcpy(work.place, places->place, sizeof work.place);
    memcpy(work.row, places->row, sizeof work.row);
    const dim3 grid((unsigned)((work.columns + THREADS - 1) / THREADS), (unsigned)places->count);
    place_kernel<From, To><<<grid, THREADS, 0, 0>>>(work);
    GPU_CHECK(gpuGetLastError());
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
    table[places->packing.rows][places->packing.file](places, block);
    GPU_CHECK(gpuStreamSynchronize(0));
}

} // namespace

extern "C" convert_placing *convert_device(void)
{
    return place_rows;
}
