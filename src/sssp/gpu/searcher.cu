/*
 * Rows by a GPU: bits where all weights are equal, or labels. A worker has a batch of sources under
 * way on a stream of its own: it enqueues as many levels as the last batch had, and then looks;
 * meanwhile other workers' batches fill the device. Of counts nothing leaves the device but what
 * each source comes to in each level.
 */
#include "sssp/gpu/searcher.h"

#include "rows/gpu/convert.h"
#include "rows/gpu/turn.h"
#include "sssp/gpu/levels.h"

#include <algorithm>

namespace
{

constexpr size_t AHEAD = 8, /* levels of the first batch, and */
    AHEAD_MOST = GPU_WAVES_AHEAD;

/* Arcs times sources a second of each multiprocessor; measured on an H100. */
const double bits_rate = 5e12 / 132, labels_rate = 0.7e12 / 132; /* of 16 bits */
static_assert((int)GPU_LABELS_ROW == (int)GPU_TURN_ROW, "labels are transposed as they are");

bool serves(const struct searcher_case *its)
{
    return !its->alone && its->task->n < UINT32_MAX / 2;
}

/* Labels of these types are counted if nothing else is wanted. Rows of others are counted where
 * they are, on the device. */
unsigned counts(const struct searcher_case *its)
{
    const enum dtype dtype = its->task->dtype;
    const bool labels = its->counts == APSP_STATS_OUT && its->task->combine == COMBINE_SUM &&
                        (dtype == DTYPE_U16 || dtype == DTYPE_I32);
    return its->weights->equal || labels ? its->counts : 0;
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
    return processors * (its->weights->equal
                             ? bits_rate
                             : labels_rate * 2 / (double)dtype_info[its->task->dtype].bytes);
}

const char *describe(const struct searcher *searcher)
{
    return ((const struct gpu_searcher *)searcher)->text;
}

/* Potentials of some columns alone are not at hand: rows are whole then. */
int start(struct searcher *searcher, const struct searcher_request *request,
          struct apsp_error *error)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)searcher;
    const struct engine_task *task = searcher->task;
    const struct searcher_case its = {.task = task,
                                      .weights = searcher->weights,
                                      .sources = request->sources,
                                      .counts = request->counts,
                                      .alone = searcher->alone,
                                      .on_host = request->on_host,
                                      .levels = 0};
    gpu->request = *request;
    if (task->shifted) {
        gpu->request.column = searcher->network->number;
        gpu->request.vertex = NULL;
        gpu->request.columns = task->n;
    }
    gpu->turn = 0;
    for (struct gpu_lane &lane : gpu->lane)
        lane.count = lane.at = 0;
    return gpu_searcher_take(gpu, &its, request->counts ? 0 : gpu->request.columns,
                             gpu->request.column, error);
}

