/* The memory that the searcher on a GPU needs, and how wide it searches. */
#include "sssp/gpu/searcher.h"

extern "C" {
#include "base/minmax.h"
#include "base/text.h"
}

#include <cstdlib>

namespace
{

enum {
    ALIGN = 64,            /* values */
    ROWS_BYTES = 64 << 20, /* of a block, if it has more rows than: */
    ROWS_LEAST = GPU_WAVES_WORD,
    TAKEN_PART = 9,
    WHOLE = 10 /* So much of the device's memory may be planned for. */
};

/* The least row that has as many bits as a group has sources. */
size_t row_of(size_t group)
{
    size_t row = GPU_WAVES_LEAST;
    while (row < GPU_WAVES_MOST && (row * GPU_WAVES_WORD < group || !gpu_waves_takes(row)))
        row *= 2;
    return row;
}

/* Of a network of so many arcs. */
size_t most_heavies(size_t arcs)
{
    return arcs / (2 * GPU_SEGMENT);
}

size_t got_bytes(const struct gpu_shape *shape)
{
    return mem_bytes((size_t)GPU_WAVES_AHEAD * GPU_WAVES_WORD,
                     (shape->rows == 0) * shape->row * sizeof(uint32_t)) +
           sizeof(struct gpu_waves_counts);
}

uint32_t *place_words(struct mem_layout *layout, size_t count, size_t each)
{
    return (uint32_t *)mem_place(layout, count, each);
}

void place_waves(struct gpu_waves *waves, const struct gpu_shape *shape, struct mem_layout *layout)
{
    const size_t n = shape->n, row = mem_bytes(shape->row, sizeof(uint32_t)), sets = gpu_sets(n),
                 columns = shape->columns ? n : 0;
    waves->front = place_words(layout, n, row);
    waves->next = place_words(layout, n, row);
    waves->missing = place_words(layout, n, row);
    for (uint32_t *&set : waves->set)
        set = place_words(layout, sets, sizeof(uint32_t));
    waves->open = place_words(layout, sets, sizeof(uint32_t));
    waves->fresh = place_words(layout, sets, sizeof(uint32_t));
    waves->part = place_words(layout, shape->heavies, row);
    waves->ticket = place_words(layout, shape->heavies, sizeof(uint32_t));
    waves->full = place_words(layout, shape->heavies, sizeof(uint32_t));
    waves->reached = place_words(layout, columns, sizeof(uint32_t));
    waves->most = (int64_t *)mem_place(layout, columns, sizeof *waves->most);
    if (!shape->columns)
        waves->reached = NULL;
}

void place_labels(struct gpu_labels *labels, const struct gpu_shape *shape,
                  struct mem_layout *layout)
{
    labels->rows = mem_place(layout, shape->n, GPU_LABELS_ROW);
    labels->least = (int32_t *)mem_place(layout, shape->n, sizeof *labels->least);
    labels->most = (int32_t *)mem_place(layout, shape->n, sizeof *labels->most);
    for (uint32_t *&set : labels->set)
        set = place_words(layout, gpu_sets(shape->n) + 1, sizeof(uint32_t));
    labels->counts = (struct gpu_label_counts *)mem_place(layout, 1, sizeof *labels->counts);
}

} // namespace

/* Asked for once: a device is not quick to tell. */
int gpu_about_of(struct gpu_about *about, int number, struct apsp_error *error)
{
    static thread_local struct gpu_about known;
    static thread_local int known_number = -1;
    gpuDeviceProp properties;
    if (known_number != number) {
        const gpuError_t status = gpuGetDeviceProperties(&properties, number);
        if (status != gpuSuccess) {
            (void)gpuGetLastError();
            return error_set(error, APSP_DEVICE, "GPU %d cannot be used: %s", number,
                             gpuGetErrorString(status));
        }
        known = {properties.multiProcessorCount, properties.totalGlobalMem};
        known_number = number;
    }
    *about = known;
    return APSP_OK;
}

