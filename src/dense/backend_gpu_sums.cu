/* The word sums of the GPU backend. Kernels add up what they read and write of the strip, and the
 * panels that they write; panels that are no longer needed are read once again. */
#include "dense/backend_gpu.h"

#include <cstdlib>

extern "C" {
#include "dense/schedule.h"
}

static size_t entries(const struct backend_plan *plan)
{
    return schedule_rounds(plan->n, plan->ranks, plan->tile) + 1;
}

size_t gpu_sums_bytes(const struct backend_plan *plan)
{
    return plan->sums ? mem_bytes(entries(plan), GPU_SUM_SLOTS * sizeof(struct sums)) : 0;
}

gpuError_t gpu_sums_open(struct gpu *gpu)
{
    struct gpu_sums *sums = &gpu->sums;
    int lowest = 0, highest = 0;
    gpuError_t status = gpuSuccess;
    if (!gpu->base.plan.sums)
        return status;
    sums->device = (struct sums *)(gpu->memory + gpu->layout.sums);
    status = gpuHostAlloc((void **)&sums->host, gpu_sums_bytes(&gpu->base.plan));
    if (status == gpuSuccess)
        status = gpuDeviceGetStreamPriorityRange(&lowest, &highest);
    if (status == gpuSuccess)
        status = gpuStreamCreateWithPriority(&sums->queue, gpuStreamNonBlocking, highest);
    for (int s = 0; s < 2 && status == gpuSuccess; s++)
        status = gpuEventCreateWithFlags(&sums->checked[s], gpuEventDisableTiming);
    return status;
}

void gpu_sums_free(struct gpu *gpu)
{
    struct gpu_sums *sums = &gpu->sums;
    for (gpuEvent_t event : sums->checked)
        if (event)
            GPU_RELEASE(gpuEventDestroy(event));
    if (sums->queue)
        GPU_RELEASE(gpuStreamDestroy(sums->queue));
    if (sums->host)
        GPU_RELEASE(gpuHostFree(sums->host));
}

struct backend_area gpu_area(struct backend *backend, enum sum_area which, int slot,
                             struct range pivot)
{
    const struct gpu *gpu = (const struct gpu *)backend;
    const struct gpu_layout *layout = &gpu->layout;
    size_t rows = range_length(backend->plan.rows), width = backend->plan.n * gpu->bytes,
           operand = gpu_operand_bytes(backend->plan.dtype), w = range_length(pivot);
    switch (which) {
    case SUM_STRIP:
        return {gpu->memory, rows, width, layout->ld * gpu->bytes};
    case SUM_RAW:
        return {gpu->panels + layout->raw[slot], gpu_is_alone(gpu) ? 0 : w, width, width};
    case SUM_ROW:
        return {gpu->memory + layout->row[slot], gpu_filled(w), width, layout->row_ld * gpu->bytes};
    default:
        return {gpu->memory + layout->col[slot], gpu_filled(w), rows * operand,
                layout->col_ld * operand};
    }
}

static void sum(const struct backend_area &area, uint32_t *to, uint32_t *also, gpuStream_t queue)
{
    gpu_sum(area.at, area.rows, area.width, area.pitch, to, also, queue);
}

static void sum_strip(struct gpu *gpu, uint32_t *to)
{
    sum(gpu_area(&gpu->base, SUM_STRIP, 0, {0, 0}), to, NULL, gpu->queue[BACKEND_AHEAD]);
}

static struct sums *round_sums(const struct gpu *gpu, size_t round)
{
    return gpu->sums.device + round * GPU_SUM_SLOTS;
}

void gpu_sums_begin(struct gpu *gpu)
{
    if (!gpu->sums.device)
        return;
    gpu->sums.closed = 0;
    GPU_CHECK(gpuMemsetAsync(gpu->sums.device, 0, gpu_sums_bytes(&gpu->base.plan),
                             gpu->queue[BACKEND_AHEAD]));
    sum_strip(gpu, &round_sums(gpu, 0)->of[SUM_STRIP].wrote);
}

