/* Rows of values from the planes of levels of a batch on a GPU: words of 32 sources are transposed,
 * and their levels become values by a table (sssp/levels.h). */
#ifndef SSSP_GPU_LEVELS_H
#define SSSP_GPU_LEVELS_H

#include "sssp/gpu/waves.h"

extern "C" {
#include "base/dtype.h"
}

struct gpu_levels {
    const void *value;      /* For levels 0 .. 2^planes - 1, then for unreached vertices. */
    size_t first, count;    /* Sources of the batch; first is a multiple of 32. */
    const uint32_t *column; /* Their rows have values of these new numbers. */
    size_t columns;
    void *rows; /* `stride` values apart */
    size_t stride;
};

/* All of it is device memory. Enqueues and returns. */
void gpu_levels_rows(const struct gpu_waves *waves, const struct gpu_levels *levels, size_t bytes,
                     gpuStream_t stream);

#endif