/* Adds pairs to the bin of their distance, at most so many at a time as a bin holds. */
bool add_pairs(const struct gpu_searcher *gpu, int number, size_t level, size_t pairs,
               struct apsp_error *error)
{
    const struct count_target *target = &gpu->request.histogram;
    const int64_t bin = (int64_t)level * gpu->base.weights->unit.whole >> target->bins.shift;
    while (gpu->request.counts & APSP_STATS_HISTOGRAM && pairs > 0) {
        const size_t more = pairs < INT32_MAX ? pairs : INT32_MAX;
        uint32_t *bins = count_more(target, number, more, error);
        if (!bins)
            return false;
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
    const double reciprocal =
        gpu->request.counts & APSP_STATS_HARMONIC ? REDUCE_RECIPROCAL(level) : 0;
    size_t pairs = 0;
    for (size_t bit = 0; bit < GPU_WAVES_WORD; bit++, got += row)
        for (size_t word = 0; word * GPU_WAVES_WORD + bit < lane->count; word++) {
            if (got[word] == 0)
                continue;
            pairs += got[word];
            count_equal(&lane->counts[word * GPU_WAVES_WORD + bit], (int64_t)level, got[word],
                        reciprocal);
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
        if (gpu->shape.bits)
            gpu_waves_level(waves, (uint32_t)(first + k), (uint32_t)k, gpu->about.processors,
                            lane->stream);
        else
            gpu_labels_pass(&lane->labels, gpu->base.task->dtype, gpu->base.task->combine,
                            (uint32_t)k, gpu->about.processors, lane->stream);
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
        if (gpu->shape.bits && gpu->request.counts &&
            !add_pairs(gpu, number, lane->last, add_level(gpu, lane, lane->last, k), error))
            return false;
    }
    return true;
}

void begin_batch(struct gpu_searcher *gpu, struct gpu_lane *lane)
{
    lane->waves.source = lane->labels.source = gpu->source + lane->first;
    lane->labels.offset = gpu->offset + lane->first;
    lane->waves.count = lane->labels.count = (uint32_t)lane->count;
    lane->last = 0;
    if (gpu->shape.bits)
        gpu_waves_begin(&lane->waves, gpu->about.processors, lane->stream);
    else
        gpu_labels_begin(&lane->labels, gpu->base.task->dtype, gpu->about.processors, lane->stream);
    for (size_t i = 0; i < lane->count; i++)
        lane->counts[i] = {.reached = 1, .most = {0}, .sum = {0}, .harmonic = 0, .high = 0};
}

/* The counts of a batch of labels. */
void count_labels(struct gpu_searcher *gpu, struct gpu_lane *lane)
{
    const struct gpu_label_counts *seen = lane->seen.labels;
    gpu_labels_count(&lane->labels, gpu->base.task->dtype, gpu->about.processors, lane->stream);
    GPU_CHECK(gpuMemcpyAsync(lane->seen.labels, lane->labels.counts, sizeof *seen,
                             gpuMemcpyDeviceToHost, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    for (size_t i = 0; i < lane->count; i++)
        lane->counts[i] = {.reached = seen->reached[i],
                           .most = {.whole = seen->most[i]},
                           .sum = {.whole = (int64_t)seen->sum[i]},
                           .harmonic = 0,
                           .high = 0};
}

bool run_batch(struct gpu_searcher *gpu, int number, struct apsp_error *error)
{
    struct gpu_lane *lane = &gpu->lane[number];
    const bool planes = gpu->shape.bits && gpu->request.counts == 0;
    size_t chunk = lane->ahead > 0 ? lane->ahead : AHEAD, first = 1;
    if (planes && !gpu_searcher_planes(gpu, lane, chunk, error))
        return false;
    begin_batch(gpu, lane);
    if (gpu->request.counts && !add_pairs(gpu, number, 0, lane->count, error))
        return false;
    for (bool alive = true; alive; first += chunk, chunk *= 2) {
        chunk = std::min(chunk, AHEAD_MOST);
        if (planes && !gpu_searcher_planes(gpu, lane, first + chunk, error))
            return false;
        enqueue_levels(gpu, lane, first, chunk);
        if (gpu->shape.columns)
            fetch_columns(lane, gpu->shape.n);
        GPU_CHECK(gpuStreamSynchronize(lane->stream));
        alive = lane->seen.counts->alive[chunk - 1] && (gpu->most == 0 || first < gpu->most);
        if (!see_levels(gpu, number, first, chunk, error))
            return false;
    }
    lane->ahead = std::min(lane->last + 1, AHEAD_MOST);
    if (!gpu->shape.bits && gpu->request.counts)
        count_labels(gpu, lane);
    return true;
}

/* A batch whose sources are counted, which is all that the least memory is for. The first one of a
 * program has kernels loaded, so a short one is searched again. */
int attempt(struct searcher *searcher, const uint32_t *source, size_t count, size_t levels,
            struct searcher_trial *trial, struct apsp_error *error)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)searcher;
    const double again = 0.05; /* seconds */
    const struct searcher_case its = {.task = searcher->task,
                                      .weights = searcher->weights,
                                      .sources = count,
                                      .counts = APSP_STATS_OUT,
                                      .alone = false,
                                      .on_host = false,
                                      .levels = 0};
    struct gpu_lane *lane = &gpu->lane[0];
    searcher->group = count;
    gpu->request = {};
    gpu->request.source = source;
    gpu->request.counts = APSP_STATS_OUT;
    gpu->most = levels;
    lane->first = 0;
    if (gpu_searcher_take(gpu, &its, 0, NULL, error) || !gpu_searcher_lane(gpu, lane, error))
        return error->code;
    lane->count = count;
    double seconds = 0;
    for (int run = 0; run < 2 && (run == 0 || seconds < again); run++) {
        const double begun = clock_seconds();
        if (!run_batch(gpu, 0, error))
            return error->code;
        seconds = clock_seconds() - begun;
    }
    *trial = {seconds / (double)count, lane->last < levels};
    gpu->most = 0;
    return APSP_OK;
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
    if (request->counts && gpu->shape.bits)
        scale_counts(gpu, lane);
    return request->counts || !gpu->shape.bits || bring_table(gpu, lane, error);
}

void make_levels(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t count)
{
    const struct gpu_levels levels = {
        lane->table,  lane->at,         count, gpu->column, gpu->request.columns,
        lane->values, gpu->shape.stride};
    gpu_levels_rows(&lane->waves, &levels, gpu->shape.bytes, lane->stream);
}

/* From transposed rows; each by itself, since it takes its own potential off. */
void take_off_potentials(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t count)
{
    const struct gpu_shape *shape = &gpu->shape;
    const struct engine_task *task = gpu->base.task;
    const struct conversion conversion = {task->dtype, task->output, gpu->request.columns,
                                          gpu->potentials, NULL};
    for (size_t r = 0; r < count; r++) {
        const size_t source = lane->source[lane->at + r];
        gpu_convert(&conversion, {source, source + 1},
                    lane->transposed + r * shape->transposed * shape->made, shape->transposed,
                    lane->values + r * shape->stride * shape->bytes, conversion.n, lane->stream);
    }
}

void make_labels(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t count)
{
    const struct gpu_shape *shape = &gpu->shape;
    const struct engine_task *task = gpu->base.task;
    const struct gpu_turn turn = {
        lane->labels.rows, task->n, task->dtype, gpu->column, {lane->at, lane->at + count},
        lane->stream};
    const struct gpu_turned turned = {shape->shifted ? task->dtype : task->output,
                                      shape->shifted,
                                      1,
                                      NULL,
                                      gpu->request.columns,
                                      shape->shifted ? lane->transposed : lane->values,
                                      shape->transposed,
                                      NULL};
    gpu_turn(&turn, &turned);
    if (shape->shifted)
        take_off_potentials(gpu, lane, count);
}

/* The values of a block. */
void make_rows(struct gpu_searcher *gpu, struct gpu_lane *lane, struct block *block)
{
    const struct gpu_shape *shape = &gpu->shape;
    (shape->bits ? make_levels : make_labels)(gpu, lane, block->count);
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
    .attempt = attempt,
    .start = start,
    .next = next,
    .free = gpu_searcher_free,
};
