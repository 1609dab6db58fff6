/*
 * Rows of distances on their way to the host. Where the type or potentials ask for it, they are converted to
 * the output type on the device, a stage at a time; the copies take far longer than that.
 */
#include "dense/backend_gpu.h"

#include "kernels/gpu/op.cuh"

enum { THREADS = 256 };

/* out[i][j] = d[i][j] - h[first + i] + h[j]; a block takes a piece of one row. */
template <class Op, class To, class Sum>
static __global__ void convert_kernel(const typename Op::value *d, size_t ld, To *out, size_t n, To infinity,
                                      const Sum *h, size_t first)
{
    size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n)
        return;
    typename Op::value v = d[i * ld + j];
    out[i * n + j] = v == Op::infinity ? infinity : (To)(h ? (Sum)v - h[first + i] + h[j] : (Sum)v);
}

struct conversion {
    const void *from;
    size_t ld;
    void *to;
    size_t n;
    const void *h;
    struct range rows;
};

template <class Op, class Out, class Sum> static void convert(const struct conversion *c, gpuStream_t stream)
{
    using to = typename Out::value;
    dim3 grid((unsigned)((c->n + THREADS - 1) / THREADS), (unsigned)range_length(c->rows));
    convert_kernel<Op, to, Sum><<<grid, THREADS, 0, stream>>>((const typename Op::value *)c->from, c->ld,
                                                              (to *)c->to, c->n, Out::infinity,
                                                              (const Sum *)c->h, c->rows.lo);
    GPU_CHECK(gpuGetLastError());
}

static void convert_any(enum dtype dtype, const struct conversion *conversion, gpuStream_t stream)
{
    static void (*const table[])(const struct conversion *, gpuStream_t) = {
        convert<op_u16, op_i32, int64_t>, convert<op_i32, op_i32, int64_t>, convert<op_i64, op_i64, int64_t>,
        convert<op_f32, op_f32, double>, convert<op_f64, op_f64, double>};
    static_assert(sizeof table / sizeof *table == DTYPE_COUNT, "in the order of enum dtype");
    table[dtype](conversion, stream);
}

bool gpu_converts(const struct backend_plan *plan)
{
    return plan->shifted || dtype_info[plan->dtype].output != plan->dtype;
}

bool gpu_fetch_copies(const struct backend_plan *)
{
    return true;
}

void gpu_potentials(struct backend *backend, const void *h)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    GPU_CHECK(gpuMemcpyAsync(gpu->memory + gpu->layout.potentials, h, backend->plan.n * sizeof(int64_t),
                             gpuMemcpyHostToDevice, gpu->queue[BACKEND_BULK]));
    GPU_CHECK(gpuStreamSynchronize(gpu->queue[BACKEND_BULK]));
    gpu->shifted = true;
}

static void fetch_converted(struct gpu *gpu, int lane, struct range rows, char *buffer)
{
    const struct backend_plan *plan = &gpu->base.plan;
    size_t row_bytes = plan->n * dtype_info[dtype_info[plan->dtype].output].bytes;
    struct conversion part = {};
    part.ld = gpu->layout.ld;
    part.to = gpu->memory + gpu->layout.stage[lane];
    part.n = plan->n;
    part.h = gpu->shifted ? gpu->memory + gpu->layout.potentials : NULL;
    for (size_t row = rows.lo; row < rows.hi; row = part.rows.hi) {
        size_t left = rows.hi - row;
        part.rows = {row, row + (left < gpu->layout.stage_rows ? left : gpu->layout.stage_rows)};
        part.from = gpu_row(gpu, row);
        convert_any(plan->dtype, &part, gpu->lane[lane]);
        GPU_CHECK(gpuMemcpyAsync(buffer + (row - rows.lo) * row_bytes, part.to,
                                 range_length(part.rows) * row_bytes, gpuMemcpyDeviceToHost,
                                 gpu->lane[lane]));
    }
}

const void *gpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer, size_t *stride)
{
    struct gpu *gpu = (struct gpu *)backend;
    size_t width = backend->plan.n * gpu->bytes;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    if (gpu_converts(&backend->plan))
        fetch_converted(gpu, lane, rows, (char *)buffer);
    else
        GPU_CHECK(gpuMemcpy2DAsync(buffer, width, gpu_row(gpu, rows.lo), gpu->layout.ld * gpu->bytes, width,
                                   range_length(rows), gpuMemcpyDeviceToHost, gpu->lane[lane]));
    GPU_CHECK(gpuStreamSynchronize(gpu->lane[lane]));
    *stride = backend->plan.n;
    return buffer;
}
