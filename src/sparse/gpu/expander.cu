/*
 * Rows by a GPU: groups of sources in batches. While the host has one batch, the next one is under
 * way; of counts nothing else leaves the device. Rows are written group by group in the order of
 * positions, and transposed a chunk at a time on their way to the worker that asks for them.
 */
#include "sparse/gpu/expander.h"

#include "rows/gpu/convert.h"
#include "rows/gpu/turn.h"

#include <cstdlib>
#include <cstring>

namespace
{

enum { PASSING_LANES = 4 }; /* they keep both the copies and a file busy */
static_assert((int)WALK_ROW == (int)GPU_TURN_ROW, "rows are transposed as they are made");

/* Relaxations a clock of each multiprocessor: of u16, i32 and i64 on a grid with gaps, on an H200;
 * of the others, and of maxima, by the share of their ceilings that these reach. */
double rate(const struct engine_task *task)
{
    static const double per_clock[COMBINES][DTYPE_COUNT] = {{53, 30, 5, 27, 10},
                                                            {35, 20, 7, 19, 7}};
    int processors = 0, kilohertz = 0, number = task->device->number;
    if (gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, number) != gpuSuccess ||
        gpuDeviceGetAttribute(&kilohertz, gpuAttributeClock, number) != gpuSuccess) {
        (void)gpuGetLastError();
        return 1e12;
    }
    return per_clock[task->combine][task->dtype] * processors * kilohertz * 1e3;
}

/* The host eliminates, at half its rate of rows. The device closes cores, at twice its rate of
 * rows, but where a core is in question their paths are long, and many rows far. */
struct core_cost cost(const struct engine_task *task)
{
    const double dense = 2 * rate(task), pair = 3e-9; /* seconds */
    return {2 * dense / expander_cpu.rate(task), 4, pair * dense};
}

int lanes(const struct engine_task *, unsigned counts, int working, size_t)
{
    return counts                     ? 1
           : working == 0             ? PASSING_LANES
           : working < EXPANDER_LANES ? working
                                      : EXPANDER_LANES;
}

const char *describe(const struct expander *expander)
{
    return ((const struct gpu_expander *)expander)->text;
}

/* The device has come to the end of the batch. */
void add_times(struct gpu_expander *gpu, const struct gpu_batch *batch)
{
    float up = 0, down = 0;
    GPU_CHECK(gpuEventElapsedTime(&up, batch->begun, batch->swept));
    GPU_CHECK(gpuEventElapsedTime(&down, batch->swept, batch->done));
    gpu->times.up += 1e-3 * (double)up;
    gpu->times.down += 1e-3 * (double)down;
}

int start(struct expander *expander, struct apsp_error *error)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    const struct engine_task *task = expander->task;
    if (gpu_expander_take(gpu, error))
        return error->code;
    GPU_CHECK(
        gpuStreamSynchronize(gpu->stream)); /* a pass that has paused may have left batches there */
    gpu->current = gpu->next_turn = 0;
    gpu->times = {};
    memset(gpu->stamp, 0, gpu->tree->nodes * sizeof *gpu->stamp);
    for (struct gpu_batch &batch : gpu->batch) {
        batch.launched = false;
        batch.left = 0;
    }
    if (task->shifted && !expander->request.counts)
        GPU_CHECK(gpuMemcpyAsync(gpu->making.potentials, task->potential->h,
                                 task->n * sizeof(int64_t), gpuMemcpyHostToDevice, gpu->stream));
    return APSP_OK;
}

/* Rows of the batch's sources: where they stand in the list of all. */
const uint32_t *sources_of(const struct gpu_expander *gpu, size_t turn)
{
    size_t first;
    (void)expander_group(&gpu->base, gpu->base.request.sources, turn, &first);
    return gpu->base.request.source + first;
}

