/*
 * Rows of distances on their way to the host. Where the type or potentials ask for it, they are
 * converted to the output type on the device, a stage at a time; the copies take far longer than
 * that.
 */
#include "dense/backend_gpu.h"

#include "rows/gpu/convert.h"

enum { STAGE = 8 << 20 }; /* bytes, about */

size_t gpu_stage_rows(const struct backend_plan *plan)
{
    const size_t row = mem_bytes(plan->n, dtype_info[plan->output].bytes), most = GPU_CONVERT_ROWS;
    const size_t rows = row < STAGE ? STAGE / row : 1;
    if (!convert_changes(plan->dtype, plan->output, plan->shifted))
        return 0;
    return rows < most ? rows : most;
}

size_t gpu_fetch_rows(const struct backend_plan *plan)
{
    size_t rows = gpu_stage_rows(plan);
    return rows > 0 ? rows : SIZE_MAX;
}

bool gpu_fetch_copies(const struct backend_plan *)
{
    return true;
}

void gpu_potentials(struct backend *backend, const void *h)
{
    struct gpu *gpu = (struct gpu *)backend;
    GPU_CHECK(gpuSetDevice(backend->plan.device));
    GPU_CHECK(gpuMemcpyAsync(gpu->memory + gpu->layout.potentials, h,
                             backend->plan.n * sizeof(int64_t), gpuMemcpyHostToDevice,
                             gpu->queue[BACKEND_BULK]));
    GPU_CHECK(gpuStreamSynchronize(gpu->queue[BACKEND_BULK]));
    gpu->shifted = true;
}

static void fetch_converted(struct gpu *gpu, int lane, struct range rows, char *buffer)
{
    const struct backend_plan *plan = &gpu->base.plan;
    size_t row_bytes = plan->n * dtype_info[plan->output].bytes, step = gpu_stage_rows(plan);
    const struct conversion conversion = {
        plan->dtype, plan->output, plan->n,
        gpu->shifted ? gpu->memory + gpu->layout.potentials : NULL, NULL};
    char *stage = gpu->memory + gpu->layout.stage[lane];
    for (struct range part = {rows.lo, 0}; part.lo < rows.hi; part.lo = part.hi) {
        part.hi = rows.hi - part.lo < step ? rows.hi : part.lo + step;
        gpu_convert(&conversion, part, gpu_row(gpu, part.lo), gpu->layout.ld, stage, plan->n,
                    gpu->lane[lane]);
        if (buffer)
            GPU_CHECK(gpuMemcpyAsync(buffer + (part.lo - rows.lo) * row_bytes, stage,
                                     range_length(part) * row_bytes, gpuMemcpyDeviceToHost,
                                     gpu->lane[lane]));
    }
}

void gpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
               struct block *block)
{
    struct gpu *gpu = (struct gpu *)backend;
    const struct backend_plan *plan = &backend->plan;
    size_t width = plan->n * gpu->bytes;
    bool converts = gpu_stage_rows(plan) > 0;
    GPU_CHECK(gpuSetDevice(plan->device));
    if (converts)
        fetch_converted(gpu, lane, rows, (char *)buffer);
    else if (buffer)
        GPU_CHECK(gpuMemcpy2DAsync(buffer, width, gpu_row(gpu, rows.lo),
                                   gpu->layout.ld * gpu->bytes, width, range_length(rows),
                                   gpuMemcpyDeviceToHost, gpu->lane[lane]));
    GPU_CHECK(gpuStreamSynchronize(gpu->lane[lane]));
    *block = {};
    block->n = block->stride = plan->n;
    block->count = range_length(rows);
    block->first = rows.lo;
    block->dtype = plan->output;
    block->values = buffer;
    if (range_length(rows) > gpu_fetch_rows(plan))
        return;
    block->device = converts ? gpu->memory + gpu->layout.stage[lane] : gpu_row(gpu, rows.lo);
    block->device_stride = converts ? plan->n : gpu->layout.ld;
}
