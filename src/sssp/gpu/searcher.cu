/*
 * Rows by a GPU. A lane has a batch of sources under way on a stream of its own: it enqueues as
 * many levels as the last batch had, and then looks; meanwhile other lanes' batches fill the
 * device. Of counts nothing leaves the device but what each source comes to in each level.
 */
#include "sssp/gpu/searcher.h"

#include "sssp/gpu/levels.h"

#include <algorithm>

namespace
{

constexpr size_t AHEAD = 8, /* levels of the first batch, and */
    AHEAD_MOST = GPU_WAVES_AHEAD;

/* Arcs times sources a second of each multiprocessor; measured on an H100. */
const double bits_rate = 5e12 / 132;

bool serves(const struct searcher_case *its)
{
    return its->weights->equal && !its->alone && its->task->n < UINT32_MAX / 2;
}

unsigned counts(const struct searcher_case *its)
{
    return its->counts;
}

size_t parallel(const struct searcher_case *)
{
    return 1;
}

int lanes(const struct searcher_case *its, int, size_t group)
{
    return gpu_searcher_lanes(its, group);
}

double rate(const struct searcher_case *its, int)
{
    int processors = 0;
    if (gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, its->task->device->number) !=
        gpuSuccess) {
        (void)gpuGetLastError();
        processors = 1;
    }
    return bits_rate * processors;
}

const char *describe(const struct searcher *searcher)
{
    return ((const struct gpu_searcher *)searcher)->text;
}

int start(struct searcher *searcher, const struct searcher_request *request,
          struct apsp_error *error)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)searcher;
    const struct searcher_case its = {searcher->task,  searcher->weights, request->sources,
                                      request->counts, searcher->alone,   request->on_host};
    const struct gpu_shape shape = gpu_shape_of(&its, searcher->group, request->columns);
    gpu->request = *request;
    gpu->turn = 0;
    for (struct gpu_lane &lane : gpu->lane)
        lane.count = lane.at = 0;
    return gpu_searcher_take(gpu, &shape, error);
}

/* Adds pairs to the bin of their distance, at most so many at a time as a bin holds. */
bool add_pairs(const struct gpu_searcher *gpu, int number, size_t level, size_t pairs,
               struct apsp_error *error)
{
    const struct count_target *target = &gpu->request.histogram;
    const int64_t bin = (int64_t)level * gpu->base.weights->unit.whole >> target->bins.shift;
    while (gpu->request.counts & APSP_STATS_HISTOGRAM && pairs > 0) {
        const size_t more = pairs < INT32_MAX ? pairs : INT32_MAX;
        uint32_t *bins = target->pairs(target->self, number, more);
        if (!bins)
            return !error_set(error, APSP_MEMORY, "no memory for a histogram");
        bins[bin] += (uint32_t)more;
        pairs -= more;
    }
    return true;
}

/* What the sources have come to in level number k of the chunk. Returns the pairs. */
size_t add_level(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t level, size_t k)
{
    const size_t row = gpu->shape.row;
    const uint32_t *got = lane->seen.counts->got + k * row * GPU_WAVES_WORD;
    const double reciprocal = gpu->request.counts & APSP_STATS_HARMONIC ? 1 / (double)level : 0;
    size_t pairs = 0;
    for (size_t bit = 0; bit < GPU_WAVES_WORD; bit++, got += row)
        for (size_t word = 0; word * GPU_WAVES_WORD + bit < lane->count; word++) {
            struct row_counts *counts = &lane->counts[word * GPU_WAVES_WORD + bit];
            if (got[word] == 0)
                continue;
            pairs += got[word];
            counts->reached += got[word];
            counts->most.whole = (int64_t)level;
            counts->sum.whole += (int64_t)(level * got[word]);
            counts->harmonic += got[word] * reciprocal;
        }
    return pairs;
}