/* With several ranks the sources of a batch are not side by side: blocks are groups then. */
bool next_counts(struct gpu_expander *gpu, struct block *block)
{
    struct gpu_batch *batch = &gpu->batch[gpu->current % EXPANDER_BATCHES];
    const size_t width = walk_width(gpu->base.task->dtype);
    if (!batch->launched && !gpu_expander_launch(gpu, batch))
        return false;
    if (batch->taken == 0) {
        struct gpu_batch *other = &gpu->batch[(gpu->current + 1) % EXPANDER_BATCHES];
        (void)gpu_expander_launch(gpu, other);
        GPU_CHECK(gpuEventSynchronize(batch->fetched));
        add_times(gpu, batch);
        for (size_t s = 0; s < batch->sources; s++)
            gpu->counts[s] = {.reached = batch->host.group[s / width].near - batch->host.lost[s],
                              .most = {.whole = batch->host.most[s]},
                              .sum = {.whole = batch->host.sum[s]},
                              .harmonic = 0,
                              .high = 0};
    }
    size_t at = batch->taken++ * width;
    *block = {};
    block->n = gpu->base.task->n;
    block->count = batch->sources - at < width ? batch->sources - at : width;
    block->source = sources_of(gpu, batch->turn + at / width);
    block->dtype = gpu->base.task->output;
    block->counts = gpu->counts + at;
    if (batch->taken == batch->groups) {
        batch->launched = false;
        gpu->current++;
    }
    return true;
}

/* A chunk of a group whose rows are on the device, or will be. */
struct chunk {
    struct gpu_batch *batch;
    size_t group;      /* of the batch */
    struct range rows; /* of the group */
};

/* The next chunk; another batch begins as soon as the content of its memory is no longer needed. */
bool take_chunk(struct gpu_expander *gpu, struct chunk *chunk)
{
    const size_t width = walk_width(gpu->base.task->dtype);
    for (;;) {
        struct gpu_batch *batch = &gpu->batch[gpu->current % EXPANDER_BATCHES],
                         *other = &gpu->batch[(gpu->current + 1) % EXPANDER_BATCHES];
        if (!batch->launched && !gpu_expander_launch(gpu, batch))
            return false;
        if (!other->launched && other->left == 0)
            (void)gpu_expander_launch(gpu, other);
        if (batch->taken < batch->groups * gpu->chunks) {
            size_t lo = batch->taken % gpu->chunks * gpu->step, hi = lo + gpu->step;
            chunk->batch = batch;
            chunk->group = batch->taken++ / gpu->chunks;
            chunk->rows = {lo, hi < width ? hi : width};
            return true;
        }
        size_t current = gpu->current;
        while (gpu->current == current && !other->launched && other->left > 0)
            pthread_cond_wait(&gpu->moved, &gpu->lock);
        if (gpu->current == current) {
            batch->launched = false;
            gpu->current++;
        }
    }
}

void leave_chunk(struct gpu_expander *gpu, const struct chunk *chunk)
{
    pthread_mutex_lock(&gpu->lock);
    if (--chunk->batch->left == 0) {
        add_times(gpu, chunk->batch);
        pthread_cond_broadcast(&gpu->moved);
    }
    pthread_mutex_unlock(&gpu->lock);
}

/* A worker's next rows that there are sources for. */
bool next_chunk(struct gpu_expander *gpu, struct chunk *chunk, const uint32_t **source,
                size_t *count)
{
    size_t first;
    for (;;) {
        pthread_mutex_lock(&gpu->lock);
        bool found = take_chunk(gpu, chunk);
        pthread_mutex_unlock(&gpu->lock);
        if (!found)
            return false;
        *count = expander_group(&gpu->base, gpu->base.request.sources,
                                chunk->batch->turn + chunk->group, &first);
        *source = gpu->base.request.source + first + chunk->rows.lo;
        *count = *count > chunk->rows.lo ? *count - chunk->rows.lo : 0;
        if (*count > range_length(chunk->rows))
            *count = range_length(chunk->rows);
        if (*count > 0)
            return true;
        leave_chunk(gpu, chunk);
    }
}

