/* The matrix is made on the device: filled by a kernel, then lowered edge by edge with atomic
 * minima. */
#include "dense/backend_gpu.h"

#include "kernels/gpu/op.cuh"

#include <cstring>
#include <type_traits>

enum { THREADS = 256 };

template <class W> static __global__ void fill_kernel(W *words, size_t count, W value)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        words[i] = value;
}

template <class W>
static __global__ void diagonal_kernel(W *d, size_t ld, size_t rows, size_t first)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        d[i * ld + first + i] = 0;
}

/* The edge's weight in the type of the matrix. */
template <class Op>
static __device__ __forceinline__ typename Op::value weight_of(const struct edge &e)
{
    using value = typename Op::value;
    if constexpr (std::is_floating_point_v<value>)
        return (value)e.weight.real;
    else
        return e.weight.whole < Op::infinity ? (value)e.weight.whole : Op::infinity;
}

template <class Op>
static __global__ void lower_kernel(const struct edge *edges, int count, typename Op::value *d,
                                    size_t ld, size_t first, unsigned long long *parallel)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    struct edge e = edges[i];
    if (Op::lower(&d[(e.from - first) * ld + e.to], weight_of<Op>(e)) < Op::infinity)
        atomicAdd(parallel, 1ull);
}

static unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

template <class Op> static void fill(struct gpu *gpu)
{
    using word = typename Op::word;
    using value = typename Op::value;
    size_t rows = range_length(gpu->base.plan.rows), words = gpu->layout.edges[0] / sizeof(word);
    gpuStream_t queue = gpu->queue[BACKEND_BULK];
    fill_kernel<word><<<(unsigned)gpu->processors * 16, THREADS, 0, queue>>>(
        (word *)gpu->memory, words, Op::spread(Op::infinity));
    GPU_CHECK(gpuGetLastError());
    if (rows == 0)
        return;
    diagonal_kernel<value><<<blocks_for(rows), THREADS, 0, queue>>>(
        (value *)gpu->memory, gpu->layout.ld, rows, gpu->base.plan.rows.lo);
    GPU_CHECK(gpuGetLastError());
}

template <class Op> static void lower(struct gpu *gpu, const void *edges, int count)
{
    lower_kernel<Op><<<blocks_for((size_t)count), THREADS, 0, gpu->queue[BACKEND_BULK]>>>(
        (const struct edge *)edges, count, (typename Op::value *)gpu->memory, gpu->layout.ld,
        gpu->base.plan.rows.lo, gpu->upload.parallel);
    GPU_CHECK(gpuGetLastError());
}

struct making {
    void (*fill)(struct gpu *gpu);
    void (*lower)(struct gpu *gpu, const void *edges, int count);
};

template <class... Op> static struct making making_among(op_list<Op...>, enum dtype dtype)
{
    static const struct making makings[] = {{fill<Op>, lower<Op>}...};
    return makings[dtype];
}

static struct making making_of(const struct gpu *gpu)
{
    return making_among(op_sums(), gpu->base.plan.dtype);
}

void gpu_fill(struct gpu *gpu)
{
    making_of(gpu).fill(gpu);
    GPU_CHECK(gpuMemsetAsync(gpu->memory + gpu->layout.parallel, 0, sizeof *gpu->upload.parallel,
                             gpu->queue[BACKEND_BULK]));
}

gpuError_t gpu_upload_open(struct gpu *gpu)
{
    struct gpu_upload *upload = &gpu->upload;
    gpuError_t status = gpuSuccess;
    upload->parallel = (unsigned long long *)(gpu->memory + gpu->layout.parallel);
    for (int b = 0; b < GPU_BUFFERS && status == gpuSuccess; b++) {
        upload->device[b] = gpu->memory + gpu->layout.edges[b];
        status = gpuHostAlloc((void **)&upload->host[b], gpu_edge_bytes);
        if (status == gpuSuccess)
            status = gpuEventCreateWithFlags(&upload->idle[b], gpuEventDisableTiming);
    }
    return status;
}

void gpu_upload_free(struct gpu *gpu)
{
    for (int b = 0; b < GPU_BUFFERS; b++) {
        if (gpu->upload.idle[b])
            GPU_RELEASE(gpuEventDestroy(gpu->upload.idle[b]));
        if (gpu->upload.host[b])
            GPU_RELEASE(gpuHostFree(gpu->upload.host[b]));
    }
}

void gpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *)
{
    struct gpu *gpu = (struct gpu *)backend;
    struct gpu_upload *upload = &gpu->upload;
    gpuStream_t queue = gpu->queue[BACKEND_BULK];
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    for (size_t done = 0; done < count;) {
        const size_t room = GPU_EDGES;
        int b = upload->next, part = (int)(count - done < room ? count - done : room);
        GPU_CHECK(gpuEventSynchronize(upload->idle[b]));
        memcpy(upload->host[b], edges + done, (size_t)part * sizeof *edges);
        GPU_CHECK(gpuMemcpyAsync(upload->device[b], upload->host[b], (size_t)part * sizeof *edges,
                                 gpuMemcpyHostToDevice, queue));
        making_of(gpu).lower(gpu, upload->device[b], part);
        GPU_CHECK(gpuEventRecord(upload->idle[b], queue));
        upload->next = (b + 1) % GPU_BUFFERS;
        done += (size_t)part;
    }
}

void gpu_build_done(struct backend *backend, size_t *parallel)
{
    struct gpu *gpu = (struct gpu *)backend;
    unsigned long long found = 0;
    GPU_CHECK(gpuMemcpyAsync(&found, gpu->upload.parallel, sizeof found, gpuMemcpyDeviceToHost,
                             gpu->queue[BACKEND_BULK]));
    GPU_CHECK(gpuMemsetAsync(gpu->upload.parallel, 0, sizeof found, gpu->queue[BACKEND_BULK]));
    GPU_CHECK(gpuStreamSynchronize(gpu->queue[BACKEND_BULK]));
    *parallel += found;
}
