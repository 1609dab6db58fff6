/* Betweenness on a GPU (rows/brandes_device.h): the graph, and the workers that search. */
#include "kernels/gpu/copy.cuh"
#include "rows/gpu/paths.h"

extern "C" {
#include "base/mem.h"
#include "base/stop.h"
#include "rows/brandes_device.h"
}

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

enum {
    LANES = 4,  /* batches under way: while one ends, others fill the device */
    EVENTS = 4, /* of a vertex, to begin with */
    LEVELS = 64
};

/* What the host sees of a batch, in pinned memory. */
struct seen {
    unsigned long long events, end;
    uint32_t beyond;
    uint32_t source[PATHS_WIDTH];
    unsigned long long level[]; /* LEVELS + 2 of a chunk */
};

struct brandes_lane {
    gpuStream_t stream;
    struct gpu_paths paths;
    char *memory;
    struct gpu_paths_event *event;
    unsigned long long *level;
    size_t levels; /* There is room for so many. */
    size_t ahead;  /* Levels that are enqueued at first. */
    struct seen *seen;
};

struct brandes_device {
    const struct brandes_graph *graph;
    int number, processors, lanes;
    char *memory;
    struct gpu_paths paths;
    struct brandes_lane lane[LANES];
};

namespace
{

/* For streams that begin later. */
template <class T> void clear(T *memory, size_t count)
{
    if (count > 0)
        GPU_CHECK(gpuMemset(memory, 0, count * sizeof *memory));
    GPU_CHECK(gpuStreamSynchronize(NULL));
}

/* False: there is not so much. */
template <class T> bool allocate(T **memory, size_t bytes)
{
    const bool good = gpuMalloc((void **)memory, bytes > 0 ? bytes : 1) == gpuSuccess;
    if (!good) {
        (void)gpuGetLastError();
        *memory = NULL;
    }
    return good;
}

/* Long lists in segments. */
struct split {
    std::vector<uint32_t> first, owner;
};

struct split split_lists(const struct paths_lists *lists, size_t n)
{
    struct split split;
    split.first.resize(n + 1);
    for (size_t v = 0; v < n; v++) {
        const size_t length = lists->start[v + 1] - lists->start[v];
        split.first[v] = (uint32_t)split.owner.size();
        if (paths_has_segments(length))
            split.owner.resize(split.owner.size() + (length + PATHS_SEGMENT - 1) / PATHS_SEGMENT,
                               (uint32_t)v);
    }
    split.first[n] = (uint32_t)split.owner.size();
    return split;
}

std::vector<uint32_t> light_set(const struct split &in, size_t n, size_t words)
{
    std::vector<uint32_t> set(words);
    for (size_t v = 0; v < n; v++)
        if (in.first[v] == in.first[v + 1])
            set[v % words] |= 1u << v / words;
    return set;
}

void place_lists(struct gpu_paths_lists *lists, struct mem_layout *layout, size_t n, size_t m)
{
    lists->start = (const uint64_t *)mem_place(layout, n + 1, sizeof *lists->start);
    lists->vertex = (const uint32_t *)mem_place(layout, m, sizeof *lists->vertex);
    lists->first = (const uint32_t *)mem_place(layout, n + 1, sizeof *lists->first);
    lists->owner = (const uint32_t *)mem_place(layout, lists->segments, sizeof *lists->owner);
}

/* The graph, and sums of all workers. */
size_t place_graph(struct gpu_paths *paths, const struct brandes_graph *graph, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t n = graph->n, m = graph->out.start[n];
    place_lists(&paths->in, &layout, n, m);
    place_lists(&paths->out, &layout, n, m);
    paths->wanted = (const double *)mem_place(&layout, n, sizeof *paths->wanted);
    paths->light = (const uint32_t *)mem_place(&layout, paths->words, sizeof *paths->light);
    paths->sum = (struct fixed_sum *)mem_place(&layout, n, sizeof *paths->sum);
    paths->arc = (struct fixed_sum *)mem_place(&layout, graph->arc ? m : 0, sizeof *paths->arc);
    if (!graph->arc)
        paths->arc = NULL;
    return layout.bytes;
}

size_t place_lane(struct gpu_paths *paths, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t n = paths->n, segments = std::max(paths->in.segments, paths->out.segments);
    struct gpu_paths_parts *parts = &paths->parts;
    paths->row = (double *)mem_place(&layout, mem_bytes(n, PATHS_WIDTH), sizeof *paths->row);
    parts->row = (double *)mem_place(&layout, mem_bytes(segments, PATHS_WIDTH), sizeof *parts->row);
    parts->bits = (uint64_t *)mem_place(&layout, segments, sizeof *parts->bits);
    parts->ticket = (uint32_t *)mem_place(&layout, segments, sizeof *parts->ticket);
    paths->missing = (uint64_t *)mem_place(&layout, n, sizeof *paths->missing);
    for (auto &near : paths->near)
        near = (uint64_t *)mem_place(&layout, n, sizeof *near);
    paths->marked = (uint32_t *)mem_place(&layout, paths->words, sizeof *paths->marked);
    paths->source = (const uint32_t *)mem_place(&layout, PATHS_WIDTH, sizeof *paths->source);
    paths->events = (unsigned long long *)mem_place(&layout, 1, sizeof *paths->events);
    paths->beyond = (uint32_t *)mem_place(&layout, 1, sizeof *paths->beyond);
    return layout.bytes;
}

void bring_lists(const struct gpu_paths_lists *to, const struct paths_lists *lists,
                 const struct split &split, size_t n)
{
    static_assert(sizeof(size_t) == sizeof(uint64_t), "starts go as they are");
    GPU_CHECK(gpu_upload(to->start, lists->start, n + 1));
    GPU_CHECK(gpu_upload(to->vertex, lists->vertex, lists->start[n]));
    GPU_CHECK(gpu_upload(to->first, split.first.data(), n + 1));
    GPU_CHECK(gpu_upload(to->owner, split.owner.data(), split.owner.size()));
}

bool bring_graph(struct brandes_device *device)
{
    const struct brandes_graph *graph = device->graph;
    struct gpu_paths *paths = &device->paths;
    const size_t n = graph->n, m = graph->out.start[n];
    const struct split in = split_lists(&graph->in, n), out = split_lists(&graph->out, n);
    paths->n = (uint32_t)n;
    paths->words = (uint32_t)((n + 31) / 32);
    paths->in.segments = (uint32_t)in.owner.size();
    paths->out.segments = (uint32_t)out.owner.size();
    paths->ends = graph->paths.ends;
    paths->fixed = graph->fixed;
    if (!allocate(&device->memory, place_graph(paths, graph, NULL)))
        return false;
    place_graph(paths, graph, device->memory);
    bring_lists(&paths->in, &graph->in, in, n);
    bring_lists(&paths->out, &graph->out, out, n);
    GPU_CHECK(gpu_upload(paths->wanted, graph->wanted, n));
    GPU_CHECK(gpu_upload(paths->light, light_set(in, n, paths->words).data(), paths->words));
    clear(paths->sum, n);
    clear(paths->arc, paths->arc ? m : 0);
    return true;
}

/* Memory for events of which there would be so many. */
bool grow_events(struct brandes_lane *lane, unsigned long long events)
{
    if (lane->event)
        GPU_RELEASE(gpuFree(lane->event));
    lane->paths.room = allocate(&lane->event, mem_bytes(events, sizeof *lane->event)) ? events : 0;
    lane->paths.event = lane->event;
    return lane->event;
}

/* Memory for so many levels, while nothing is under way. */
bool grow_levels(struct brandes_lane *lane, size_t levels)
{
    unsigned long long *memory;
    if (levels <= lane->levels)
        return true;
    levels = std::max(levels, 2 * lane->levels);
    if (!allocate(&memory, mem_bytes(levels, sizeof *memory)))
        return false;
    if (lane->level) {
        GPU_CHECK(
            gpuMemcpy(memory, lane->level, lane->levels * sizeof *memory, gpuMemcpyDeviceToDevice));
        GPU_RELEASE(gpuFree(lane->level));
    }
    lane->level = lane->paths.level = memory;
    lane->levels = levels;
    return true;
}

void free_lane(struct brandes_lane *lane)
{
    if (lane->stream) {
        GPU_RELEASE(gpuStreamSynchronize(lane->stream));
        GPU_RELEASE(gpuStreamDestroy(lane->stream));
    }
    if (lane->seen)
        GPU_RELEASE(gpuHostFree(lane->seen));
    if (lane->memory)
        GPU_RELEASE(gpuFree(lane->memory));
    if (lane->event)
        GPU_RELEASE(gpuFree(lane->event));
    if (lane->level)
        GPU_RELEASE(gpuFree(lane->level));
    *lane = {};
}

bool open_lane(const struct brandes_device *device, struct brandes_lane *lane)
{
    void *pinned = NULL;
    const size_t seen = sizeof *lane->seen + (LEVELS + 2) * sizeof *lane->seen->level;
    lane->paths = device->paths;
    lane->ahead = 8;
    if (!allocate(&lane->memory, place_lane(&lane->paths, NULL)) ||
        !grow_events(lane, (unsigned long long)EVENTS * lane->paths.n + PATHS_WIDTH) ||
        !grow_levels(lane, 2 * LEVELS))
        return false;
    if (gpuHostAlloc(&pinned, seen) != gpuSuccess) {
        (void)gpuGetLastError();
        return false;
    }
    lane->seen = (struct seen *)pinned;
    place_lane(&lane->paths, lane->memory);
    GPU_CHECK(gpuStreamCreateWithPriority(&lane->stream, gpuStreamNonBlocking, 0));
    GPU_CHECK(
        gpuMemsetAsync(lane->memory, 0, place_lane(&lane->paths, lane->memory), lane->stream));
    return true;
}

template <class T> void fetch(const struct brandes_lane *lane, T *to, const T *from, size_t count)
{
    GPU_CHECK(gpuMemcpyAsync(to, from, count * sizeof *to, gpuMemcpyDeviceToHost, lane->stream));
}

enum outcome { DONE, AGAIN, REFUSED };

/* The levels of a batch. *last: that in which the last vertices were reached. AGAIN: there is more
 * room for events now. */
enum outcome search(const struct brandes_device *device, struct brandes_lane *lane, size_t *last,
                    struct apsp_error *error)
{
    const size_t most = device->graph->paths.levels;
    struct seen *seen = lane->seen;
    size_t done = 0, ahead = lane->ahead;
    gpu_paths_begin(&lane->paths, device->processors, lane->stream);
    for (;; ahead = std::min(2 * ahead, (size_t)LEVELS)) {
        const size_t count = std::min(ahead, most - done);
        if (!grow_levels(lane, done + count + 2))
            return REFUSED;
        for (size_t k = 1; k <= count; k++)
            gpu_paths_forward(&lane->paths, done + k, device->processors, lane->stream);
        fetch(lane, seen->level, lane->level + done, count + 1);
        fetch(lane, &seen->events, lane->paths.events, 1);
        fetch(lane, &seen->beyond, lane->paths.beyond, 1);
        GPU_CHECK(gpuStreamSynchronize(lane->stream));
        if (seen->beyond || stop_check(error))
            return REFUSED;
        if (seen->events > lane->paths.room)
            return grow_events(lane, seen->events + seen->events / 2) ? AGAIN : REFUSED;
        for (size_t k = 0; k < count; k++)
            if (seen->level[k] == seen->level[k + 1]) {
                *last = done + k - 1;
                lane->ahead = std::min(done + k + 1, (size_t)LEVELS);
                return DONE;
            }
        done += count;
        if (done == most) {
            *last = seen->level[count] == seen->events ? done - 1 : done;
            return DONE;
        }
    }
}

void go_back(const struct brandes_device *device, struct brandes_lane *lane, size_t last)
{
    const struct gpu_paths *paths = &lane->paths;
    const size_t least = paths->ends || paths->arc ? 0 : 1;
    for (uint64_t *near : paths->near)
        GPU_CHECK(gpuMemsetAsync(near, 0, paths->n * sizeof *near, lane->stream));
    lane->seen->end = lane->seen->events;
    GPU_CHECK(gpuMemcpyAsync(lane->level + last + 1, &lane->seen->end, sizeof lane->seen->end,
                             gpuMemcpyHostToDevice, lane->stream));
    for (size_t level = last + 1; level-- > least;)
        gpu_paths_backward(paths, level, last, device->processors, lane->stream);
}

void free_device(struct brandes_device *device)
{
    if (!device)
        return;
    GPU_RELEASE(gpuSetDevice(device->number));
    for (struct brandes_lane &lane : device->lane)
        free_lane(&lane);
    if (device->memory)
        GPU_RELEASE(gpuFree(device->memory));
    free(device);
}

struct brandes_device *open_device(const struct brandes_graph *graph, int number, size_t lanes)
{
    struct brandes_device *device = (struct brandes_device *)calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->graph = graph;
    device->number = number;
    if (gpu_use(number) != gpuSuccess ||
        gpuDeviceGetAttribute(&device->processors, gpuAttributeProcessors, number) != gpuSuccess)
        (void)gpuGetLastError();
    else if (bring_graph(device))
        while (device->lanes < LANES && (size_t)device->lanes < lanes &&
               open_lane(device, &device->lane[device->lanes]))
            device->lanes++;
    if (device->lanes < LANES)
        free_lane(&device->lane[device->lanes]);
    if (device->lanes > 0)
        return device;
    free_device(device);
    return NULL;
}

int count_lanes(const struct brandes_device *device)
{
    return device->lanes;
}

bool take(struct brandes_device *device, int number, const uint32_t *source, size_t count,
          struct apsp_error *error)
{
    struct brandes_lane *lane = &device->lane[number];
    enum outcome outcome;
    size_t last = 0;
    GPU_CHECK(gpuSetDevice(device->number));
    lane->paths.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        lane->seen->source[i] = device->graph->number[source[i]];
    GPU_CHECK(gpuMemcpyAsync((void *)lane->paths.source, lane->seen->source,
                             count * sizeof *lane->seen->source, gpuMemcpyHostToDevice,
                             lane->stream));
    while ((outcome = search(device, lane, &last, error)) == AGAIN)
        ;
    if (outcome == DONE)
        go_back(device, lane, last);
    return outcome == DONE;
}

/* Other files may be complete: no failure here ends the process. */
int end(struct brandes_device *device, struct fixed_sum *vertex, struct fixed_sum *arc,
        struct apsp_error *error)
{
    const struct brandes_graph *graph = device->graph;
    gpuError_t status = gpuSetDevice(device->number);
    for (int i = 0; i < device->lanes && status == gpuSuccess; i++)
        status = gpuStreamSynchronize(device->lane[i].stream);
    gpu_move_sums(
        vertex, device->paths.sum, graph->n, [=](size_t k) { return graph->vertex[k]; }, &status);
    gpu_move_sums(
        arc, device->paths.arc, graph->arc ? graph->out.start[graph->n] : 0,
        [=](size_t k) { return graph->arc[k]; }, &status);
    return gpu_settle(device->number, status, error);
}

} // namespace

extern "C" const struct brandes_device_ops *brandes_device(void)
{
    static const struct brandes_device_ops ops = {
        .open = open_device, .lanes = count_lanes, .take = take, .end = end, .free = free_device};
    return &ops;
}
