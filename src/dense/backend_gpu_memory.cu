/* The GPU backend's resources: one allocation for the strip and the panels, queues, events. */
#include "dense/backend_gpu.h"

extern "C" {
#include "base/text.h"
}

#include <cstdio>
#include <cstdlib>

enum { GPU_LINE = 128 }; /* rows start at multiples of so many bytes */

size_t gpu_tile(size_t n, int ranks, enum dtype dtype)
{
    (void)ranks;
    (void)dtype;
    return n < 2500 ? 64 : 128;
}

static size_t round_up(size_t value, size_t unit)
{
    size_t sum;
    mem_add(&sum, value, unit - 1);
    return sum / unit * unit;
}

/* Adds a x b elements to the allocation and returns where they start. */
static size_t layout_take(struct gpu_layout *layout, size_t a, size_t b, size_t bytes)
{
    size_t start = layout->total, size;
    mem_mul(&size, a, b);
    mem_mul(&size, size, bytes);
    mem_add(&layout->total, layout->total, round_up(size, 256));
    return start;
}

/* Buffers for what is converted on its way out, and the potentials. */
static void layout_stages(struct gpu_layout *layout, const struct backend_plan *plan)
{
    size_t rows = gpu_stage_rows(plan);
    for (int l = 0; rows > 0 && l < plan->lanes; l++)
        layout->stage[l] = layout_take(layout, rows, plan->n, dtype_info[plan->output].bytes);
    if (plan->shifted)
        layout->potentials = layout_take(layout, plan->n, 1, sizeof(int64_t));
}

static struct gpu_layout layout_of(const struct backend_plan *plan)
{
    size_t bytes = dtype_info[plan->dtype].bytes, operand = gpu_operand_bytes(plan->dtype);
    size_t rows = range_length(plan->rows), unit = GPU_LINE / bytes;
    struct gpu_layout layout = {};
    layout.ld = round_up(plan->n, unit);
    layout.row_ld = round_up(plan->n + GPU_PANEL_PAD, unit);
    layout.col_ld = round_up(rows + GPU_PANEL_PAD, unit);
    layout.depth = gpu_depth(plan->tile);
    layout_take(&layout, rows, layout.ld, bytes);
    for (int s = 0; s < 2; s++) {
        layout.row[s] = layout_take(&layout, layout.depth, layout.row_ld, bytes);
        layout.col[s] = layout_take(&layout, layout.depth, layout.col_ld, operand);
    }
    layout.closed = layout_take(&layout, 2 * layout.depth, layout.depth, operand);
    for (int b = 0; b < GPU_BUFFERS; b++)
        layout.edges[b] = layout_take(&layout, 1, 1, gpu_edge_bytes);
    layout.parallel = layout_take(&layout, 1, 1, sizeof(unsigned long long));
    layout_stages(&layout, plan);
    layout.sums = layout_take(&layout, 1, 1, gpu_sums_bytes(plan));
    if (plan->ranks > 1) {
        struct gpu_layout panels = {};
        for (int s = 0; s < 2; s++)
            layout.raw[s] = layout_take(&panels, 1, 1, backend_raw_bytes(plan, layout.depth));
        layout.raw_total = panels.total;
    }
    return layout;
}

struct backend_need gpu_need(const struct backend_plan *plan)
{
    struct backend_need need = {};
    mem_add(&need.host, sizeof(struct gpu) + GPU_BUFFERS * gpu_edge_bytes, gpu_sums_bytes(plan));
    struct gpu_layout layout = layout_of(plan);
    mem_add(&need.device, layout.total, layout.raw_total);
    return need;
}

/* Relaxations a clock of each multiprocessor: what the ceilings of the types come to on an H200.
 * AMD: 64 lanes of a compute unit by the instructions of one (tests/hip/assembly.sh). */
double gpu_rate(const struct backend_plan *plan, bool)
{
#ifdef __HIP__
    static const double per_clock[COMBINES][DTYPE_COUNT] = {{64, 43, 13, 60, 31},
                                                            {64, 43, 31, 43, 31}};
#else
    static const double per_clock[COMBINES][DTYPE_COUNT] = {{122, 61, 12, 61, 19},
                                                            {81, 42, 13, 42, 13}};
#endif
    return per_clock[plan->combine][plan->dtype] * gpu_cycles(plan->device);
}

const char *gpu_describe(const struct backend *backend)
{
    return ((const struct gpu *)backend)->text;
}

typedef gpuError_t event_visitor(gpuEvent_t *event, unsigned flags);

/* Makes or frees all events of the backend; stops at the first failure. */
static gpuError_t each_event(struct gpu *gpu, event_visitor *visit)
{
    gpuError_t status = visit(&gpu->begun, 0);
    if (status == gpuSuccess)
        status = visit(&gpu->ended, 0);
    for (int q = 0; q < BACKEND_QUEUES && status == gpuSuccess; q++)
        status = visit(&gpu->order[q], gpuEventDisableTiming);
    for (int m = 0; m < BACKEND_MARKS && status == gpuSuccess; m++)
        status = visit(&gpu->marks[m], gpuEventDisableTiming);
    for (int s = 0; s < GPU_SPANS && status == gpuSuccess; s++)
        if ((status = visit(&gpu->spans[s].from, 0)) == gpuSuccess)
            status = visit(&gpu->spans[s].to, 0);
    for (int w = 0; w < GPU_WAITS && status == gpuSuccess; w++) {
        struct gpu_wait *wait = &gpu->waits[w];
        for (gpuEvent_t *event : {&wait->ahead, &wait->bulk, &wait->arrived})
            if (status == gpuSuccess)
                status = visit(event, 0);
    }
    return status;
}

