/* The columns of halves on their way from the device (rows/half.h). */
#include "sparse/gpu/expander.h"

void gpu_expander_half_place(struct gpu_making *making, struct mem_layout *layout, size_t n)
{
    making->column.sum = (int64_t *)mem_place(layout, n, sizeof *making->column.sum);
    making->column.most = (int64_t *)mem_place(layout, n, sizeof *making->column.most);
    making->column.reached = (uint32_t *)mem_place(layout, n, sizeof *making->column.reached);
}

int gpu_expander_half_start(struct gpu_expander *gpu, struct apsp_error *error)
{
    const struct expander_request *request = &gpu->base.request;
    const struct walk_columns *column = &gpu->making.column;
    const size_t n = gpu->tree->n;
    gpu->half = NULL;
    if (!request->halves)
        return APSP_OK;
    gpu->half = request->half.take(request->half.self, 0, DTYPE_I64, gpu->tree->vertex);
    if (!gpu->half)
        return error_set(error, APSP_MEMORY, "no memory for the counts of %zu columns", n);
    GPU_CHECK(gpuMemsetAsync(column->sum, 0, n * sizeof *column->sum, gpu->stream));
    GPU_CHECK(gpuMemsetAsync(column->most, 0, n * sizeof *column->most, gpu->stream));
    GPU_CHECK(gpuMemsetAsync(column->reached, 0, n * sizeof *column->reached, gpu->stream));
    return APSP_OK;
}

/* Each source counts as one that reaches the vertices before it, from the group's least on: the
 * device takes off what is lost. */
void gpu_expander_half_group(struct gpu_expander *gpu, const struct walk_group *group)
{
    uint32_t *before = gpu->half->before;
    for (uint32_t position = group->low; position <= group->high; position++)
        before[position]++;
    before[group->least] -= group->high - group->low + 1;
}

void gpu_expander_half_end(struct gpu_expander *gpu)
{
    const struct walk_columns *column = &gpu->making.column;
    const struct half_counts *half = gpu->half;
    auto copy = [gpu](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyDeviceToHost, gpu->stream));
    };
    if (!half)
        return;
    copy(half->sum, column->sum, gpu->tree->n * sizeof *half->sum);
    copy(half->most, column->most, gpu->tree->n * sizeof *column->most);
    copy(half->reached, column->reached, gpu->tree->n * sizeof *half->reached);
    GPU_CHECK(gpuStreamSynchronize(gpu->stream));
    gpu->half = NULL;
}
