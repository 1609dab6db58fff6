/*
 * Rows of distances counted where a GPU has them (rows/accumulator.h), at the speed of its memory.
 * A block of threads counts each row, in an order of its own, so that sums of floating-point
 * numbers do not depend on the workers. A thread counts each column.
 */
#include "kernels/gpu/gpu.h"
#include "kernels/reduce.h"

extern "C" {
#include "base/error.h"
#include "base/mem.h"
#include "rows/accumulator.h"
#include "rows/sink.h"
}
#include "rows/gpu/infinite.cuh"

#include <cmath>
#include <cstdlib>
#include <type_traits>

enum {
    THREADS = 256,
    STEP = 64,
    NEAR = 8192 /* bins from the first on that a block keeps by itself */
};

struct accumulator_lane {
    gpuStream_t stream;
    struct row_counts *counts;
    size_t room;
};

struct accumulator_device {
    const struct accumulator_plan *plan;
    int number; /* of the device */
    char *memory;
    unsigned long long *most, *reached, *pairs; /* as struct accumulator_sum has them */
    struct accumulator_lane lane[SINK_LANES];
};

namespace
{

template <class T>
using sum_of = std::conditional_t<std::is_floating_point_v<T>, double, long long>;

template <class T> struct work {
    const T *rows;
    size_t n, stride, count;
    T infinite;
    unsigned counted;
    struct count_bins bins;
    struct row_counts *counts;
    unsigned long long *most, *reached, *pairs;
};

template <class T> __device__ __forceinline__ size_t bin_of(const struct work<T> &work, T value)
{
    long long k;
    if constexpr (std::is_floating_point_v<T>)
        k = (long long)floor((double)value * work.bins.scale);
    else
        k = (long long)value >> work.bins.shift;
    k -= work.bins.first;
    long long last = (long long)work.bins.count - 1;
    return (size_t)REDUCE_BIN(k, last);
}

/* The counts of one thread, and later of all. */
template <class T> struct part {
    unsigned long long reached;
    sum_of<T> most, sum;
    double harmonic;

    __device__ void add(const part &other)
    {
        reached = REDUCE_COUNT(reached, other.reached);
        most = REDUCE_MOST(most, other.most);
        sum = REDUCE_SUM(sum, other.sum, 1);
        harmonic = REDUCE_SUM(harmonic, other.harmonic, 1);
    }
};

__device__ __forceinline__ void put(union value &to, long long whole)
{
    to.whole = whole;
}

__device__ __forceinline__ void put(union value &to, double real)
{
    to.real = real;
}

template <class T> __global__ void __launch_bounds__(THREADS) rows_kernel(const struct work<T> work)
{
    __shared__ uint32_t near[NEAR];
    __shared__ part<T> parts[THREADS];
    const T *row = work.rows + blockIdx.x * work.stride;
    const bool bins = work.counted & APSP_STATS_HISTOGRAM,
               harmonic = work.counted & APSP_STATS_HARMONIC;
    part<T> own = {};
    for (int k = threadIdx.x; bins && k < NEAR; k += THREADS)
        near[k] = 0;
    __syncthreads();
    for (size_t j = threadIdx.x; j < work.n; j += THREADS) {
        const T value = row[j];
        if (std::is_floating_point_v<T> ? !(value < work.infinite) : value == work.infinite)
            continue;
        own.reached = REDUCE_COUNT(own.reached, 1);
        own.most = REDUCE_MOST(own.most, (sum_of<T>)value);
        own.sum = REDUCE_SUM(own.sum, (sum_of<T>)value, 1);
        if (harmonic)
            own.harmonic = REDUCE_SUM(own.harmonic, REDUCE_RECIPROCAL(value), 1);
        if (bins) {
            size_t k = bin_of(work, value);
            if (k < NEAR)
                atomicAdd(near + k, 1u);
            else
                atomicAdd(work.pairs + k, 1ull);
        }
    }
    parts[threadIdx.x] = own;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            parts[threadIdx.x].add(parts[threadIdx.x + half]);
        __syncthreads();
    }
    for (int k = threadIdx.x; bins && k < NEAR; k += THREADS)
        if (near[k] > 0)
            atomicAdd(work.pairs + k, (unsigned long long)near[k]);
    if (threadIdx.x > 0)
        return;
    struct row_counts *counts = work.counts + blockIdx.x;
    counts->reached = parts[0].reached;
    put(counts->most, parts[0].most);
    put(counts->sum, parts[0].sum);
    counts->harmonic = parts[0].harmonic;
    counts->high = 0;
}