static gpuError_t make_event(gpuEvent_t *event, unsigned flags)
{
    return gpuEventCreateWithFlags(event, flags);
}

static gpuError_t free_event(gpuEvent_t *event, unsigned)
{
    if (*event)
        GPU_RELEASE(gpuEventDestroy(*event));
    return gpuSuccess;
}

void gpu_free(struct backend *backend)
{
    struct gpu *gpu = (struct gpu *)backend;
    if (!gpu)
        return;
    GPU_RELEASE(gpuSetDevice(backend->plan.device));
    gpu_upload_free(gpu);
    gpu_sums_free(gpu);
    (void)each_event(gpu, free_event);
    for (gpuStream_t stream : gpu->queue)
        if (stream)
            GPU_RELEASE(gpuStreamDestroy(stream));
    for (gpuStream_t stream : gpu->lane)
        if (stream)
            GPU_RELEASE(gpuStreamDestroy(stream));
    if (gpu->panels)
        GPU_RELEASE(gpuFree(gpu->panels));
    if (gpu->memory)
        GPU_RELEASE(gpuFree(gpu->memory));
    free(gpu);
}

static gpuError_t open_queues(struct gpu *gpu)
{
    int lowest = 0, highest = 0;
    gpuError_t status = gpuDeviceGetStreamPriorityRange(&lowest, &highest);
    for (int q = 0; q < BACKEND_QUEUES && status == gpuSuccess; q++)
        status = gpuStreamCreateWithPriority(&gpu->queue[q], gpuStreamNonBlocking,
                                             q == BACKEND_BULK ? lowest : highest);
    for (int l = 0; l < gpu->base.plan.lanes && status == gpuSuccess; l++)
        status = gpuStreamCreateWithPriority(&gpu->lane[l], gpuStreamNonBlocking, lowest);
    return status == gpuSuccess ? each_event(gpu, make_event) : status;
}

static gpuError_t open_device(struct gpu *gpu)
{
    gpuDeviceProp properties;
    gpuError_t status = gpu_use(gpu->base.plan.device);
    if (status == gpuSuccess)
        status = gpuGetDeviceProperties(&properties, gpu->base.plan.device);
    if (status != gpuSuccess)
        return status;
    gpu->processors = properties.multiProcessorCount;
    snprintf(gpu->text, sizeof gpu->text, "%.80s, %.1f GiB, %d multiprocessors", properties.name,
             (double)properties.totalGlobalMem / 1073741824.0, gpu->processors);
    status = gpu->kernels.prepare();
    if (status == gpuSuccess)
        status = gpuMalloc((void **)&gpu->memory, gpu->layout.total);
    if (status == gpuSuccess && gpu->layout.raw_total > 0)
        status = gpuMalloc((void **)&gpu->panels, gpu->layout.raw_total);
    if (status == gpuSuccess)
        status = open_queues(gpu);
    if (status == gpuSuccess)
        status = gpu_upload_open(gpu);
    if (status == gpuSuccess)
        status = gpu_sums_open(gpu);
    return status;
}

static int refuse(struct gpu *gpu, gpuError_t status, struct apsp_error *error)
{
    const struct backend_plan *plan = &gpu->base.plan;
    char needs[TEXT_SHORT];
    snprintf(needs, sizeof needs, "a strip of %zu x %zu with its panels needs",
             range_length(plan->rows), plan->n);
    return gpu_refuse(plan->device, status, needs, gpu_need(plan).device, error);
}

int gpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error)
{
    *backend = NULL;
    struct gpu *gpu = (struct gpu *)calloc(1, sizeof *gpu);
    if (!gpu)
        return error_set(error, APSP_MEMORY, "out of memory: backend, %zu bytes", sizeof *gpu);
    gpu->base = backend_start(&backend_gpu, plan);
    gpu->kernels = gpu_kernels_of(plan->dtype, plan->combine);
    gpu->bytes = dtype_info[plan->dtype].bytes;
    gpu->layout = layout_of(plan);
    gpuError_t status = open_device(gpu);
    if (status != gpuSuccess) {
        refuse(gpu, status, error);
        gpu_free(&gpu->base);
        return error->code;
    }
    gpu_fill(gpu);
    *backend = &gpu->base;
    return APSP_OK;
}

bool gpu_pin(struct backend *, void *memory, size_t bytes)
{
    if (gpuHostRegister(memory, bytes, gpuHostRegisterDefault) == gpuSuccess)
        return true;
    (void)gpuGetLastError();
    return false;
}

void gpu_unpin(struct backend *, void *memory)
{
    GPU_RELEASE(gpuHostUnregister(memory));
}
