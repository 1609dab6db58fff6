#include "sssp/gpu/levels.h"

enum { COLUMNS = 64, WORDS = 8, THREADS = COLUMNS * WORDS }; /* of a block */

namespace
{

/* A thread has a column, and the 32 sources of a word. Words of a row that are side by side are
 * read by one block. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    rows_kernel(const struct gpu_waves waves, const struct gpu_levels levels)
{
    const size_t c = (size_t)blockIdx.x * COLUMNS + threadIdx.x % COLUMNS,
                 own = ((size_t)blockIdx.y * WORDS + threadIdx.x / COLUMNS) * 32;
    if (c >= levels.columns || own >= levels.count)
        return;
    const uint32_t v = levels.column[c];
    const size_t plane = (size_t)waves.arcs.n * waves.row,
                 at = (size_t)v * waves.row + (levels.first + own) / 32;
    const bool fresh = waves.fresh[v / 32] >> v % 32 & 1;
    const uint32_t missing = fresh ? ~0u : waves.missing[at];
    uint32_t level[32] = {};
    for (uint32_t p = 0; p < waves.planes && !fresh; p++) {
        const uint32_t digits = waves.plane[p * plane + at];
#pragma unroll
        for (int i = 0; i < 32; i++)
            level[i] |= (digits >> i & 1) << p;
    }
    const T *value = (const T *)levels.value;
    T *to = (T *)levels.rows + own * levels.stride + c;
#pragma unroll
    for (int i = 0; i < 32; i++)
        if (own + (size_t)i < levels.count)
            to[(size_t)i * levels.stride] =
                value[missing >> i & 1 ? (size_t)1 << waves.planes : level[i]];
}

template <class T>
void run(const struct gpu_waves *waves, const struct gpu_levels *levels, gpuStream_t stream)
{
    const dim3 grid((unsigned)((levels->columns + COLUMNS - 1) / COLUMNS),
                    (unsigned)((levels->count + 32 * WORDS - 1) / (32 * WORDS)));
    rows_kernel<T><<<grid, THREADS, 0, stream>>>(*waves, *levels);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_levels_rows(const struct gpu_waves *waves, const struct gpu_levels *levels, size_t bytes,
                     gpuStream_t stream)
{
    (bytes == 2   ? run<uint16_t>
     : bytes == 4 ? run<uint32_t>
                  : run<uint64_t>)(waves, levels, stream);
}
