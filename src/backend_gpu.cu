/*
 * The backend on a GPU, NVIDIA or AMD. One allocation holds the strip, row-major with padded rows, and the
 * panels. The two queues are two streams; the order between them is kept by events on the device, and the
 * host only enqueues.
 *
 * When no other rank takes part the raw panel is the strip itself, since phase 2 works in place; pick() then
 * has nothing to do.
 */
#include "backend_gpu.h"

extern "C" const struct backend_ops backend_gpu;

/* Up to so many vertices phases are not timed one by one: the events would cost more than they tell. */
enum { TIMED_ABOVE = 5000 };

/* Adds the oldest span to its sum; its end has passed long ago, or is the end of the rounds. */
static void harvest(struct gpu *gpu)
{
    struct gpu_span *span = &gpu->spans[gpu->span_first % GPU_SPANS];
    float milliseconds = 0;
    GPU_CHECK(gpuEventSynchronize(span->to));
    GPU_CHECK(gpuEventElapsedTime(&milliseconds, span->from, span->to));
    *span->sum += 1e-3 * milliseconds;
    gpu->span_first++;
    gpu->span_count--;
}

static struct gpu_span *span_start(struct gpu *gpu, enum backend_queue queue, double *sum)
{
    if (!gpu->timed)
        return NULL;
    if (gpu->span_count == GPU_SPANS)
        harvest(gpu);
    struct gpu_span *span = &gpu->spans[(gpu->span_first + gpu->span_count++) % GPU_SPANS];
    span->sum = sum;
    GPU_CHECK(gpuEventRecord(span->from, gpu->queue[queue]));
    return span;
}

static void span_stop(struct gpu *gpu, enum backend_queue queue, struct gpu_span *span)
{
    if (span)
        GPU_CHECK(gpuEventRecord(span->to, gpu->queue[queue]));
}

static void gpu_after(struct backend *backend, enum backend_queue queue)
{
    struct gpu *gpu = (struct gpu *)backend;
    enum backend_queue other = queue == BACKEND_BULK ? BACKEND_AHEAD : BACKEND_BULK;
    GPU_CHECK(gpuEventRecord(gpu->mark[other], gpu->queue[other]));
    GPU_CHECK(gpuStreamWaitEvent(gpu->queue[queue], gpu->mark[other], 0));
}

static void gpu_begin(struct backend *backend, bool single)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    gpu->single = single;
    gpu->timed = backend->plan.n > TIMED_ABOVE;
    gpu->times = {};
    gpu_after(backend, BACKEND_AHEAD);
    GPU_CHECK(gpuEventRecord(gpu->begun, gpu->queue[BACKEND_AHEAD]));
}

static void gpu_end(struct backend *backend, struct backend_times *times)
{
    struct gpu *gpu = (struct gpu *)backend;
    float milliseconds = 0;
    gpu_after(backend, BACKEND_AHEAD);
    GPU_CHECK(gpuEventRecord(gpu->ended, gpu->queue[BACKEND_AHEAD]));
    GPU_CHECK(gpuEventSynchronize(gpu->ended));
    while (gpu->span_count > 0)
        harvest(gpu);
    GPU_CHECK(gpuEventElapsedTime(&milliseconds, gpu->begun, gpu->ended));
    gpu->times.total = 1e-3 * milliseconds;
    if (!gpu->single)
        gpu->times.idle = gpu->times.total - gpu->times.bulk;
    *times = gpu->times;
}

static bool owns(const struct gpu *gpu, struct range pivot)
{
    return pivot.lo >= gpu->base.plan.rows.lo && pivot.hi <= gpu->base.plan.rows.hi;
}

/* D from the row that this rank's strip would call `row`. */
static void *row_of(const struct gpu *gpu, size_t row)
{
    return gpu->memory + (row - gpu->base.plan.rows.lo) * gpu->layout.ld * gpu->bytes;
}

static void gpu_pick(struct backend *backend, int slot, struct range pivot)
{
    struct gpu *gpu = (struct gpu *)backend;
    size_t width = backend->plan.n * gpu->bytes;
    if (!gpu->single)
        GPU_CHECK(gpuMemcpy2DAsync(gpu->memory + gpu->layout.raw[slot], width, row_of(gpu, pivot.lo),
                                   gpu->layout.ld * gpu->bytes, width, range_length(pivot),
                                   gpuMemcpyDeviceToDevice, gpu->queue[BACKEND_AHEAD]));
}