/* The bits of what is at least 0 are in its order. */
__device__ __forceinline__ unsigned long long bits_of(long long whole)
{
    return (unsigned long long)whole;
}

__device__ __forceinline__ unsigned long long bits_of(double real)
{
    return (unsigned long long)__double_as_longlong(real);
}

template <class T>
__global__ void __launch_bounds__(THREADS) columns_kernel(const struct work<T> work)
{
    const size_t j = (size_t)blockIdx.x * THREADS + threadIdx.x, lo = (size_t)blockIdx.y * STEP;
    if (j >= work.n)
        return;
    unsigned long long reached = 0;
    T most = 0;
#pragma unroll 8
    for (size_t i = lo; i < lo + STEP && i < work.count; i++) {
        const T value = work.rows[i * work.stride + j];
        if (std::is_floating_point_v<T> ? !(value < work.infinite) : value == work.infinite)
            continue;
        reached = REDUCE_COUNT(reached, 1);
        most = REDUCE_MOST(most, value);
    }
    atomicAdd(work.reached + j, reached);
    atomicMax(work.most + j, bits_of((sum_of<T>)most));
}

template <class T>
void count(const struct accumulator_device *accumulator, const struct accumulator_lane *lane,
           const struct block *block)
{
    struct work<T> work = {
    };
    work.rows = (const T *)block->device;
    work.n = block->n;
    work.stride = block->device_stride;
    work.count = block->count;
    work.infinite = infinite_of<T>(block->dtype);
    work.counted = accumulator->plan->counted;
    work.bins = accumulator->plan->bins;
    work.counts = lane->counts;
    work.most = accumulator->most;
    work.reached = accumulator->reached;
    work.pairs = accumulator->pairs;
    rows_kernel<T><<<(unsigned)work.count, THREADS, 0, lane->stream>>>(work);
    GPU_CHECK(gpuGetLastError());
    if (!(work.counted & APSP_STATS_IN))
        return;
    dim3 grid((unsigned)((work.n + THREADS - 1) / THREADS),
              (unsigned)((work.count + STEP - 1) / STEP));
    columns_kernel<T><<<grid, THREADS, 0, lane->stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

size_t device_layout(struct accumulator_device *accumulator, const struct accumulator_plan *plan,
                     char *base)
{
    struct mem_layout layout = {base, 0};
    const size_t columns = plan->counted & APSP_STATS_IN ? plan->n : 0;
    const size_t bins = plan->counted & APSP_STATS_HISTOGRAM ? plan->bins.count : 0;
    accumulator->most =
        (unsigned long long *)mem_place(&layout, columns, sizeof *accumulator->most);
    accumulator->reached =
        (unsigned long long *)mem_place(&layout, columns, sizeof *accumulator->reached);
    accumulator->pairs = (unsigned long long *)mem_place(&layout, bins, sizeof *accumulator->pairs);
    return layout.bytes;
}

} // namespace

static size_t need(const struct accumulator_plan *plan)
{
    enum { COUNTS = 8 << 20 }; /* of the rows of blocks, of all workers */
    static thread_local struct accumulator_device accumulator;
    size_t bytes;
    mem_add(&bytes, device_layout(&accumulator, plan, NULL), COUNTS);
    return bytes;
}

static int open_device(struct accumulator_device **out, const struct accumulator_plan *plan,
                       struct apsp_error *error)
{
    struct accumulator_device *accumulator = *out =
        (struct accumulator_device *)calloc(1, sizeof *accumulator);
    const size_t bytes = accumulator ? device_layout(accumulator, plan, NULL) : 0;
    if (!accumulator)
        return error_set(error, APSP_MEMORY, "no memory for statistics");
    accumulator->plan = plan;
    GPU_CHECK(gpuGetDevice(&accumulator->number));
    if (gpuMalloc((void **)&accumulator->memory, bytes + 1) != gpuSuccess) {
        (void)gpuGetLastError();
        free(accumulator);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory on the GPU for statistics, %zu bytes",
                         bytes);
    }
    device_layout(accumulator, plan, accumulator->memory);
    GPU_CHECK(gpuMemset(accumulator->memory, 0, bytes + 1));
    GPU_CHECK(gpuStreamSynchronize(0)); /* for which streams of workers do not wait */
    return APSP_OK;
}