size_t gpu_place_network(struct gpu_arcs *arcs, const struct engine_task *task,
                         const struct network_weights *weights, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t n = task->n, count = weights->arcs, heavies = most_heavies(count),
                 segments = count / GPU_SEGMENT + heavies;
    arcs->start = (const uint64_t *)mem_place(&layout, n + 1, sizeof *arcs->start);
    arcs->from = (const uint32_t *)mem_place(&layout, count, sizeof *arcs->from);
    arcs->weight = mem_place(&layout, weights->equal ? 0 : count, dtype_info[task->dtype].bytes);
    arcs->light = (const uint32_t *)mem_place(&layout, gpu_sets(n), sizeof *arcs->light);
    arcs->segment = (const struct gpu_segment *)mem_place(&layout, segments, sizeof *arcs->segment);
    arcs->parts = (const uint32_t *)mem_place(&layout, heavies, sizeof *arcs->parts);
    return layout.bytes;
}

size_t gpu_place_wanted(struct gpu_searcher *gpu, const struct searcher_case *its, size_t columns,
                        void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t potentials = its->task->shifted ? its->task->n : 0,
                 offsets = its->weights->equal ? 0 : its->sources;
    gpu->source = (uint32_t *)mem_place(&layout, its->sources, sizeof *gpu->source);
    gpu->column = (uint32_t *)mem_place(&layout, columns, sizeof *gpu->column);
    gpu->offset = (int32_t *)mem_place(&layout, offsets, sizeof *gpu->offset);
    gpu->potentials = (int64_t *)mem_place(&layout, potentials, sizeof *gpu->potentials);
    return layout.bytes;
}

size_t gpu_place_lane(struct gpu_lane *lane, const struct gpu_shape *shape, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t transposed = shape->shifted ? mem_bytes(shape->rows, shape->transposed) : 0;
    lane->memory = (char *)mem_place(&layout, 0, 1);
    if (shape->bits)
        place_waves(&lane->waves, shape, &layout);
    else
        place_labels(&lane->labels, shape, &layout);
    lane->waves.counts = (struct gpu_waves_counts *)mem_place(&layout, got_bytes(shape), 1);
    lane->transposed = (char *)mem_place(&layout, transposed, shape->made);
    lane->values = (char *)mem_place(&layout, mem_bytes(shape->rows, shape->stride), shape->bytes);
    return layout.bytes;
}

size_t gpu_place_seen(struct gpu_seen *seen, const struct gpu_shape *shape, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t columns = shape->columns ? shape->n : 0;
    seen->counts = (struct gpu_waves_counts *)mem_place(&layout, got_bytes(shape), 1);
    seen->reached = (uint32_t *)mem_place(&layout, columns, sizeof *seen->reached);
    seen->most = (int64_t *)mem_place(&layout, columns, sizeof *seen->most);
    seen->labels =
        (struct gpu_label_counts *)mem_place(&layout, !shape->bits, sizeof *seen->labels);
    seen->values = (char *)mem_place(
        &layout, shape->on_host ? mem_bytes(shape->rows, shape->stride) : 0, shape->bytes);
    return layout.bytes;
}

size_t gpu_plane_bytes(const struct gpu_shape *shape)
{
    return mem_bytes(shape->n, mem_bytes(shape->row, sizeof(uint32_t)));
}

static size_t lane_host(const struct gpu_shape *shape)
{
    struct gpu_seen seen;
    size_t bytes;
    mem_add(&bytes, gpu_place_seen(&seen, shape, NULL),
            mem_bytes(gpu_sources(shape), sizeof(struct row_counts) + sizeof(uint32_t)));
    return bytes;
}

