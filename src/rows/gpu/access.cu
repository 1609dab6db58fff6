/*
 * Rows of distances weighed where a GPU has them (rows/access_device.h). A block of threads weighs
 * some rows side by side over SEGMENT targets, so that amounts are read once for all of them.
 * Thread t takes targets t, t + THREADS, ..., and the threads' sums become one by halves. Those of
 * the segments are added in their order. So a sum depends neither on workers, ranks nor blocks.
 */
#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/error.h"
#include "base/mem.h"
#include "rows/access_device.h"
#include "rows/access_row.h"
}
#include "rows/gpu/infinite.cuh"

#include <cmath>
#include <cstdlib>
#include <cstring>

enum {
    THREADS = 128,
    SEGMENT = 8192,
    KINDS = 4, /* of amounts, whose sums a thread has in registers */
    STEPS = 8, /* side by side, */
    STEP_ROWS = 2,
    SMOOTH_ROWS = 4
};

/* The amounts of a target. */
struct alignas(16) amounts {
    double of[KINDS];
};

struct access_device_lane {
    gpuStream_t stream;
    double *value, *part, *host; /* Sums of rows, those of their segments, and sums on the host. */
    size_t room;                 /* Rows that fit. */
};

/* All workers share these. */
struct access_tables {
    struct amounts *amount; /* For each KINDS of the kinds, the targets. */
    double *points;         /* Distances of all decays, then weights. */
};

struct access_device {
    const struct access *access;
    int number; /* The device's. */
    char *memory;
    struct access_tables tables;
    struct access_device_lane lane[SINK_LANES];
};

namespace
{

struct smooth {
    enum apsp_decay_kind kind;
    double at, factor;
    size_t points;
    const double *distance, *weight;
};

template <class T> struct work {
    const T *rows;
    size_t n, stride, count;
    T infinite;
    double factor; /* Rows have distances times this. */
    const struct amounts *amount;
    double *value; /* Sums of each row: place[m], and every `each` behind for a further kind. */
    double *part;  /* For each row, segment and measure the sums of its kinds. */
    size_t segments, width, each;
    int kinds, measures;
    size_t place[STEPS];
    double limit[STEPS];
    struct smooth decay;
};

/* As access_row.c has it. */
__device__ double weight_between(const struct smooth &decay, double distance)
{
    size_t low = 0, high = decay.points;
    if (!(distance > decay.distance[0]))
        return decay.weight[0];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (distance < decay.distance[middle])
            high = middle;
        else
            low = middle;
    }
    if (high == decay.points)
        return decay.weight[low];
    const double before = distance - decay.distance[low], behind = decay.distance[high] - distance;
    return (decay.weight[low] * behind + decay.weight[high] * before) / (before + behind);
}

__device__ double weight_of(const struct smooth &decay, double distance)
{
    if (decay.kind == APSP_DECAY_EXPONENTIAL)
        return exp(-decay.factor * distance);
    if (decay.kind == APSP_DECAY_LINEAR)
        return fmin(fmax((decay.at - distance) * decay.factor, 0.0), 1.0);
    if (decay.kind == APSP_DECAY_POINTS)
        return weight_between(decay, distance);
    const double e = exp(-decay.factor * fabs(distance - decay.at));
    return (distance > decay.at ? e : 1) / (1 + e);
}

/* The sums over all threads, of each measure and kind. */
template <int MEASURES>
__device__ void fold(double part[MEASURES][KINDS][THREADS], const double sum[MEASURES][KINDS])
{
    const int t = (int)threadIdx.x;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MEASURES * KINDS; i++)
        part[i / KINDS][i % KINDS][t] = sum[i / KINDS][i % KINDS];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
#pragma unroll
            for (int i = 0; i < MEASURES * KINDS; i++)
                part[i / KINDS][i % KINDS][t] += part[i / KINDS][i % KINDS][t + half];
        __syncthreads();
    }
}

/* A thread reads the amounts of a target, and its entry of each row. */
template <class T, int ROWS> struct target {
    struct amounts amount;
    T value[ROWS];
};

template <class T, int ROWS>
__device__ void read(struct target<T, ROWS> &target, const struct work<T> &work,
                     const T *const row[ROWS], size_t j)
{
    target.amount = work.amount[j];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        target.value[r] = row[r][j];
}

