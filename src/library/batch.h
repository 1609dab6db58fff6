/* The steps of one small graph of a batch. Its edges become a matrix of doubles, this matrix a tile
 * of the narrowest type that holds all distances. The closed tile becomes the caller's distances.
 */
#ifndef BATCH_H
#define BATCH_H

#include "apsp.h"
#include "base/dtype.h"
#include "kernels/cpu/small.h"

#include <stdbool.h>

struct relax_kernels;

/* The memory of a thread, for the largest graph. */
struct batch_scratch {
    double *length; /* n x n, infinite without an edge */
    void *tile;     /* the same in the type of the graph, rows `pitch` apart */
    void *before;   /* indices of its width, all ones for none */
    const struct relax_kernels *kernels[DTYPE_COUNT];
    const struct small_kernels *small;
};

struct batch_task {
    const struct apsp_batch_task *batch;
    const struct apsp_small *graph;
    const struct batch_scratch *scratch;
    size_t n, pitch;
};

/* Entries from row to row of a tile: whole cache lines. */
static inline size_t batch_pitch(size_t n, enum dtype type)
{
    const size_t line = 64 / dtype_info[type].bytes;
    return (n + line - 1) / line * line;
}

/* Facts about all finite lengths. */
struct batch_scan {
    double least, most; /* the minimum, 0 at most, and the maximum, 0 at least */
    bool whole;         /* All are integers below 2^51. */
};

/* APSP_INPUT: a vertex or a weight is wrong. APSP_CYCLE: a loop is negative. */
int batch_load(const struct apsp_batch_task *batch, const struct apsp_small *graph,
               const struct batch_scratch *scratch, struct apsp_error *error);
/* APSP_INPUT: a length is -inf. */
int batch_scan(const struct batch_scratch *scratch, size_t n, struct batch_scan *scan,
               struct apsp_error *error);
/* The tile, and `before` if it is wanted. */
void batch_narrow(const struct batch_task *task, enum dtype type);
/* Whether a vertex of a closed tile of doubles is at a distance below 0 from itself. */
bool batch_has_cycle(const struct batch_task *task);
void batch_store(const struct batch_task *task, enum dtype type);

#endif