static void *gpu_raw(struct backend *backend, int slot)
{
    struct gpu *gpu = (struct gpu *)backend;
    return gpu->memory + gpu->layout.raw[slot];
}

static bool gpu_on_host(const struct backend *backend)
{
    (void)backend;
    return false;
}

static struct gpu_round round_in(const struct gpu *gpu, int slot)
{
    struct gpu_round round = {};
    round.pivot = gpu->pivot[slot];
    round.first_row = gpu->base.plan.rows.lo;
    round.d = gpu->memory;
    round.ld = gpu->layout.ld;
    round.owned = owns(gpu, round.pivot);
    round.raw = gpu->single ? row_of(gpu, round.pivot.lo) : gpu->memory + gpu->layout.raw[slot];
    round.raw_ld = gpu->single ? gpu->layout.ld : gpu->base.plan.n;
    round.closed = gpu->memory + gpu->layout.closed;
    round.row = gpu->memory + gpu->layout.row[slot];
    round.col = gpu->memory + gpu->layout.col[slot];
    round.row_ld = gpu->layout.row_ld;
    round.col_ld = gpu->layout.col_ld;
    round.depth = gpu->layout.depth;
    return round;
}

static void gpu_close(struct backend *backend, int slot, struct range pivot, const struct ranges *rows,
                      const struct ranges *cols)
{
    struct gpu *gpu = (struct gpu *)backend;
    gpuStream_t queue = gpu->queue[BACKEND_AHEAD];
    gpu->pivot[slot] = pivot;
    struct gpu_round round = round_in(gpu, slot);
    struct gpu_span *span = span_start(gpu, BACKEND_AHEAD, &gpu->times.close);
    gpu->kernels.close(&round, queue);
    span_stop(gpu, BACKEND_AHEAD, span);
    span = span_start(gpu, BACKEND_AHEAD, &gpu->times.panels);
    gpu->kernels.panels(&round, rows, cols, queue);
    span_stop(gpu, BACKEND_AHEAD, span);
}

static void gpu_relax(struct backend *backend, enum backend_queue queue, int slot, const struct ranges *rows,
                      const struct ranges *cols)
{
    struct gpu *gpu = (struct gpu *)backend;
    struct gpu_round round = round_in(gpu, slot);
    struct gpu_span *span = queue == BACKEND_BULK ? span_start(gpu, queue, &gpu->times.bulk) : NULL;
    gpu->kernels.relax(&round, rows, cols, gpu->processors, gpu->queue[queue]);
    span_stop(gpu, queue, span);
}

static const void *gpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
                             size_t *stride)
{
    struct gpu *gpu = (struct gpu *)backend;
    size_t width = backend->plan.n * gpu->bytes;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    GPU_CHECK(gpuMemcpy2DAsync(buffer, width, row_of(gpu, rows.lo), gpu->layout.ld * gpu->bytes, width,
                               range_length(rows), gpuMemcpyDeviceToHost, gpu->lane[lane]));
    GPU_CHECK(gpuStreamSynchronize(gpu->lane[lane]));
    *stride = backend->plan.n;
    return buffer;
}

extern "C" const struct backend_ops backend_gpu = {
    .name = "gpu",
    .devices = gpu_devices,
    .start = gpu_start,
    .tile = gpu_tile,
    .need = gpu_need,
    .rate = gpu_rate,
    .describe = gpu_describe,
    .open = gpu_open,
    .free = gpu_free,
    .build = gpu_build,
    .build_done = gpu_build_done,
    .begin = gpu_begin,
    .end = gpu_end,
    .after = gpu_after,
    .pick = gpu_pick,
    .raw = gpu_raw,
    .on_host = gpu_on_host,
    .close = gpu_close,
    .relax = gpu_relax,
    .fetch = gpu_fetch,
    .fetch_copies = true,
    .host_alloc = gpu_host_alloc,
    .host_free = gpu_host_free,
};
