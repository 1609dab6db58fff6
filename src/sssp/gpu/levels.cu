#include "sssp/gpu/levels.h"

enum { COLUMNS = 64, WORDS = 8, THREADS = COLUMNS * WORDS, BLOCKS = 2 }; /* of a multiprocessor */

namespace
{

/* The low PER bits, each at the low end of a part of its own of 32 / PER bits. A factor adds copies
 * that have been moved by one bit less than a part each, so none overlap. */
template <int PER> __device__ uint32_t spread(uint32_t bits)
{
    const uint32_t factor = PER == 4   ? 0x00204081
                            : PER == 2 ? 0x00008001
                                       : 1,
                   low = PER == 4   ? 0x01010101
                         : PER == 2 ? 0x00010001
                                    : 1;
    return (bits & ((1u << PER) - 1)) * factor & low;
}

/* The indexes of the values of 32 sources to a vertex: levels, or 2^planes where there is none. PER
 * of them share a number. */
template <int PER>
__device__ void take_indexes(const struct gpu_waves &waves, uint32_t v, size_t word,
                             uint32_t index[32 / PER])
{
    const size_t plane = (size_t)waves.arcs.n * waves.row, at = (size_t)v * waves.row + word;
    const bool fresh = waves.fresh[v / 32] >> v % 32 & 1;
    const uint32_t missing = fresh ? ~0u : waves.missing[at];
#pragma unroll
    for (int k = 0; k < 32 / PER; k++)
        index[k] = spread<PER>(missing >> k * PER);
    for (uint32_t p = waves.planes; p-- > 0;) {
        const uint32_t digits = fresh ? 0 : waves.plane[p * plane + at] & ~missing;
#pragma unroll
        for (int k = 0; k < 32 / PER; k++)
            index[k] = index[k] << 1 | spread<PER>(digits >> k * PER);
    }
}

template <int PER> __device__ uint32_t index_at(const uint32_t index[32 / PER], int i)
{
    return PER == 1 ? index[i] : index[i / PER] >> i % PER * (32 / PER) & ((1u << 32 / PER) - 1);
}

/* A thread has SIDE columns side by side, and the 32 sources of a word. Words of a row that are
 * side by side are read by one block. Two values of 16 bits are stored at once. */
template <class T, int PER, int SIDE>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    rows_kernel(const struct gpu_waves waves, const struct gpu_levels levels)
{
    const size_t c = ((size_t)blockIdx.x * COLUMNS + threadIdx.x % COLUMNS) * SIDE,
                 own = ((size_t)blockIdx.y * WORDS + threadIdx.x / COLUMNS) * 32;
    if (c >= levels.columns || own >= levels.count)
        return;
    uint32_t index[SIDE][32 / PER];
#pragma unroll
    for (int s = 0; s < SIDE; s++)
        take_indexes<PER>(waves, levels.column[c + s < levels.columns ? c + s : c],
                          (levels.first + own) / 32, index[s]);
    const T *value = (const T *)levels.value;
    T *to = (T *)levels.rows + own * levels.stride + c;
    const bool both = SIDE == 2 && c + 1 < levels.columns;
#pragma unroll
    for (int i = 0; i < 32; i++, to += levels.stride)
        if (own + (size_t)i < levels.count) {
            const T first = value[index_at<PER>(index[0], i)];
            if (both)
                *(uint32_t *)to =
                    (uint32_t)first | (uint32_t)value[index_at<PER>(index[SIDE - 1], i)] << 16;
            else
                *to = first;
        }
}

template <class T, int PER, int SIDE>
void launch(const struct gpu_waves *waves, const struct gpu_levels *levels, gpuStream_t stream)
{
    const size_t columns = COLUMNS * SIDE;
    const dim3 grid((unsigned)((levels->columns + columns - 1) / columns),
                    (unsigned)((levels->count + 32 * WORDS - 1) / (32 * WORDS)));
    rows_kernel<T, PER, SIDE><<<grid, THREADS, 0, stream>>>(*waves, *levels);
    GPU_CHECK(gpuGetLastError());
}

/* The index 2^planes has to fit. */
template <class T>
void run(const struct gpu_waves *waves, const struct gpu_levels *levels, gpuStream_t stream)
{
    constexpr int SIDE = sizeof(T) == 2 ? 2 : 1;
    if (waves->planes < 8 && levels->stride % SIDE == 0)
        launch<T, 4, SIDE>(waves, levels, stream);
    else if (waves->planes < 16)
        launch<T, 2, 1>(waves, levels, stream);
    else
        launch<T, 1, 1>(waves, levels, stream);
}

} // namespace

void gpu_levels_rows(const struct gpu_waves *waves, const struct gpu_levels *levels, size_t bytes,
                     gpuStream_t stream)
{
    (bytes == 2   ? run<uint16_t>
     : bytes == 4 ? run<uint32_t>
                  : run<uint64_t>)(waves, levels, stream);
}