/* An entry within the last limit, or any with a smooth decay, is added to the sums of its row. */
template <class T, int MEASURES>
__device__ void add(double sum[MEASURES][KINDS], const struct work<T> &work,
                    const struct amounts &amount, T value)
{
    const double raw = (double)value;
    if (!(value < work.infinite) || (MEASURES > 1 && raw > work.limit[STEPS - 1]))
        return;
#pragma unroll
    for (int m = 0; m < MEASURES; m++) {
        if (m >= work.measures)
            continue;
        const double weight =
            MEASURES == 1 ? weight_of(work.decay, work.factor == 1 ? raw : raw / work.factor)
                          : (raw <= work.limit[m] ? 1.0 : 0.0);
#pragma unroll
        for (int c = 0; c < KINDS; c++)
            sum[m][c] += weight * amount.of[c];
    }
}

/* MEASURES steps, or one smooth decay, of ROWS rows. A target is read while the one before is
 * added: few threads fit beside so many sums. */
template <class T, int ROWS, int MEASURES>
__global__ void __launch_bounds__(THREADS) access_kernel(const struct work<T> work)
{
    __shared__ double part[MEASURES][KINDS][THREADS];
    double sum[ROWS][MEASURES][KINDS] = {};
    const size_t segment = blockIdx.x % work.segments, first = blockIdx.x / work.segments * ROWS,
                 begin = segment * SEGMENT,
                 end = begin + SEGMENT < work.n ? begin + SEGMENT : work.n;
    const T *row[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        row[r] = work.rows + (first + r < work.count ? first + r : first) * work.stride;
    struct target<T, ROWS> next = {
    };
    if (begin + threadIdx.x < end)
        read<T, ROWS>(next, work, row, begin + threadIdx.x);
    for (size_t j = begin + threadIdx.x; j < end; j += THREADS) {
        const struct target<T, ROWS> target = next;
        if (j + THREADS < end)
            read<T, ROWS>(next, work, row, j + THREADS);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            add<T, MEASURES>(sum[r], work, target.amount, target.value[r]);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        fold<MEASURES>(part, sum[r]);
        if (const int i = (int)threadIdx.x; i < MEASURES * KINDS && first + r < work.count)
            work.part[((first + r) * work.segments + segment) * MEASURES * KINDS + i] =
                part[i / KINDS][i % KINDS][0];
    }
}

/* A thread adds the segments of a row, a measure of so many, and a kind. */
template <class T> __global__ void add_kernel(const struct work<T> work, int measures)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x, each = (size_t)measures * KINDS,
                 row = i / each, m = i % each / KINDS, c = i % KINDS;
    if (row >= work.count || m >= (size_t)work.measures || c >= (size_t)work.kinds)
        return;
    double sum = 0;
    for (size_t s = 0; s < work.segments; s++)
        sum += work.part[(row * work.segments + s) * each + i % each];
    work.value[row * work.width + c * work.each + work.place[m]] = sum;
}

template <class T, int ROWS, int MEASURES>
void weigh_measures(const struct work<T> &work, gpuStream_t stream)
{
    const size_t blocks = (work.count + ROWS - 1) / ROWS * work.segments;
    access_kernel<T, ROWS, MEASURES><<<(unsigned)blocks, THREADS, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
    const size_t adders = (work.count * MEASURES * KINDS + THREADS - 1) / THREADS;
    add_kernel<T><<<(unsigned)adders, THREADS, 0, stream>>>(work, MEASURES);
    GPU_CHECK(gpuGetLastError());
}

