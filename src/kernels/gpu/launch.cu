/* The kernels of sums, and word sums. */
#include "kernels/gpu/launch.cuh"

struct gpu_kernels gpu_kernels_of(enum dtype dtype, enum combine combine)
{
    return combine == COMBINE_MAX ? gpu_kernels_maxima(dtype) : kernels_among(op_sums(), dtype);
}

/* Rows of so many bytes. */
struct sum_work {
    const unsigned char *at;
    size_t rows, width, pitch;
    uint32_t *to, *also; /* also may be NULL */
};

static __global__ void sum_kernel(const struct sum_work work)
{
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    const size_t quads =
        ((uintptr_t)work.at | work.pitch) % sizeof(uint4) == 0 ? work.width / sizeof(uint4) : 0;
    uint32_t sum = 0;
    for (size_t i = blockIdx.y; i < work.rows; i += gridDim.y) {
        const unsigned char *row = work.at + i * work.pitch;
        for (size_t q = first; q < quads; q += step) {
            uint4 four = ((const uint4 *)row)[q];
            sum += four.x + four.y + four.z + four.w;
        }
        for (size_t h = quads * 8 + first; h < work.width / 2; h += step) /* halves of words */
            sum += (uint32_t)((const uint16_t *)row)[h] << 16 * (h % 2);
    }
    sum_add(work.to, sum);
    if (work.also)
        sum_add(work.also, sum);
}

void gpu_sum(const void *at, size_t rows, size_t width, size_t pitch, uint32_t *to, uint32_t *also,
             gpuStream_t stream)
{
    const unsigned threads = 256, blocks = 1024, most = 16;
    const struct sum_work work = {(const unsigned char *)at, rows, width, pitch, to, also};
    const size_t across = width / sizeof(uint4) / threads + 1;
    dim3 grid(across < most ? (unsigned)across : most);
    if (rows == 0)
        return;
    grid.y = rows < blocks / grid.x ? (unsigned)rows : blocks / grid.x;
    sum_kernel<<<grid, threads, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}
