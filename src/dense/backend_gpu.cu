/*
 * The backend on a GPU, NVIDIA or AMD. One allocation holds the strip, row-major with padded rows,
 * and the panels. The queues are streams; the order between them is kept by events on the device,
 * and the host only enqueues.
 *
 * When no other rank takes part the raw panel is the strip itself, since phase 2 works in place;
 * pick() then has nothing to do.
 */
#include "dense/backend_gpu.h"

/* Up to so many vertices phases are not timed one by one: the events would cost more than they
 * tell. */
enum { TIMED_ABOVE = 5000 };

static double between(gpuEvent_t from, gpuEvent_t to)
{
    float milliseconds = 0;
    GPU_CHECK(gpuEventElapsedTime(&milliseconds, from, to));
    return 1e-3 * milliseconds;
}

/* Adds the oldest span to its sum; its end has passed long ago, or is the end of the rounds. */
static void harvest(struct gpu *gpu)
{
    struct gpu_span *span = &gpu->spans[gpu->span_first % GPU_SPANS];
    GPU_CHECK(gpuEventSynchronize(span->to));
    *span->sum += between(span->from, span->to);
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

static void gpu_after(struct backend *backend, enum backend_queue later, enum backend_queue earlier)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuEventRecord(gpu->order[earlier], gpu->queue[earlier]));
    GPU_CHECK(gpuStreamWaitEvent(gpu->queue[later], gpu->order[earlier], 0));
}

static void harvest_wait(struct gpu *gpu)
{
    struct gpu_wait *wait = &gpu->waits[gpu->wait_first++ % GPU_WAITS];
    gpu->wait_count--;
    for (gpuEvent_t event : {wait->ahead, wait->bulk, wait->arrived})
        GPU_CHECK(gpuEventSynchronize(event));
    double arrived = between(gpu->begun, wait->arrived);
    double ahead = between(gpu->begun, wait->ahead), bulk = between(gpu->begun, wait->bulk);
    double free = ahead > bulk ? ahead : bulk;
    gpu->times.idle += arrived > free ? arrived - free : 0;
}

/* Where `queue` stands is the end of what it does before the next panel is needed. */
static void note_work(struct gpu *gpu, enum backend_queue queue)
{
    struct gpu_wait *wait = &gpu->waits[(gpu->wait_first + gpu->wait_count) % GPU_WAITS];
    if (!gpu_is_alone(gpu))
        GPU_CHECK(
            gpuEventRecord(queue == BACKEND_BULK ? wait->bulk : wait->ahead, gpu->queue[queue]));
}

static void note_arrival(struct gpu *gpu)
{
    if (gpu_is_alone(gpu))
        return;
    GPU_CHECK(gpuEventRecord(gpu->waits[(gpu->wait_first + gpu->wait_count++) % GPU_WAITS].arrived,
                             gpu->queue[BACKEND_AHEAD]));
    if (gpu->wait_count == GPU_WAITS)
        harvest_wait(gpu);
}

static void gpu_begin(struct backend *backend)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    gpu->timed = backend->plan.n > TIMED_ABOVE;
    gpu->times = {};
    gpu_after(backend, BACKEND_AHEAD, BACKEND_BULK);
    GPU_CHECK(gpuEventRecord(gpu->begun, gpu->queue[BACKEND_AHEAD]));
    note_work(gpu, BACKEND_AHEAD);
    note_work(gpu, BACKEND_BULK);
    gpu_sums_begin(gpu);
}

static void gpu_end(struct backend *backend, struct backend_times *times)
{
    struct gpu *gpu = (struct gpu *)backend;
    gpu_after(backend, BACKEND_AHEAD, BACKEND_BULK);
    gpu_after(backend, BACKEND_AHEAD, BACKEND_COPY);
    gpu_sums_end(gpu);
    GPU_CHECK(gpuEventRecord(gpu->ended, gpu->queue[BACKEND_AHEAD]));
    GPU_CHECK(gpuEventSynchronize(gpu->ended));
    gpu_sums_fold(gpu);
    while (gpu->span_count > 0)
        harvest(gpu);
    while (gpu->wait_count > 0)
        harvest_wait(gpu);
    gpu->times.total = between(gpu->begun, gpu->ended);
    *times = gpu->times;
}

static bool owns(const struct gpu *gpu, struct range pivot)
{
    return pivot.lo >= gpu->base.plan.rows.lo && pivot.hi <= gpu->base.plan.rows.hi;
}

static void *gpu_raw(struct backend *backend, int slot)
{
    struct gpu *gpu = (struct gpu *)backend;
    return gpu->panels + gpu->layout.raw[slot];
}

static void gpu_pick(struct backend *backend, int slot, struct range pivot)
{
    struct gpu *gpu = (struct gpu *)backend;
    size_t width = backend->plan.n * gpu->bytes;
    if (gpu_is_alone(gpu))
        return;
    GPU_CHECK(gpuMemcpy2DAsync(gpu_raw(backend, slot), width, gpu_row(gpu, pivot.lo),
                               gpu->layout.ld * gpu->bytes, width, range_length(pivot),
                               gpuMemcpyDeviceToDevice, gpu->queue[BACKEND_AHEAD]));
    gpu_sums_pick(gpu, slot, pivot);
}

