/* Rows of distances converted on the GPU (rows/convert.h), at the speed of its memory. */
#ifndef GPU_CONVERT_H
#define GPU_CONVERT_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/range.h"
#include "rows/convert.h"
}

enum { GPU_CONVERT_ROWS = 65535 }; /* that one call takes at most: a grid is no higher */

/*
 * The rows of these vertices: those at `from` are `ld` values apart, ld and `from` multiples of 16
 * bytes; at `to` they are `to_ld` values apart. All of it, potentials too, is device memory.
 * Enqueues and returns.
 */
void gpu_convert(const struct conversion *conversion, struct range rows, const void *from,
                 size_t ld, void *to, size_t to_ld, gpuStream_t stream);

#endif