/* So many levels, and what the host sees of them. */
void enqueue_levels(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t first, size_t count)
{
    const size_t level = mem_bytes(gpu->shape.row * GPU_WAVES_WORD, sizeof(uint32_t)),
                 bytes =
                     sizeof(struct gpu_waves_counts) + (gpu->request.counts ? count * level : 0);
    struct gpu_waves *waves = &lane->waves;
    GPU_CHECK(gpuMemsetAsync(waves->counts, 0, bytes, lane->stream));
    for (size_t k = 0; k < count; k++)
        gpu_waves_level(waves, (uint32_t)(first + k), (uint32_t)k, gpu->about.processors,
                        lane->stream);
    GPU_CHECK(gpuMemcpyAsync(lane->seen.counts, waves->counts, bytes, gpuMemcpyDeviceToHost,
                             lane->stream));
}

void fetch_columns(struct gpu_lane *lane, size_t n)
{
    auto copy = [lane](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyDeviceToHost, lane->stream));
    };
    copy(lane->seen.reached, lane->waves.reached, n * sizeof(uint32_t));
    copy(lane->seen.most, lane->waves.most, n * sizeof(int64_t));
}

/* The levels of a chunk that have found something; what they have is counted. False: an error. */
bool see_levels(struct gpu_searcher *gpu, int number, size_t first, size_t count,
                struct apsp_error *error)
{
    struct gpu_lane *lane = &gpu->lane[number];
    const uint32_t *alive = lane->seen.counts->alive;
    for (size_t k = 0; k < count && alive[k]; k++) {
        lane->last = first + k;
        if (gpu->request.counts &&
            !add_pairs(gpu, number, lane->last, add_level(gpu, lane, lane->last, k), error))
            return false;
    }
    return true;
}

bool run_batch(struct gpu_searcher *gpu, int number, struct apsp_error *error)
{
    struct gpu_lane *lane = &gpu->lane[number];
    const bool values = gpu->request.counts == 0;
    size_t chunk = lane->ahead > 0 ? lane->ahead : AHEAD, first = 1;
    lane->waves.source = gpu->source + lane->first;
    lane->waves.count = (uint32_t)lane->count;
    lane->last = 0;
    if (values && !gpu_searcher_planes(gpu, lane, chunk, error))
        return false;
    gpu_waves_begin(&lane->waves, gpu->about.processors, lane->stream);
    for (size_t i = 0; i < lane->count; i++)
        lane->counts[i] = {.reached = 1, .most = {0}, .sum = {0}, .harmonic = 0, .high = 0};
    if (!values && !add_pairs(gpu, number, 0, lane->count, error))
        return false;
    for (bool alive = true; alive; first += chunk, chunk *= 2) {
        chunk = std::min(chunk, AHEAD_MOST);
        if (values && !gpu_searcher_planes(gpu, lane, first + chunk, error))
            return false;
        enqueue_levels(gpu, lane, first, chunk);
        if (gpu->shape.columns)
            fetch_columns(lane, gpu->shape.n);
        GPU_CHECK(gpuStreamSynchronize(lane->stream));
        alive = lane->seen.counts->alive[chunk - 1];
        if (!see_levels(gpu, number, first, chunk, error))
            return false;
    }
    lane->ahead = std::min(lane->last + 1, AHEAD_MOST);
    return true;
}

/* Counts of levels become those of arcs of that length. */
void scale_counts(struct gpu_searcher *gpu, struct gpu_lane *lane)
{
    const int64_t unit = gpu->base.weights->unit.whole;
    for (size_t i = 0; i < lane->count; i++) {
        lane->counts[i].most.whole *= unit;
        lane->counts[i].sum.whole *= unit;
        lane->counts[i].harmonic /= (double)unit;
    }
}