struct gpu_shape gpu_shape_of(const struct searcher_case *its, size_t group, size_t columns)
{
    const struct engine_task *task = its->task;
    struct gpu_shape shape = {};
    shape.bits = its->weights->equal;
    shape.n = task->n;
    shape.row = shape.bits ? row_of(group) : 0;
    shape.heavies = most_heavies(its->weights->arcs);
    shape.made = dtype_info[task->dtype].bytes;
    shape.columns = (its->counts & APSP_STATS_IN) != 0;
    if (its->counts)
        return shape;
    shape.shifted = !shape.bits && task->shifted;
    shape.bytes = dtype_info[task->output].bytes;
    shape.transposed = columns < SIZE_MAX - ALIGN ? (columns + ALIGN - 1) / ALIGN * ALIGN : columns;
    shape.stride = shape.shifted ? columns : shape.transposed;
    shape.rows = shape.bits ? shape.row * GPU_WAVES_WORD : GPU_LABELS_ROW / shape.made;
    while (shape.rows > ROWS_LEAST &&
           mem_bytes(shape.rows, mem_bytes(shape.stride, shape.bytes)) > ROWS_BYTES)
        shape.rows /= 2;
    shape.on_host = its->on_host;
    return shape;
}

static size_t columns_of(const struct searcher_case *its)
{
    const struct rows_request *request = &its->task->rows_request;
    return its->counts                              ? 0
           : request->column && !its->task->shifted ? request->columns
                                                    : its->task->n;
}

/* Bytes of the device, with so many workers. */
static size_t device_need(const struct searcher_case *its, size_t group, int lanes)
{
    struct gpu_arcs arcs;
    static thread_local struct gpu_searcher gpu;
    static thread_local struct gpu_lane lane;
    const struct gpu_shape shape = gpu_shape_of(its, group, columns_of(its));
    size_t bytes = gpu_place_network(&arcs, its->task, its->weights, NULL), each, planes;
    mem_add(&bytes, bytes, gpu_place_wanted(&gpu, its, columns_of(its), NULL));
    const size_t digits = size_max((size_t)searcher_planes(its), GPU_PLANES);
    mem_mul(&planes, gpu_plane_bytes(&shape), its->counts || !shape.bits ? 0 : digits);
    mem_add(&each, gpu_place_lane(&lane, &shape, NULL), planes);
    mem_add(&bytes, bytes, mem_bytes(each, (size_t)lanes));
    return bytes;
}

static bool fits(const struct gpu_about *about, size_t bytes)
{
    return bytes <= about->memory / WHOLE * TAKEN_PART;
}

int gpu_searcher_need(struct searcher_need *need, const struct searcher_case *its, size_t group,
                      int lanes, struct apsp_error *error)
{
    char needed[TEXT_NUMBER], all[TEXT_NUMBER];
    struct gpu_about about = {};
    const struct gpu_shape shape = gpu_shape_of(its, group, columns_of(its));
    *need = {mem_bytes(lane_host(&shape), (size_t)lanes), device_need(its, group, lanes)};
    if (gpu_about_of(&about, its->task->device->number, error) || fits(&about, need->device))
        return error->code;
    return error_set(error, APSP_MEMORY, "GPU %d: searches in %zu vertices need %s of %s",
                     its->task->device->number, its->task->n, text_bytes(needed, need->device),
                     text_bytes(all, about.memory));
}

int gpu_searcher_lanes(const struct searcher_case *its, size_t group)
{
    struct gpu_about about = {};
    struct apsp_error error = {};
    int lanes = GPU_LANES;
    if (gpu_about_of(&about, its->task->device->number, &error))
        return 1;
    while (lanes > 1 && !fits(&about, device_need(its, group, lanes)))
        lanes--;
    return lanes;
}

/* As wide as there is memory for two workers. */
size_t gpu_searcher_width(const struct searcher_case *its)
{
    struct gpu_about about = {};
    struct apsp_error error = {};
    const char *asked = getenv("APSP_SSSP_WIDTH");
    if (!its->weights->equal)
        return GPU_LABELS_ROW / dtype_info[its->task->dtype].bytes;
    size_t row = row_of(asked ? strtoull(asked, NULL, 10) : SIZE_MAX);
    if (gpu_about_of(&about, its->task->device->number, &error))
        return row * GPU_WAVES_WORD;
    while (row > GPU_WAVES_LEAST && gpu_waves_takes(row / 2) &&
           !fits(&about, device_need(its, row * GPU_WAVES_WORD, 2)))
        row /= 2;
    return row * GPU_WAVES_WORD;
}
