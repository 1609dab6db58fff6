/* Transposes rows that lie side by side, with a value of each for one position after the other,
 * into separate rows. It runs at the speed of the GPU's memory, since the order of the columns and
 * the type of the values change on the way.
 */
#ifndef GPU_TURN_H
#define GPU_TURN_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/range.h"
#include "rows/convert.h"
}

enum { GPU_TURN_ROW = 256 /* bytes that a group has for one position */ };

struct gpu_turn {
    const void *from;         /* groups, each n times GPU_TURN_ROW bytes */
    size_t n;                 /* positions */
    enum dtype dtype;         /* of the values, as they were computed */
    const uint32_t *position; /* of a column: where it is in a group */
    struct range rows;        /* these, counted through the groups: at most CONVERT_PLACES */
    gpuStream_t stream;       /* that the rows are made on */
};

/* The rows that are made of them. */
struct gpu_turned {
    enum dtype dtype; /* of an integer type any, of a floating-point type a real one */
    bool computed;    /* Infinity stays what it is in computations. */
    double factor;    /* Integers become real values of it. */
    const uint32_t *column;
    size_t columns; /* these columns; NULL: 0, 1 .. */
    void *to;       /* rows, ld values apart */
    size_t ld;
    const struct convert_places *places; /* Rows, from the first one on, and their places in `to`;
                                            NULL: all, one after the other. */
};

/* All of it is device memory. Enqueues and returns. */
void gpu_turn(const struct gpu_turn *turn, const struct gpu_turned *turned);

#endif
