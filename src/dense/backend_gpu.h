/* The state of the GPU backend, for its parts: its memory (backend_gpu_memory.cu), building
 * (backend_gpu_build.cu), rounds (backend_gpu.cu), their sums (backend_gpu_sums.cu) and fetching
 * (backend_gpu_fetch.cu). transport_peer.cu reads it too. */
#ifndef BACKEND_GPU_H
#define BACKEND_GPU_H

#include <cstddef>
#include <cstdint>
#include <cstdio>

extern "C" {
#include "base/mem.h"
#include "comm/comm.h"
#include "dense/backend.h"
}

#include "kernels/gpu/kernels.h"

/* Edges on their way to the device, in two buffers in alternation. */
enum { GPU_EDGES = 1 << 16, GPU_BUFFERS = 2 };
static const size_t gpu_edge_bytes = GPU_EDGES * sizeof(struct edge); /* of a buffer */
struct gpu_upload {
    struct edge *host[GPU_BUFFERS];
    void *device[GPU_BUFFERS];
    gpuEvent_t idle[GPU_BUFFERS]; /* recorded when the device has done with the buffer */
    unsigned long long *parallel; /* device */
    int next;
};

/* Offsets in the one allocation, in bytes; leading dimensions in elements. */
struct gpu_layout {
    size_t ld, row_ld, col_ld, depth;
    size_t row[2], col[2], closed, edges[GPU_BUFFERS], parallel;
    size_t stage[BACKEND_LANES]; /* of gpu_stage_rows() rows on their way out */
    size_t potentials, sums, total;
    size_t raw[2], raw_total; /* in the allocation of the raw panels */
};

/* A stretch of work between two events, to be added to *sum. */
enum { GPU_SPANS = 384 };
struct gpu_span {
    gpuEvent_t from, to;
    double *sum;
};

/* One round's wait for its raw panel: the device is idle from the later of `ahead` and `bulk`, the
 * ends of what it had to do, to `arrived`. */
enum { GPU_WAITS = 64 };
struct gpu_wait {
    gpuEvent_t ahead, bulk, arrived;
};

/* The sums of the rounds, on the device and, when all is done, on the host. Panels are read again
 * on a queue of their own, beside the next round, before they are written again. */
struct gpu_sums {
    struct sums *device, *host; /* GPU_SUM_SLOTS each of all rounds and one more; NULL: none */
    size_t closed;   /* rounds whose panels have been closed, or will be by what is enqueued */
    size_t round[2]; /* of the slots */
    gpuStream_t queue;
    gpuEvent_t checked[2];
};

struct gpu {
    struct backend base;
    struct gpu_kernels kernels;
    struct gpu_layout layout;
    size_t bytes; /* of an element */
    char *memory; /* D, then all else */
    char *panels; /* the raw panels, apart, so that other processes map them alone; NULL with one
                     rank */
    int processors;
    bool timed; /* phase by phase */
    gpuStream_t queue[BACKEND_QUEUES], lane[BACKEND_LANES];
    gpuEvent_t order[BACKEND_QUEUES]; /* between the queues */
    gpuEvent_t marks[BACKEND_MARKS];
    gpuEvent_t begun, ended;
    struct gpu_span spans[GPU_SPANS];
    size_t span_first, span_count;
    struct gpu_wait waits[GPU_WAITS];
    size_t wait_first, wait_count; /* those whose end has been enqueued */
    struct backend_times times;
    struct range pivot[2]; /* of the slots */
    struct gpu_sums sums;
    struct gpu_upload upload;
    bool shifted; /* potentials have been set */
    char text[160];
};

/* backend_gpu_memory.cu */
size_t gpu_tile(size_t n, int ranks, enum dtype dtype);
struct backend_need gpu_need(const struct backend_plan *plan);
double gpu_rate(const struct backend_plan *plan, bool measured);
const char *gpu_describe(const struct backend *backend);
int gpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error);
void gpu_free(struct backend *backend);
bool gpu_pin(struct backend *backend, void *memory, size_t bytes);
void gpu_unpin(struct backend *backend, void *memory);

/* backend_gpu_sums.cu; nothing happens where the plan has no sums. */
size_t gpu_sums_bytes(const struct backend_plan *plan);
gpuError_t gpu_sums_open(struct gpu *gpu);
void gpu_sums_free(struct gpu *gpu);
void gpu_sums_begin(struct gpu *gpu);
void gpu_sums_end(struct gpu *gpu);  /* before the last event */
void gpu_sums_fold(struct gpu *gpu); /* after the last event */
void gpu_sums_pick(struct gpu *gpu, int slot,
                   struct range pivot);          /* the raw panel has been filled here */
void gpu_sums_close(struct gpu *gpu, int slot);  /* before the panel is closed */
void gpu_sums_panels(struct gpu *gpu, int slot); /* the panels are not needed any more */
struct backend_area gpu_area(struct backend *backend, enum sum_area which, int slot,
                             struct range pivot);
const struct sums *gpu_sums_found(struct backend *backend);

/* backend_gpu_build.cu. Filling: infinity, zero on the diagonal; on the bulk queue. */
void gpu_fill(struct gpu *gpu);
gpuError_t gpu_upload_open(struct gpu *gpu);
void gpu_upload_free(struct gpu *gpu);
void gpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel);
void gpu_build_done(struct backend *backend, size_t *parallel);

/* backend_gpu_fetch.cu */
void gpu_potentials(struct backend *backend, const void *h);
void gpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
               struct block *block);
bool gpu_fetch_copies(const struct backend_plan *plan);
size_t gpu_fetch_rows(const struct backend_plan *plan);
/* Rows that a worker converts at a time; 0: they are given out as they are. */
size_t gpu_stage_rows(const struct backend_plan *plan);

static inline bool gpu_is_alone(const struct gpu *gpu)
{
    return gpu->base.plan.ranks <= 1;
}

/* The strip from this row on. */
static inline void *gpu_row(const struct gpu *gpu, size_t row)
{
    return gpu->memory + (row - gpu->base.plan.rows.lo) * gpu->layout.ld * gpu->bytes;
}

#endif
