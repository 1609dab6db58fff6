/*
 * The GPU kernels of the walk of expand.h, by type and by how the parts of a path combine. All
 * pointers are device memory; every function enqueues and returns.
 *
 * A group is walk_width() sources, neighbours in the order of positions. Their distances to one
 * vertex are a row of WALK_ROW bytes. A block has one group at a time: the rows that are still to
 * be read are in its shared memory, the far ones of tasks.h in the device's.
 */
#ifndef SPARSE_WALK_GPU_H
#define SPARSE_WALK_GPU_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/algebra.h"
#include "sparse/tasks.h"
}

enum {
    WALK_THREADS = 512,
    UPWARD_THREADS = 128,
    WALK_ROW = 256, /* as rows/gpu/turn.h wants it */
};

/* A group on its way up: the nodes above its sources, and where the rows of each begin. */
struct walk_group {
    uint32_t path, length; /* its part of the lists of nodes */
    uint32_t low, high;    /* positions of the first source and of the last */
    uint64_t row;          /* of the labels: its first one */
    uint32_t core; /* the core's first row within the group's; TASK_NONE: it is not above them */
    uint32_t begin,
        end; /* its tasks: all, or with counts alone those of the trees that it has sources in */
    uint32_t near;  /* vertices in these trees */
    uint32_t least; /* the first position of these */
};

struct walk_node {
    uint64_t
        up; /* words before its panel: size x (size + count), in tiles of TASK_WIDEST targets */
    uint64_t boundary; /* as in tree_node */
    uint32_t size, count;
};

/* Counts of columns, by positions: those of rows/half.h. */
struct walk_columns {
    int64_t *sum, *most;
    uint32_t *reached;
};

struct walk_work {
    /* the tree */
    const void *down, *up; /* panels of words */
    const struct task *task;
    const uint32_t *list;
    const struct walk_node *node;
    const uint32_t *owner,
        *inside;   /* of an entry of a boundary: its node, and which of that node's it is */
    uint32_t core; /* vertices, which come last; 0: there is no core */
    /* the groups */
    const struct walk_group *group;
    const uint32_t *path,
        *path_row;         /* nodes, ascending; the first row of each within the group's */
    const uint32_t *start; /* of each source: its own row within the group's; TASK_NONE: none */
    uint32_t groups;
    /* memory */
    void *label; /* rows */
    void *far;   /* rows of each block in global memory, `fars` for each */
    uint32_t fars;
    uint32_t *pick, *picked; /* of each group: offsets of the core's rows that are reached on the
                                way up, in lists of `picks`, and how many they are */
    uint32_t picks;
    uint32_t window; /* bytes */
    uint32_t *next;  /* group, zero before a walk */
    /* results: values of each source, or rows of all positions, group by group */
    uint32_t n;
    int64_t *sum, *most;
    uint32_t *lost;
    struct walk_columns column; /* of halves */
    void *rows;
};

struct walk_kernels {
    /* Once per device, before all others, with the bytes of a block's window. */
    gpuError_t (*prepare)(size_t window);
    /* The labels of all groups, and what they reach of the core. */
    void (*sweep_up)(const struct walk_work *work, gpuStream_t stream);
    /* Down the tree, on so many blocks: adds to sum, most and lost (those of its trees not
     * reached), or the halves of these and to their columns, or writes rows. Counts are of integer
     * types alone. */
    void (*count)(const struct walk_work *work, int blocks, gpuStream_t stream);
    void (*halve)(const struct walk_work *work, int blocks, gpuStream_t stream);
    void (*rows)(const struct walk_work *work, int blocks, gpuStream_t stream);
};

struct walk_kernels walk_kernels_of(enum dtype dtype, enum combine combine);
struct walk_kernels walk_kernels_maxima(enum dtype dtype); /* those of COMBINE_MAX */

/* Bytes of shared memory that a block of the walk has beside its window. */
size_t walk_overhead(void);

/* Sources of a group. */
static inline size_t walk_width(enum dtype dtype)
{
    return WALK_ROW / dtype_info[dtype].bytes;
}

#endif