/* Rows as they are given out, from the worker's transposed ones: with potentials each by itself,
 * since it takes its own off. */
void convert(struct gpu_expander *gpu, int lane, const uint32_t *source, size_t count)
{
    const struct engine_task *task = gpu->base.task;
    const size_t from = dtype_info[task->dtype].bytes, to = dtype_info[task->output].bytes,
                 stride = gpu_expander_stride(task), step = task->shifted ? 1 : count;
    const struct conversion conversion = {task->dtype, task->output, task->n,
                                          task->shifted ? gpu->making.potentials : NULL, NULL};
    for (size_t r = 0; r < count; r += step)
        gpu_convert(&conversion, {source[r], source[r] + step},
                    gpu->making.transposed[lane] + r * stride * from, stride,
                    gpu->making.converted[lane] + r * stride * to, stride, gpu->lane[lane].stream);
}

bool next_rows(struct gpu_expander *gpu, int lane, struct block *block, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    const size_t width = walk_width(task->dtype), bytes = dtype_info[task->output].bytes;
    struct chunk chunk;
    size_t count;
    const uint32_t *source;
    GPU_CHECK(gpuSetDevice(task->device->number));
    if ((gpu->base.request.on_host && !gpu_expander_lane(gpu, lane, error)) ||
        !next_chunk(gpu, &chunk, &source, &count))
        return false;
    const gpuStream_t stream = gpu->lane[lane].stream;
    const size_t stride = gpu_expander_stride(task), lo = chunk.group * width + chunk.rows.lo;
    const struct gpu_turn turn = {chunk.batch->rows,
                                  task->n,
                                  dtype_info[task->dtype].bytes,
                                  gpu->held.position,
                                  gpu->making.transposed[lane],
                                  NULL,
                                  stride};
    GPU_CHECK(gpuStreamWaitEvent(stream, chunk.batch->done, 0));
    gpu_turn(&turn, {lo, lo + count}, stream);
    if (gpu_expander_converts(task))
        convert(gpu, lane, source, count);
    const char *made =
        gpu_expander_converts(task) ? gpu->making.converted[lane] : gpu->making.transposed[lane];
    if (gpu->base.request.on_host)
        GPU_CHECK(gpuMemcpyAsync(gpu->lane[lane].buffer, made, count * stride * bytes,
                                 gpuMemcpyDeviceToHost, stream));
    GPU_CHECK(gpuStreamSynchronize(stream));
    leave_chunk(gpu, &chunk);
    *block = {};
    block->n = task->n;
    block->count = count;
    block->source = source;
    block->dtype = task->output;
    block->values = gpu->base.request.on_host ? gpu->lane[lane].buffer : NULL;
    block->stride = block->device_stride = stride;
    block->device = made;
    return true;
}

bool next(struct expander *expander, int lane, struct block *block, struct apsp_error *error)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    GPU_CHECK(gpuSetDevice(expander->task->device->number));
    return gpu->base.request.counts ? next_counts(gpu, block) : next_rows(gpu, lane, block, error);
}

} // namespace

static void times_of(const struct expander *expander, struct expander_times *times)
{
    *times = ((const struct gpu_expander *)expander)->times;
}

static size_t width_of(enum dtype dtype)
{
    return walk_width(dtype);
}

extern "C" const struct expander_ops expander_gpu = {
    .device = &device_gpu,
    .counts = APSP_STATS_OUT,
    .width = width_of,
    .cuts = false,
    .sides = false,
    .rate = rate,
    .cost = cost,
    .lanes = lanes,
    .need = gpu_expander_need,
    .describe = describe,
    .open = gpu_expander_open,
    .fill = gpu_expander_fill,
    .start = start,
    .next = next,
    .times = times_of,
    .free = gpu_expander_free,
};
