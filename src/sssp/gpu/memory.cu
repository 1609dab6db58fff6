/* The memory of the searcher on a GPU: the network for good, the rest for what is made. */
#include "kernels/gpu/copy.cuh"
#include "sssp/gpu/searcher.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace
{

int refuse(struct gpu_searcher *gpu, gpuError_t status, size_t bytes, struct apsp_error *error)
{
    char needs[TEXT_SHORT];
    snprintf(needs, sizeof needs, "searches in %zu vertices need", gpu->base.task->n);
    return gpu_refuse(gpu->base.task->device->number, status, needs, bytes, error);
}

int take_memory(struct gpu_searcher *gpu, char **memory, size_t bytes, struct apsp_error *error)
{
    const gpuError_t status = gpuMalloc((void **)memory, bytes > 0 ? bytes : 1);
    if (status == gpuSuccess)
        return APSP_OK;
    *memory = NULL;
    return refuse(gpu, status, bytes, error);
}

/* The vertices that have segments, the first segment of each before the second of any. */
struct split {
    std::vector<uint32_t> light, parts;
    std::vector<struct gpu_segment> segment;
};

struct split split_network(const struct network *network)
{
    struct split split;
    std::vector<uint32_t> heavy;
    size_t most = 0;
    split.light.resize(gpu_sets(network->n));
    for (size_t v = 0; v < network->n; v++) {
        const size_t arcs = network->start[v + 1] - network->start[v];
        if (arcs > 2 * GPU_SEGMENT) {
            heavy.push_back((uint32_t)v);
            split.parts.push_back((uint32_t)((arcs + GPU_SEGMENT - 1) / GPU_SEGMENT));
            most = std::max(most, (size_t)split.parts.back());
        } else if (arcs > 0) {
            split.light[v / 32] |= 1u << v % 32;
        }
    }
    for (size_t k = 0; k < most; k++)
        for (size_t h = 0; h < heavy.size(); h++)
            if (k < split.parts[h])
                split.segment.push_back(
                    {network->start[heavy[h]] + k * GPU_SEGMENT, heavy[h], (uint32_t)h});
    return split;
}

int bring_network(struct gpu_searcher *gpu, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    const struct network *network = gpu->base.network;
    struct gpu_arcs *arcs = &gpu->arcs;
    const struct split split = split_network(network);
    const size_t bytes = gpu_place_network(arcs, task, gpu->base.weights, NULL);
    if (take_memory(gpu, &gpu->network, bytes, error))
        return error->code;
    gpu_place_network(arcs, task, gpu->base.weights, gpu->network);
    arcs->n = (uint32_t)network->n;
    arcs->heavies = (uint32_t)split.parts.size();
    arcs->segments = (uint32_t)split.segment.size();
    static_assert(sizeof(size_t) == sizeof(uint64_t), "starts go as they are");
    GPU_CHECK(gpu_upload(arcs->start, network->start, network->n + 1));
    GPU_CHECK(gpu_upload(arcs->from, network->from, network->arcs));
    GPU_CHECK(gpu_upload((const char *)arcs->weight, network->weight,
                         network->weight ? network->arcs * dtype_info[task->dtype].bytes : 0));
    GPU_CHECK(gpu_upload(arcs->light, split.light.data(), split.light.size()));
    GPU_CHECK(gpu_upload(arcs->segment, split.segment.data(), split.segment.size()));
    GPU_CHECK(gpu_upload(arcs->parts, split.parts.data(), split.parts.size()));
    return APSP_OK;
}

void free_lane(struct gpu_lane *lane)
{
    if (lane->stream)
        GPU_RELEASE(gpuStreamSynchronize(lane->stream));
    for (char *memory : {lane->memory, lane->planes, lane->table})
        if (memory)
            GPU_RELEASE(gpuFree(memory));
    if (lane->seen.counts)
        GPU_RELEASE(gpuHostFree(lane->seen.counts));
    if (lane->stream)
        GPU_RELEASE(gpuStreamDestroy(lane->stream));
    levels_free(&lane->levels);
    mem_free(lane->counts);
    mem_free(lane->source);
    *lane = {};
}

} // namespace

static int open_device(struct gpu_searcher *gpu, struct apsp_error *error)
{
    const int number = gpu->base.task->device->number;
    gpuDeviceProp properties;
    gpuError_t status = gpu_use(number);
    if (status == gpuSuccess)
        status = gpuGetDeviceProperties(&properties, number);
    if (status != gpuSuccess)
        return refuse(gpu, status, 0, error);
    snprintf(gpu->text, sizeof gpu->text, "%.80s, %.1f GiB, %d multiprocessors", properties.name,
             (double)properties.totalGlobalMem / 1073741824.0, properties.multiProcessorCount);
    return gpu_about_of(&gpu->about, number, error);
}

int gpu_searcher_open(struct searcher **searcher, const struct engine_task *task,
                      const struct network *network, const struct network_weights *weights,
                      struct apsp_error *error)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)calloc(1, sizeof *gpu);
    *searcher = gpu ? &gpu->base : NULL;
    if (!gpu)
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu vertices", task->n);
    gpu->base.ops = &searcher_gpu;
    gpu->base.task = task;
    gpu->base.network = network;
    gpu->base.weights = weights;
    pthread_mutex_init(&gpu->lock, NULL);
    return open_device(gpu, error) ? error->code : bring_network(gpu, error);
}

