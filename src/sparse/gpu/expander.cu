/*
 * Rows by a GPU: groups of sources in batches. While the host has one batch, the next one is under
 * way; of counts nothing else leaves the device. Rows are written group by group in the order of
 * positions, and transposed a chunk at a time on their way to the worker that asks for them.
 */
#include "sparse/gpu/expander.h"

#include "rows/gpu/convert.h"

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
    return per_clock[task->combine][task->dtype] * gpu_cycles(task->device->number);
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

/* Once the device has come to the end of the batch. */
void add_times(struct gpu_expander *gpu, const struct gpu_batch *batch)
{
    float up = 0, down = 0;
    GPU_CHECK(gpuEventSynchronize(batch->done));
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
    return gpu_expander_half_start(gpu, error);
}

/* Rows of the batch's sources: where they stand in the list of all. */
const uint32_t *sources_of(const struct gpu_expander *gpu, size_t turn)
{
    size_t first;
    (void)expander_group(&gpu->base, gpu->base.request.sources, turn, &first);
    return gpu->base.request.source + first;
}

/* The vertices of the row of the batch's source, or of its half, that may be reached. */
uint32_t vertices_of(const struct gpu_expander *gpu, const struct gpu_batch *batch, size_t source)
{
    const size_t width = walk_width(gpu->base.task->dtype);
    const struct walk_group *group = &batch->host.group[source / width];
    return gpu->half ? group->low + (uint32_t)(source % width) - group->least + 1 : group->near;
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
        for (size_t g = 0; gpu->half && g < batch->groups; g++)
            gpu_expander_half_group(gpu, &batch->host.group[g]);
        for (size_t s = 0; s < batch->sources; s++)
            gpu->counts[s] = {.reached = vertices_of(gpu, batch, s) - batch->host.lost[s],
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
    block->half = gpu->half != NULL;
    if (batch->taken == batch->groups) {
        batch->launched = false;
        gpu->current++;
    }
    return true;
}

/* The next chunk; another batch begins as soon as the content of its memory is no longer needed. */
bool take_chunk(struct gpu_expander *gpu, struct gpu_chunk *chunk)
{
    const size_t whole = gpu->span * walk_width(gpu->base.task->dtype);
    for (;;) {
        struct gpu_batch *batch = &gpu->batch[gpu->current % EXPANDER_BATCHES],
                         *other = &gpu->batch[(gpu->current + 1) % EXPANDER_BATCHES];
        if (!batch->launched && !gpu_expander_launch(gpu, batch))
            return false;
        if (!other->launched && other->left == 0)
            (void)gpu_expander_launch(gpu, other);
        if (batch->taken < gpu_expander_chunks(gpu, batch)) {
            const size_t span = batch->taken / gpu->chunks * whole,
                         lo = span + batch->taken++ % gpu->chunks * gpu->step;
            chunk->batch = batch;
            chunk->rows = {lo, size_min(lo + gpu->step, span + whole)};
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

/* If there is one. */
void leave_chunk(struct gpu_expander *gpu, struct gpu_chunk *chunk)
{
    if (!chunk->batch)
        return;
    pthread_mutex_lock(&gpu->lock);
    if (--chunk->batch->left == 0) {
        add_times(gpu, chunk->batch);
        pthread_cond_broadcast(&gpu->moved);
    }
    pthread_mutex_unlock(&gpu->lock);
    chunk->batch = NULL;
}

/* A worker's next rows that there are sources for. */
bool next_chunk(struct gpu_expander *gpu, struct gpu_chunk *chunk, const uint32_t **source,
                size_t *count)
{
    const size_t width = walk_width(gpu->base.task->dtype);
    for (;;) {
        pthread_mutex_lock(&gpu->lock);
        bool found = take_chunk(gpu, chunk);
        pthread_mutex_unlock(&gpu->lock);
        if (!found)
            return false;
        chunk->rows.hi = size_min(chunk->rows.hi, chunk->batch->sources);
        if (chunk->rows.lo < chunk->rows.hi) {
            *source = sources_of(gpu, chunk->batch->turn + chunk->rows.lo / width) +
                      chunk->rows.lo % width;
            *count = range_length(chunk->rows);
            return true;
        }
        leave_chunk(gpu, chunk);
    }
}

/* From the worker's transposed rows; each by itself, since it takes its own potential off. */
void take_off_potentials(struct gpu_expander *gpu, int lane, const uint32_t *source, size_t count)
{
    const struct engine_task *task = gpu->base.task;
    const size_t from = dtype_info[task->dtype].bytes, to = dtype_info[task->output].bytes,
                 stride = gpu_expander_stride(task);
    const struct conversion conversion = {task->dtype, task->output, task->n,
                                          gpu->making.potentials, NULL};
    for (size_t r = 0; r < count; r++)
        gpu_convert(&conversion, {source[r], source[r] + 1},
                    gpu->making.transposed[lane] + r * stride * from, stride,
                    gpu->making.given[lane] + r * stride * to, stride, gpu->lane[lane].stream);
}

/* The rows of the worker's block, one after the other. */
void turn_rows(struct gpu_expander *gpu, int number, struct block *block)
{
    const struct engine_task *task = gpu->base.task;
    struct gpu_lane *lane = &gpu->lane[number];
    char *given = gpu->making.given[number];
    const size_t stride = gpu_expander_stride(task), bytes = dtype_info[task->output].bytes;
    const struct gpu_turned turned = {task->shifted ? task->dtype : task->output,
                                      task->shifted,
                                      1,
                                      NULL,
                                      task->n,
                                      task->shifted ? gpu->making.transposed[number] : given,
                                      stride,
                                      NULL};
    gpu_turn(&lane->turn, &turned);
    if (task->shifted)
        take_off_potentials(gpu, number, block->source, block->count);
    if (gpu->base.request.on_host)
        GPU_CHECK(gpuMemcpyAsync(lane->buffer, given, block->count * stride * bytes,
                                 gpuMemcpyDeviceToHost, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    block->values = gpu->base.request.on_host ? lane->buffer : NULL;
    block->stride = block->device_stride = stride;
    block->device = given;
}

/* The memory of a worker that the device copies to. It takes time to get, so all workers get theirs
 * at the same time. */
bool take_buffer(struct gpu_expander *gpu, int lane, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    void **buffer = &gpu->lane[lane].buffer;
    size_t bytes = gpu->step * gpu_expander_stride(task) * dtype_info[task->output].bytes;
    if (*buffer || gpuHostAlloc(buffer, bytes) == gpuSuccess)
        return true;
    (void)gpuGetLastError();
    *buffer = NULL;
    error_set(error, APSP_MEMORY, "no memory for a buffer of %zu bytes for rows on host %s", bytes,
              task->comm->host);
    return false;
}

bool next_rows(struct gpu_expander *gpu, int number, struct block *block, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    struct gpu_lane *lane = &gpu->lane[number];
    struct gpu_chunk *chunk = &lane->chunk;
    leave_chunk(gpu, chunk);
    *block = {};
    if ((gpu->base.request.on_host && !take_buffer(gpu, number, error)) ||
        !next_chunk(gpu, chunk, &block->source, &block->count))
        return false;
    lane->turn = {chunk->batch->rows, task->n,     task->dtype,
                  gpu->held.position, chunk->rows, lane->stream};
    GPU_CHECK(gpuStreamWaitEvent(lane->stream, chunk->batch->done, 0));
    block->n = task->n;
    block->dtype = task->output;
    if (gpu_expander_places(task, gpu->base.request.places)) {
        block->turn = &lane->turn;
        return true;
    }
    turn_rows(gpu, number, block);
    leave_chunk(gpu, chunk);
    return true;
}

void end(struct expander *expander, int lane)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    leave_chunk(gpu, &gpu->lane[lane].chunk);
    gpu_expander_half_end(gpu);
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
    .end = end,
    .times = times_of,
    .free = gpu_expander_free,
};