void gpu_sums_end(struct gpu *gpu)
{
    if (!gpu->sums.device)
        return;
    for (gpuEvent_t event : gpu->sums.checked)
        GPU_CHECK(gpuStreamWaitEvent(gpu->queue[BACKEND_AHEAD], event, 0));
    sum_strip(gpu, &round_sums(gpu, gpu->sums.closed)->of[SUM_STRIP].read);
    GPU_CHECK(gpuMemcpyAsync(gpu->sums.host, gpu->sums.device, gpu_sums_bytes(&gpu->base.plan),
                             gpuMemcpyDeviceToHost, gpu->queue[BACKEND_AHEAD]));
}

void gpu_sums_fold(struct gpu *gpu)
{
    struct sums *host = gpu->sums.host;
    for (size_t r = 0; host && r < entries(&gpu->base.plan); r++) {
        struct sums all = {};
        for (int s = 0; s < GPU_SUM_SLOTS; s++)
            for (int a = 0; a < SUM_AREAS; a++) {
                all.of[a].wrote += host[r * GPU_SUM_SLOTS + s].of[a].wrote;
                all.of[a].read += host[r * GPU_SUM_SLOTS + s].of[a].read;
            }
        host[r] = all;
    }
}

static uint32_t *sent_sum(const struct gpu *gpu, int slot, struct range pivot)
{
    size_t bytes = backend_raw_bytes(&gpu->base.plan, range_length(pivot));
    return (uint32_t *)(gpu->panels + gpu->layout.raw[slot] + bytes - sizeof(uint32_t));
}

void gpu_sums_pick(struct gpu *gpu, int slot, struct range pivot)
{
    uint32_t *sent = sent_sum(gpu, slot, pivot);
    if (!gpu->sums.device)
        return;
    GPU_CHECK(gpuMemsetAsync(sent, 0, sizeof *sent, gpu->queue[BACKEND_AHEAD]));
    sum(gpu_area(&gpu->base, SUM_RAW, slot, pivot), sent,
        &round_sums(gpu, gpu->sums.closed)->of[SUM_STRIP].read, gpu->queue[BACKEND_AHEAD]);
}

void gpu_sums_close(struct gpu *gpu, int slot)
{
    struct gpu_sums *sums = &gpu->sums;
    if (!sums->device)
        return;
    sums->round[slot] = sums->closed++;
    GPU_CHECK(gpuStreamWaitEvent(gpu->queue[BACKEND_AHEAD], sums->checked[slot], 0));
    if (!gpu_is_alone(gpu))
        GPU_CHECK(gpuMemcpyAsync(&round_sums(gpu, sums->round[slot])->of[SUM_RAW].wrote,
                                 sent_sum(gpu, slot, gpu->pivot[slot]), sizeof(uint32_t),
                                 gpuMemcpyDeviceToDevice, gpu->queue[BACKEND_AHEAD]));
}

/* Behind all that the round has enqueued; the round after next writes the panels again. */
void gpu_sums_panels(struct gpu *gpu, int slot)
{
    struct gpu_sums *sums = &gpu->sums;
    if (!sums->device)
        return;
    struct sums *round = round_sums(gpu, sums->round[slot]);
    for (int queue : {BACKEND_AHEAD, BACKEND_BULK}) {
        GPU_CHECK(gpuEventRecord(gpu->order[queue], gpu->queue[queue]));
        GPU_CHECK(gpuStreamWaitEvent(sums->queue, gpu->order[queue], 0));
    }
    for (enum sum_area area : {SUM_ROW, SUM_COL})
        sum(gpu_area(&gpu->base, area, slot, gpu->pivot[slot]), &round->of[area].read, NULL,
            sums->queue);
    GPU_CHECK(gpuEventRecord(sums->checked[slot], sums->queue));
}

const struct sums *gpu_sums_found(struct backend *backend)
{
    return ((const struct gpu *)backend)->sums.host;
}