/* The values of levels, on the device. */
bool bring_table(struct gpu_searcher *gpu, struct gpu_lane *lane, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    const struct levels_type type = {task->dtype, task->output, gpu->base.weights->unit};
    const size_t levels = (size_t)1 << lane->waves.planes,
                 bytes = mem_bytes(levels + 1, gpu->shape.bytes);
    if (levels_fill(&lane->levels, (int)lane->waves.planes, lane->last, &type, error))
        return false;
    if (lane->table_room < bytes) {
        if (lane->table)
            GPU_RELEASE(gpuFree(lane->table));
        lane->table = NULL;
        lane->table_room = 0;
        if (gpuMalloc((void **)&lane->table, bytes) != gpuSuccess) {
            (void)gpuGetLastError();
            error_set(error, APSP_MEMORY, "no memory on the GPU for %zu levels", levels);
            return false;
        }
        lane->table_room = bytes;
    }
    GPU_CHECK(gpuMemcpyAsync(lane->table, lane->levels.value, bytes, gpuMemcpyHostToDevice,
                             lane->stream));
    return true;
}

/* The next batch of this rank; false: there is none, or an error. */
bool next_batch(struct gpu_searcher *gpu, int number, struct apsp_error *error)
{
    struct gpu_lane *lane = &gpu->lane[number];
    const struct searcher_request *request = &gpu->request;
    pthread_mutex_lock(&gpu->lock);
    const size_t turn = gpu->turn++;
    pthread_mutex_unlock(&gpu->lock);
    const size_t count =
        groups_at(gpu->base.task->comm, request->sources, gpu->base.group, turn, &lane->first);
    if (count == 0 || !gpu_searcher_lane(gpu, lane, error))
        return false;
    lane->count = count;
    lane->at = 0;
    for (size_t i = 0; i < count; i++)
        lane->source[i] = gpu->base.network->vertex[request->source[lane->first + i]];
    if (!run_batch(gpu, number, error))
        return false;
    if (request->counts == 0)
        return bring_table(gpu, lane, error);
    scale_counts(gpu, lane);
    return true;
}

/* The values of a block. */
void make_rows(struct gpu_searcher *gpu, struct gpu_lane *lane, struct block *block)
{
    const struct gpu_shape *shape = &gpu->shape;
    const struct gpu_levels levels = {lane->table,          lane->at,     block->count, gpu->column,
                                      gpu->request.columns, lane->values, shape->stride};
    gpu_levels_rows(&lane->waves, &levels, shape->bytes, lane->stream);
    if (shape->on_host)
        GPU_CHECK(gpuMemcpyAsync(lane->seen.values, lane->values,
                                 block->count * shape->stride * shape->bytes, gpuMemcpyDeviceToHost,
                                 lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    block->values = shape->on_host ? lane->seen.values : NULL;
    block->device = lane->values;
    block->stride = block->device_stride = shape->stride;
}

bool next(struct searcher *searcher, int number, struct block *block, struct apsp_error *error)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)searcher;
    struct gpu_lane *lane = &gpu->lane[number];
    const struct searcher_request *request = &gpu->request;
    GPU_CHECK(gpuSetDevice(searcher->task->device->number));
    if (lane->at == lane->count && !next_batch(gpu, number, error))
        return false;
    const size_t left = lane->count - lane->at;
    *block = {};
    block->n = request->counts ? searcher->task->n : request->columns;
    block->column = request->counts ? NULL : request->vertex;
    block->count = request->counts || left < gpu->shape.rows ? left : gpu->shape.rows;
    block->source = lane->source + lane->at;
    block->dtype = searcher->task->output;
    if (request->counts) {
        block->counts = lane->counts;
        block->columns = gpu->shape.columns ? &lane->columns : NULL;
    } else {
        make_rows(gpu, lane, block);
    }
    lane->at += block->count;
    return true;
}

} // namespace

extern "C" const struct searcher_ops searcher_gpu = {
    .device = &device_gpu,
    .serves = serves,
    .counts = counts,
    .parallel = parallel,
    .lanes = lanes,
    .width = gpu_searcher_width,
    .rate = rate,
    .need = gpu_searcher_need,
    .describe = describe,
    .open = gpu_searcher_open,
    .start = start,
    .next = next,
    .free = gpu_searcher_free,
};