static void gpu_copy(struct backend *backend, enum backend_queue queue, void *to, const void *from,
                     size_t bytes)
{
    GPU_CHECK(
        gpuMemcpyAsync(to, from, bytes, gpuMemcpyDefault, ((struct gpu *)backend)->queue[queue]));
}

static void gpu_mark(struct backend *backend, enum backend_queue queue, int number)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuEventRecord(gpu->marks[number], gpu->queue[queue]));
}

static bool gpu_reached(struct backend *backend, int number)
{
    gpuError_t status = gpuEventQuery(((struct gpu *)backend)->marks[number]);
    if (status != gpuErrorNotReady)
        GPU_CHECK(status);
    return status == gpuSuccess;
}

static struct gpu_round round_in(const struct gpu *gpu, int slot)
{
    struct gpu_round round = {};
    round.pivot = gpu->pivot[slot];
    round.first_row = gpu->base.plan.rows.lo;
    round.d = gpu->memory;
    round.ld = gpu->layout.ld;
    round.inside = owns(gpu, round.pivot);
    round.raw =
        gpu_is_alone(gpu) ? gpu_row(gpu, round.pivot.lo) : gpu->panels + gpu->layout.raw[slot];
    round.raw_ld = gpu_is_alone(gpu) ? gpu->layout.ld : gpu->base.plan.n;
    round.closed = gpu->memory + gpu->layout.closed;
    round.row = gpu->memory + gpu->layout.row[slot];
    round.col = gpu->memory + gpu->layout.col[slot];
    round.row_ld = gpu->layout.row_ld;
    round.col_ld = gpu->layout.col_ld;
    round.depth = gpu->layout.depth;
    round.raw_in_d = gpu_is_alone(gpu);
    round.sums = gpu->sums.device ? gpu->sums.device + gpu->sums.round[slot] * GPU_SUM_SLOTS : NULL;
    return round;
}

static void gpu_close(struct backend *backend, int slot, struct range pivot,
                      const struct ranges *rows, const struct ranges *cols)
{
    struct gpu *gpu = (struct gpu *)backend;
    gpuStream_t queue = gpu->queue[BACKEND_AHEAD];
    gpu->pivot[slot] = pivot;
    note_arrival(gpu);
    gpu_sums_close(gpu, slot);
    struct gpu_round round = round_in(gpu, slot);
    struct gpu_span *span = span_start(gpu, BACKEND_AHEAD, &gpu->times.close);
    gpu->kernels.close(&round, queue);
    span_stop(gpu, BACKEND_AHEAD, span);
    span = span_start(gpu, BACKEND_AHEAD, &gpu->times.panels);
    gpu->kernels.panels(&round, rows, cols, queue);
    span_stop(gpu, BACKEND_AHEAD, span);
}

static void gpu_relax(struct backend *backend, enum backend_queue queue, int slot,
                      const struct ranges *rows, const struct ranges *cols)
{
    struct gpu *gpu = (struct gpu *)backend;
    struct gpu_round round = round_in(gpu, slot);
    struct gpu_span *span = queue == BACKEND_BULK ? span_start(gpu, queue, &gpu->times.bulk) : NULL;
    gpu->kernels.relax(&round, rows, cols, gpu->processors, gpu->queue[queue]);
    span_stop(gpu, queue, span);
    note_work(gpu, queue);
    if (queue == BACKEND_BULK)
        gpu_sums_panels(gpu, slot);
}

static const struct strip_ops gpu_strip = {
    .tile = gpu_tile,
    .tile_max = GPU_TILE_MAX,
    .need = gpu_need,
    .rate = gpu_rate,
    .describe = gpu_describe,
    .open = gpu_open,
    .free = gpu_free,
    .build = gpu_build,
    .build_done = gpu_build_done,
    .potentials = gpu_potentials,
    .fetch = gpu_fetch,
    .fetch_copies = gpu_fetch_copies,
    .fetch_rows = gpu_fetch_rows,
};

static const struct round_ops gpu_rounds = {
    .begin = gpu_begin,
    .end = gpu_end,
    .after = gpu_after,
    .pick = gpu_pick,
    .close = gpu_close,
    .relax = gpu_relax,
    .sums = gpu_sums_found,
    .area = gpu_area,
};

static const struct panel_ops gpu_panel = {
    .on_host = false,
    .raw = gpu_raw,
    .copy = gpu_copy,
    .mark = gpu_mark,
    .reached = gpu_reached,
    .pin = gpu_pin,
    .unpin = gpu_unpin,
};

extern "C" const struct backend_ops backend_gpu = {
    .name = "gpu",
    .device = &device_gpu,
    .strip = &gpu_strip,
    .round = &gpu_rounds,
    .panel = &gpu_panel,
};
