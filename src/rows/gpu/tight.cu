/* Betweenness from rows on a GPU (rows/tight_device.h): the graph, and the workers. */
#include "kernels/gpu/copy.cuh"
#include "rows/gpu/tight.h"

extern "C" {
#include "base/mem.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "rows/sink.h"
#include "rows/tight_device.h"
}

#include <cstdlib>
#include <vector>

enum {
    WORKERS = 8,     /* of the engines, at most, where rows stay on the device */
    ROOM = 512 << 20 /* Bytes of a worker, if it can have more than one row. */
};

struct tight_device_lane {
    gpuStream_t stream;
    char *memory;
    uint32_t room; /* Rows that fit. */
};

struct tight_device {
    const struct tight_task *task;
    int number; /* The device's. */
    char *memory;
    struct gpu_tight tight;
    struct tight_device_lane lane[SINK_LANES];
};

namespace
{

size_t arc_bytes(enum dtype measure)
{
    return measure == DTYPE_I64 ? sizeof(struct gpu_tight_arc<int64_t>)
                                : sizeof(struct gpu_tight_arc<int32_t>);
}

void place_lists(struct gpu_tight_lists *lists, struct mem_layout *layout, size_t n, size_t m,
                 enum dtype measure)
{
    lists->start = (const uint64_t *)mem_place(layout, n + 1, sizeof *lists->start);
    lists->arc = mem_place(layout, m, arc_bytes(measure));
}

/* The graph, and the sums of all workers. */
size_t place_graph(struct gpu_tight *tight, const struct tight_task *task, size_t n, size_t m,
                   bool directed, char *base)
{
    struct mem_layout layout = {base, 0};
    place_lists(&tight->out, &layout, n, m, task->measure);
    tight->in = tight->out;
    if (directed)
        place_lists(&tight->in, &layout, n, m, task->measure);
    tight->target = (const unsigned char *)mem_place(&layout, n, 1);
    tight->sum = (struct fixed_sum *)mem_place(&layout, n, sizeof *tight->sum);
    tight->arc = (struct fixed_sum *)mem_place(&layout, task->edges ? m : 0, sizeof *tight->arc);
    if (!task->target)
        tight->target = NULL;
    if (!task->edges)
        tight->arc = NULL;
    return layout.bytes;
}

size_t place_lane(struct gpu_tight *tight, size_t n, size_t rows, char *base)
{
    struct mem_layout layout = {base, 0};
    const size_t all = mem_bytes(n, rows);
    tight->part = (double *)mem_place(&layout, all, sizeof *tight->part);
    tight->waiting = (uint32_t *)mem_place(&layout, all, sizeof *tight->waiting);
    tight->order = (uint32_t *)mem_place(&layout, all, sizeof *tight->order);
    tight->level = (uint32_t *)mem_place(&layout, mem_bytes(n + 1, rows), sizeof *tight->level);
    tight->source = (const uint32_t *)mem_place(&layout, rows, sizeof *tight->source);
    tight->reached = (uint32_t *)mem_place(&layout, rows, sizeof *tight->reached);
    tight->refused = (uint32_t *)mem_place(&layout, rows, sizeof *tight->refused);
    return layout.bytes;
}

/* Rows that a worker takes at once. */
size_t rows_of(size_t n, size_t rows)
{
    struct gpu_tight none;
    return size_max(size_min(ROOM / place_lane(&none, n, 1, NULL), rows), 1);
}

/* The lists of arcs as they lead, or by their heads, each by ascending tails. */
template <class Length>
void bring_lists(const struct gpu_tight_lists *to, const struct arcs *arcs, bool heads)
{
    static_assert(sizeof(size_t) == sizeof(uint64_t), "starts go as they are");
    std::vector<uint64_t> start(arcs->start, arcs->start + arcs->n + 1);
    std::vector<gpu_tight_arc<Length>> list(arcs->m);
    const Length *length = (const Length *)arcs->length;
    if (heads) {
        start.assign(arcs->n + 1, 0);
        for (size_t e = 0; e < arcs->m; e++)
            start[arcs->to[e] + 1]++;
        for (size_t v = 0; v < arcs->n; v++)
            start[v + 1] += start[v];
    }
    GPU_CHECK(gpu_upload(to->start, start.data(), arcs->n + 1));
    for (size_t u = 0; u < arcs->n; u++)
        for (size_t e = arcs->start[u]; e < arcs->start[u + 1]; e++)
            if (heads)
                list[start[arcs->to[e]]++] = {(uint32_t)u, length[e]};
            else
                list[e] = {arcs->to[e], length[e]};
    GPU_CHECK(gpu_upload((const gpu_tight_arc<Length> *)to->arc, list.data(), arcs->m));
}

template <class Length> void bring_graph(const struct gpu_tight *tight, const struct arcs *arcs)
{
    bring_lists<Length>(&tight->out, arcs, false);
    if (tight->in.arc != tight->out.arc)
        bring_lists<Length>(&tight->in, arcs, true);
}

void fill(struct tight_device *device)
{
    const struct tight_task *task = device->task;
    const size_t n = task->arcs->n, m = task->arcs->m;
    struct gpu_tight *tight = &device->tight;
    place_graph(tight, task, n, m, task->arcs->directed, device->memory);
    if (task->measure == DTYPE_I64)
        bring_graph<int64_t>(tight, task->arcs);
    else
        bring_graph<int32_t>(tight, task->arcs);
    GPU_CHECK(gpu_upload(tight->target, task->target, task->target ? n : 0));
    GPU_CHECK(gpuMemset(tight->sum, 0, n * sizeof *tight->sum));
    if (tight->arc && m > 0)
        GPU_CHECK(gpuMemset(tight->arc, 0, m * sizeof *tight->arc));
    GPU_CHECK(gpuStreamSynchronize(NULL)); /* for which streams of workers do not wait */
    tight->n = (uint32_t)n;
    tight->limited = task->limited;
    tight->within = task->within.whole;
    tight->ends = task->ends;
    tight->fixed = task->fixed;
    tight->dtype = task->dtype;
}

struct tight_device *open_device(const struct tight_task *task)
{
    const struct arcs *arcs = task->arcs;
    struct tight_device *device = (struct tight_device *)calloc(1, sizeof *device);
    struct gpu_tight none;
    if (!device)
        return NULL;
    const size_t bytes = place_graph(&none, task, arcs->n, arcs->m, arcs->directed, NULL);
    if (gpuMalloc((void **)&device->memory, bytes + 1) != gpuSuccess) {
        (void)gpuGetLastError();
        free(device);
        return NULL;
    }
    GPU_CHECK(gpuGetDevice(&device->number));
    device->task = task;
    fill(device);
    return device;
}

/* Memory for so many rows, or for fewer of them, if there is not so much. */
void open_lane(struct tight_device_lane *lane, size_t n, size_t rows)
{
    struct gpu_tight none;
    if (!lane->stream)
        GPU_CHECK(gpuStreamCreateWithPriority(&lane->stream, gpuStreamNonBlocking, 0));
    if (lane->room >= rows)
        return;
    if (lane->memory)
        GPU_RELEASE(gpuFree(lane->memory));
    lane->memory = NULL;
    for (lane->room = (uint32_t)rows; lane->room > 0; lane->room /= 2) {
        if (gpuMalloc((void **)&lane->memory, place_lane(&none, n, lane->room, NULL)) == gpuSuccess)
            return;
        (void)gpuGetLastError();
        lane->memory = NULL;
    }
}

template <class T> void send(const T *to, const T *from, size_t count, gpuStream_t stream)
{
    GPU_CHECK(gpuMemcpyAsync((void *)to, from, count * sizeof *to, gpuMemcpyHostToDevice, stream));
}

/* Rows of a block from number `first` on. Returns how many are left after `count` others. */
size_t take_some(const struct tight_device *device, const struct tight_device_lane *lane,
                 const struct block *block, size_t first, uint32_t *left, size_t count)
{
    struct gpu_tight tight = device->tight;
    const size_t rows = size_min(lane->room, block->count - first),
                 row = block->device_stride * dtype_info[block->dtype].bytes;
    std::vector<uint32_t> source(rows), refused(rows);
    place_lane(&tight, tight.n, lane->room, lane->memory);
    tight.rows = (const char *)block->device + first * row;
    tight.stride = block->device_stride;
    tight.count = (uint32_t)rows;
    for (size_t k = 0; k < rows; k++)
        source[k] = (uint32_t)block_source(block, first + k);
    send(tight.source, source.data(), rows, lane->stream);
    GPU_CHECK(gpuMemsetAsync(tight.reached, 0, rows * sizeof *tight.reached, lane->stream));
    GPU_CHECK(gpuMemsetAsync(tight.refused, 0, rows * sizeof *tight.refused, lane->stream));
    gpu_tight_take(&tight, lane->stream);
    GPU_CHECK(gpuMemcpyAsync(refused.data(), tight.refused, rows * sizeof *tight.refused,
                             gpuMemcpyDeviceToHost, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    for (size_t k = 0; k < rows; k++)
        if (refused[k])
            left[count++] = (uint32_t)(first + k);
    return count;
}

size_t take(struct tight_device *device, int number, const struct block *block, uint32_t *left,
            struct apsp_error *error)
{
    struct tight_device_lane *lane = &device->lane[number];
    size_t count = 0;
    GPU_CHECK(gpuSetDevice(device->number));
    open_lane(lane, block->n, rows_of(block->n, block->count));
    if (lane->room == 0)
        for (; count < block->count; count++)
            left[count] = (uint32_t)count;
    for (size_t k = 0; lane->room > 0 && k < block->count && !stop_check(error); k += lane->room)
        count = take_some(device, lane, block, k, left, count);
    return count;
}

void fetch(const struct block *block, size_t k, void *row)
{
    const size_t bytes = dtype_info[block->dtype].bytes;
    GPU_CHECK(gpuMemcpy(row, (const char *)block->device + k * block->device_stride * bytes,
                        block->n * bytes, gpuMemcpyDeviceToHost));
}

/* Other files may be complete: no failure here ends the process. */
int end(struct tight_device *device, struct fixed_sum *vertex, struct fixed_sum *arc,
        struct apsp_error *error)
{
    gpuError_t status = gpuSetDevice(device->number);
    const auto same = [](size_t k) { return k; };
    gpu_move_sums(vertex, device->tight.sum, device->task->arcs->n, same, &status);
    gpu_move_sums(arc, device->tight.arc, device->tight.arc ? device->task->arcs->m : 0, same,
                  &status);
    return gpu_settle(device->number, status, error);
}

void free_device(struct tight_device *device)
{
    if (!device)
        return;
    GPU_RELEASE(gpuSetDevice(device->number));
    for (struct tight_device_lane &lane : device->lane) {
        if (lane.memory)
            GPU_RELEASE(gpuFree(lane.memory));
        if (lane.stream)
            GPU_RELEASE(gpuStreamDestroy(lane.stream));
    }
    GPU_RELEASE(gpuFree(device->memory));
    free(device);
}

size_t need(size_t n, size_t m, const struct tight_task *task, size_t rows, int lanes)
{
    struct gpu_tight none;
    size_t bytes = place_lane(&none, n, rows_of(n, rows), NULL);
    mem_mul(&bytes, bytes, (size_t)int_min(lanes, WORKERS));
    mem_add(&bytes, bytes, place_graph(&none, task, n, m, true, NULL));
    return bytes;
}

} // namespace

extern "C" const struct tight_device_ops *tight_device(void)
{
    static const struct tight_device_ops ops = {need, open_device, take, fetch, end, free_device};
    return &ops;
}