/* Steps side by side, the other decays one after the other. */
template <class T>
void weigh_decays(struct work<T> work, const struct access_device *device, gpuStream_t stream)
{
    const struct access *access = device->access;
    const struct access_plan *plan = &access->plan;
    const double *points = device->tables.points;
    for (size_t k = 0; k < access->steps; k += work.measures) {
        const size_t left = access->steps - k;
        work.measures = left < STEPS ? (int)left : STEPS;
        for (int m = 0; m < STEPS; m++) { /* The last limit is that of all further ones. */
            const size_t at = k + (m < work.measures ? m : work.measures - 1);
            work.place[m] = access->order[at];
            work.limit[m] = access->limit[at];
        }
        weigh_measures<T, STEP_ROWS, STEPS>(work, stream);
    }
    work.measures = 1;
    for (size_t k = access->steps; k < plan->decays; k++) {
        const struct apsp_decay *decay = &plan->decay[access->order[k]];
        const double scale = decay->kind == APSP_DECAY_LOGISTIC ? decay->spread : decay->at;
        work.place[0] = access->order[k];
        work.decay = (struct smooth){decay->kind,   decay->at, 1 / scale,
                                     decay->points, points,    points + decay->points};
        points += decay->kind == APSP_DECAY_POINTS ? 2 * decay->points : 0;
        weigh_measures<T, SMOOTH_ROWS, 1>(work, stream);
    }
}

size_t segments_of(size_t n)
{
    return (n + SEGMENT - 1) / SEGMENT;
}

template <class T>
void weigh(const struct access_device *device, const struct access_device_lane *lane,
           const struct block *block)
{
    const struct access *access = device->access;
    struct work<T> work {
    };
    work.rows = (const T *)block->device;
    work.n = block->n;
    work.stride = block->device_stride;
    work.count = block->count;
    work.infinite = infinite_of<T>(block->dtype);
    work.factor = access->factor;
    work.each = access->plan.decays;
    work.width = access_width(&access->plan);
    work.part = lane->part;
    work.segments = segments_of(block->n);
    for (size_t c = 0; c < access->plan.columns; c += KINDS) {
        const size_t left = access->plan.columns - c;
        work.kinds = left < KINDS ? (int)left : KINDS;
        work.amount = device->tables.amount + c / KINDS * block->n;
        work.value = lane->value + c * work.each;
        weigh_decays(work, device, lane->stream);
    }
}

size_t points_of(const struct access_plan *plan)
{
    size_t points = 0;
    for (size_t k = 0; k < plan->decays; k++)
        points += plan->decay[k].kind == APSP_DECAY_POINTS ? 2 * plan->decay[k].points : 0;
    return points;
}

size_t tables_layout(struct access_tables *tables, const struct access_plan *plan, size_t n,
                     char *base)
{
    struct mem_layout layout = {base, 0};
    const size_t groups = (plan->columns + KINDS - 1) / KINDS;
    tables->amount =
        (struct amounts *)mem_place(&layout, mem_bytes(groups, n), sizeof *tables->amount);
    tables->points = (double *)mem_place(&layout, points_of(plan), sizeof *tables->points);
    return layout.bytes;
}

void copy(void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        GPU_CHECK(gpuMemcpy(to, from, bytes, gpuMemcpyHostToDevice));
}

/* Rows have all vertices; those that are no targets have no amounts. */
void fill(const struct access_device *device, struct amounts *room)
{
    const struct access_plan *plan = &device->access->plan;
    const struct sink_task *task = device->access->task;
    const uint32_t *target = task->targets ? task->targets->vertex : NULL;
    double *points = device->tables.points;
    for (size_t c = 0; c < plan->columns; c++) {
        for (size_t j = 0; j < sink_columns(task); j++) {
            const size_t v = target ? target[j] : j;
            room[v].of[c % KINDS] = plan->amount[c * task->n + v];
        }
        if (c % KINDS < KINDS - 1 && c + 1 < plan->columns)
            continue;
        copy(device->tables.amount + c / KINDS * task->n, room, task->n * sizeof *room);
        memset(room, 0, task->n * sizeof *room);
    }
    for (size_t k = device->access->steps; k < plan->decays; k++) {
        const struct apsp_decay *decay = &plan->decay[device->access->order[k]];
        if (decay->kind != APSP_DECAY_POINTS)
            continue;
        copy(points, decay->distance, decay->points * sizeof *points);
        copy(points + decay->points, decay->weight, decay->points * sizeof *points);
        points += 2 * decay->points;
    }
}

} // namespace

static size_t need(const struct access_plan *plan, size_t n)
{
    enum { SUMS = 64 << 20 }; /* Sums of the rows of blocks and of their segments, all workers. */
    struct access_tables tables;
    size_t bytes;
    mem_add(&bytes, tables_layout(&tables, plan, n, NULL), SUMS);
    return bytes;
}