/* Streams of the workers do not wait for each other. */
static int open_lane(struct accumulator_lane *lane, size_t rows, struct apsp_error *error)
{
    if (!lane->stream)
        GPU_CHECK(gpuStreamCreateWithPriority(&lane->stream, gpuStreamNonBlocking, 0));
    if (lane->room >= rows)
        return APSP_OK;
    if (lane->counts)
        GPU_CHECK(gpuFree(lane->counts));
    lane->room = rows;
    if (gpuMalloc((void **)&lane->counts, rows * sizeof *lane->counts) == gpuSuccess)
        return APSP_OK;
    (void)gpuGetLastError();
    lane->counts = NULL;
    lane->room = 0;
    return error_set(error, APSP_MEMORY, "no memory on the GPU for the counts of %zu rows", rows);
}

static int take_block(struct accumulator_device *accumulator, int number, const struct block *block,
                      struct row_counts *counts, struct apsp_error *error)
{
    static void (*const table[])(const struct accumulator_device *, const struct accumulator_lane *,
                                 const struct block *) = {
        count<uint16_t>, count<int32_t>, count<int64_t>, count<float>, count<double>};
    static_assert(sizeof table / sizeof *table == DTYPE_COUNT, "in the order of enum dtype");
    struct accumulator_lane *lane = &accumulator->lane[number];
    GPU_CHECK(gpuSetDevice(accumulator->number));
    if (open_lane(lane, block->count, error))
        return error->code;
    table[block->dtype](accumulator, lane, block);
    GPU_CHECK(gpuMemcpyAsync(counts, lane->counts, block->count * sizeof *counts,
                             gpuMemcpyDeviceToHost, lane->stream));
    GPU_CHECK(gpuStreamSynchronize(lane->stream));
    return APSP_OK;
}

/* All workers are done: a few of the words at a time. */
static void fetch(size_t *to, const unsigned long long *from, size_t count, bool most)
{
    constexpr size_t PIECE = 1 << 14;
    static thread_local size_t words[PIECE];
    for (size_t at = 0; to && at < count; at += PIECE) {
        const size_t length = count - at < PIECE ? count - at : PIECE;
        GPU_CHECK(gpuMemcpy(words, from + at, length * sizeof *words, gpuMemcpyDeviceToHost));
        for (size_t k = 0; k < length; k++)
            to[at + k] = !most                   ? to[at + k] + words[k]
                         : words[k] > to[at + k] ? words[k]
                                                 : to[at + k];
    }
}

static void end_device(struct accumulator_device *accumulator, struct accumulator_sum *sum)
{
    GPU_CHECK(gpuSetDevice(accumulator->number));
    fetch(sum->most, accumulator->most, accumulator->plan->n, true);
    fetch(sum->reached, accumulator->reached, accumulator->plan->n, false);
    fetch(sum->pairs, accumulator->pairs, accumulator->plan->bins.count, false);
}

static void free_device(struct accumulator_device *accumulator)
{
    GPU_RELEASE(gpuSetDevice(accumulator->number));
    for (struct accumulator_lane &lane : accumulator->lane) {
        if (lane.counts)
            GPU_RELEASE(gpuFree(lane.counts));
        if (lane.stream)
            GPU_RELEASE(gpuStreamDestroy(lane.stream));
    }
    if (accumulator->memory)
        GPU_RELEASE(gpuFree(accumulator->memory));
    free(accumulator);
}

/* Not a constant of the file: HIP would have it on the device too. */
extern "C" const struct accumulator_device_ops *accumulator_device(void)
{
    static const struct accumulator_device_ops ops = {need, open_device, take_block, end_device,
                                                      free_device};
    return &ops;
}
