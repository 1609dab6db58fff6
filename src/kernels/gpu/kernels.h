/*
 * The GPU kernels of a round, by type and by how the parts of a path combine. All pointers are
 * device memory; every function enqueues and returns. Pivots are vertices of a square matrix, of
 * which there may be some consecutive rows only: row and column numbers are those of the whole.
 */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/algebra.h"
#include "base/range.h"
#include "kernels/sums.h"
}

enum {
    GPU_TILE_MAX = 128, /* the widest pivot */
    GPU_FILL = 32, /* panels are infinite from the pivot's width up to a multiple of so many k */
    GPU_SUM_SLOTS =
        16, /* the sums of a round, to be added up, so that blocks do not wait for each other */
    GPU_PANEL_PAD = 256 /* panels may be read this far beyond their last column */
};

struct gpu_round {
    struct range pivot;
    size_t first_row; /* number of the row at d */
    void *d;
    size_t ld;
    const void *raw; /* pivot rows before they are closed: row-major, may lie in d */
    size_t raw_ld;
    bool raw_in_d;
    bool inside;     /* the pivot rows are among those at d */
    void *closed;    /* the closed pivot tile and its transpose, depth x depth operands each */
    void *row, *col; /* closed panels: entry k of column j or of row i is at [k][j] or [k][i -
                        first_row]; depth rows; of elements (row) and of operands (col) */
    size_t row_ld, col_ld;
    size_t depth;      /* gpu_depth(tile) */
    struct sums *sums; /* GPU_SUM_SLOTS of this round, then of the next, to add to; NULL: none */
};

struct gpu_kernels {
    gpuError_t (*prepare)(void); /* once per device, before all others */
    void (*close)(const struct gpu_round *round, gpuStream_t stream); /* phase 1: raw to closed */
    void (*panels)(const struct gpu_round *round, const struct ranges *rows,
                   const struct ranges *cols, gpuStream_t stream); /* phase 2 */
    void (*relax)(const struct gpu_round *round, const struct ranges *rows,
                  const struct ranges *cols, int processors, gpuStream_t stream); /* phase 3 */
};

struct gpu_kernels gpu_kernels_of(enum dtype dtype, enum combine combine);
struct gpu_kernels gpu_kernels_maxima(enum dtype dtype); /* those of COMBINE_MAX */

/* Adds the words of rows of so many bytes, `pitch` apart, to *to and, unless it is NULL, to *also.
 */
void gpu_sum(const void *at, size_t rows, size_t width, size_t pitch, uint32_t *to, uint32_t *also,
             gpuStream_t stream);

/* Bytes of a value where it is the operand that meets several others at once (op.cuh). */
static inline size_t gpu_operand_bytes(enum dtype dtype)
{
    return dtype == DTYPE_U16 ? 2 * dtype_info[dtype].bytes : dtype_info[dtype].bytes;
}

/* How many k panels have that are so wide. */
static inline size_t gpu_filled(size_t width)
{
    return (width + GPU_FILL - 1) / GPU_FILL * GPU_FILL;
}

/* Room for k in the panels, and side of the closed tile, when pivots are at most `tile` wide. */
static inline size_t gpu_depth(size_t tile)
{
    return tile <= 64 ? 64 : 128;
}

#endif