static int open_device(struct access_device **out, const struct access *access,
                       struct apsp_error *error)
{
    const size_t n = access->task->n;
    struct access_device *device = *out = (struct access_device *)calloc(1, sizeof *device);
    struct amounts *room = (struct amounts *)mem_alloc(mem_bytes(n, sizeof *room));
    struct access_tables none;
    const size_t bytes = tables_layout(&none, &access->plan, n, NULL);
    if (!device || !room) {
        error_set(error, APSP_MEMORY, "no memory for accessibility");
    } else if (gpuMalloc((void **)&device->memory, bytes + 1) != gpuSuccess) {
        (void)gpuGetLastError();
        error_set(error, APSP_MEMORY, "no memory on the GPU for accessibility, %zu bytes", bytes);
    } else {
        GPU_CHECK(gpuGetDevice(&device->number));
        device->access = access;
        tables_layout(&device->tables, &access->plan, n, device->memory);
        fill(device, room);
        GPU_CHECK(gpuStreamSynchronize(0)); /* for which streams of workers do not wait */
    }
    mem_free(room);
    if (error->code) {
        free(device);
        *out = NULL;
    }
    return error->code;
}

static void close_lane(struct access_device_lane *lane)
{
    if (lane->value)
        GPU_RELEASE(gpuFree(lane->value));
    free(lane->host);
    lane->value = lane->part = lane->host = NULL;
    lane->room = 0;
}

/* Streams of the workers do not wait for each other. */
static int open_lane(struct access_device_lane *lane, size_t rows, size_t n, size_t width,
                     struct apsp_error *error)
{
    const size_t sums = mem_bytes(rows, width), bytes = mem_bytes(sums, sizeof(double)),
                 parts = mem_bytes(mem_bytes(rows, segments_of(n)), sizeof(double) * STEPS * KINDS);
    if (!lane->stream)
        GPU_CHECK(gpuStreamCreateWithPriority(&lane->stream, gpuStreamNonBlocking, 0));
    if (lane->room >= rows)
        return APSP_OK;
    close_lane(lane);
    lane->host = (double *)malloc(bytes + 1);
    if (lane->host && gpuMalloc((void **)&lane->value, bytes + parts + 1) == gpuSuccess) {
        lane->part = lane->value + sums;
        lane->room = rows;
        return APSP_OK;
    }
    (void)gpuGetLastError();
    lane->value = NULL;
    close_lane(lane);
    return error_set(error, APSP_MEMORY, "no memory on the GPU for the sums of %zu rows", rows);
}

static int take_block(struct access_device *device, int number, const struct block *block,
                      const double **value, struct apsp_error *error)
{
    static void (*const table[])(const struct access_device *, const struct access_device_lane *,
                                 const struct block *) = {
        weigh<uint16_t>, weigh<int32_t>, weigh<int64_t>, weigh<float>, weigh<double>};
    static_assert(sizeof table / sizeof *table == DTYPE_COUNT, "in the order of enum dtype");
    struct access_device_lane *lane = &device->lane[number];
    const size_t width = access_width(&device->access->plan);
    GPU_CHECK(gpuSetDevice(device->number));
    if (open_lane(lane, block->count, block->n, width, error))
        return error->code;
    table[block->dtype](device, lane, block);
    if (width > 0)
        GPU_CHECK(gpuMemcpyAsync(lane->host, lane->value, block->count * width * sizeof(double),
                                 gpuMemcpyDeviceToHost, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    *value = lane->host;
    return APSP_OK;
}

static void free_device(struct access_device *device)
{
    if (!device)
        return;
    GPU_RELEASE(gpuSetDevice(device->number));
    for (struct access_device_lane &lane : device->lane) {
        close_lane(&lane);
        if (lane.stream)
            GPU_RELEASE(gpuStreamDestroy(lane.stream));
    }
    GPU_RELEASE(gpuFree(device->memory));
    free(device);
}

/* Not a constant of the file: HIP would have it on the device too. */
extern "C" const struct access_device_ops *access_device(void)
{
    static const struct access_device_ops ops = {need, open_device, take_block, free_device};
    return &ops;
}
