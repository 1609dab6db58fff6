/* Transposes rows that lie side by side, with a value of each for one position after the other,
 * into separate rows. It runs at the speed of the GPU's memory, since the order of the columns
 * changes on the way.
 */
#ifndef GPU_TURN_H
#define GPU_TURN_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/range.h"
}

enum {
    GPU_TURN_ROW = 256,     /* bytes that a group has for one position */
    GPU_TURN_GROUPS = 65535 /* that one call takes at most: a grid is no higher */
};

struct gpu_turn {
    const void *from;         /* groups, each n times GPU_TURN_ROW bytes */
    size_t n, bytes;          /* positions; of a value: 2, 4 or 8 */
    const uint32_t *position; /* of a column: where it is in a group */
    void *to;                 /* rows, ld values apart */
    const uint32_t *row;      /* place of each row in `to`; NULL: one after the other */
    size_t ld;
};

/* These rows, counted through the groups. All of it is device memory. Enqueues and returns. */
void gpu_turn(const struct gpu_turn *turn, struct range rows, gpuStream_t stream);

#endif