/* Offsets of the sources, as far as distances go. */
static void bring_offsets(struct gpu_searcher *gpu, size_t sources)
{
    const int64_t *offset = gpu->base.network->offset;
    std::vector<int32_t> of(sources);
    for (size_t i = 0; offset && i < sources; i++)
        of[i] = (int32_t)std::min(offset[gpu->request.source[i]], (int64_t)INF_I32);
    GPU_CHECK(gpu_upload(gpu->offset, of.data(), sources));
}

int gpu_searcher_take(struct gpu_searcher *gpu, const struct searcher_case *its, size_t columns,
                      const uint32_t *column, struct apsp_error *error)
{
    const struct gpu_shape shape = gpu_shape_of(its, gpu->base.group, columns);
    GPU_CHECK(gpuSetDevice(its->task->device->number));
    if (memcmp(&shape, &gpu->shape, sizeof shape) != 0)
        for (struct gpu_lane &lane : gpu->lane)
            free_lane(&lane);
    gpu->shape = shape;
    if (gpu->wanted)
        GPU_RELEASE(gpuFree(gpu->wanted));
    if (take_memory(gpu, &gpu->wanted, gpu_place_wanted(gpu, its, columns, NULL), error))
        return error->code;
    gpu_place_wanted(gpu, its, columns, gpu->wanted);
    GPU_CHECK(gpu_upload(gpu->source, gpu->request.source, its->sources));
    GPU_CHECK(gpu_upload(gpu->column, column, columns));
    if (!its->weights->equal)
        bring_offsets(gpu, its->sources);
    if (its->task->shifted)
        GPU_CHECK(gpu_upload((const char *)gpu->potentials, its->task->potential->h,
                             its->task->n * sizeof(int64_t)));
    return APSP_OK;
}

bool gpu_searcher_lane(struct gpu_searcher *gpu, struct gpu_lane *lane, struct apsp_error *error)
{
    const struct gpu_shape *shape = &gpu->shape;
    const size_t width = gpu_sources(shape);
    void *pinned = NULL;
    char *memory = NULL;
    if (lane->stream)
        return true;
    if (take_memory(gpu, &memory, gpu_place_lane(lane, shape, NULL), error)) {
        *lane = {};
        return false;
    }
    gpu_place_lane(lane, shape, memory);
    lane->counts = (struct row_counts *)mem_alloc(mem_bytes(width, sizeof *lane->counts));
    lane->source = (uint32_t *)mem_alloc(mem_bytes(width, sizeof *lane->source));
    if (!lane->counts || !lane->source ||
        gpuHostAlloc(&pinned, gpu_place_seen(&lane->seen, shape, NULL)) != gpuSuccess) {
        (void)gpuGetLastError();
        lane->seen = {};
        error_set(error, APSP_MEMORY, "no memory for rows on host %s", gpu->base.task->comm->host);
        return false;
    }
    gpu_place_seen(&lane->seen, shape, pinned);
    struct gpu_waves *waves = &lane->waves;
    waves->arcs = lane->labels.arcs = gpu->arcs;
    lane->labels.alive = waves->counts->alive;
    waves->row = (uint32_t)shape->row;
    waves->unit = gpu->base.weights->unit.whole;
    lane->columns = {gpu->base.network->vertex, DTYPE_I64, lane->seen.most, lane->seen.reached};
    GPU_CHECK(gpuStreamCreateWithPriority(&lane->stream, gpuStreamNonBlocking, 0));
    if (!shape->bits)
        return true;
    GPU_CHECK(gpuMemsetAsync(waves->part, 0, shape->heavies * shape->row * sizeof(uint32_t),
                             lane->stream));
    GPU_CHECK(gpuMemsetAsync(waves->ticket, 0, shape->heavies * sizeof(uint32_t), lane->stream));
    return true;
}

bool gpu_searcher_planes(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t levels,
                         struct apsp_error *error)
{
    const size_t plane = gpu_plane_bytes(&gpu->shape);
    struct gpu_waves *waves = &lane->waves;
    size_t planes = waves->planes > 0 ? waves->planes : (size_t)GPU_PLANES;
    char *memory = NULL;
    while (levels >> planes > 0)
        planes++;
    if (planes == waves->planes)
        return true;
    if (take_memory(gpu, &memory, mem_bytes(planes, plane), error))
        return false;
    GPU_CHECK(gpuMemsetAsync(memory, 0, planes * plane, lane->stream));
    if (lane->planes)
        GPU_CHECK(gpuMemcpyAsync(memory, lane->planes, waves->planes * plane,
                                 gpuMemcpyDeviceToDevice, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    if (lane->planes)
        GPU_RELEASE(gpuFree(lane->planes));
    lane->planes = memory;
    waves->plane = (uint32_t *)memory;
    waves->planes = (uint32_t)planes;
    return true;
}

void gpu_searcher_free(struct searcher *searcher)
{
    struct gpu_searcher *gpu = (struct gpu_searcher *)searcher;
    if (!gpu)
        return;
    GPU_RELEASE(gpuSetDevice(gpu->base.task->device->number));
    for (struct gpu_lane &lane : gpu->lane)
        free_lane(&lane);
    for (char *memory : {gpu->network, gpu->wanted})
        if (memory)
            GPU_RELEASE(gpuFree(memory));
    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}
