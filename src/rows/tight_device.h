/*
 * The contributions of tight.h from rows of integers in the memory of a device: one for all workers
 * of a rank, each of which has a number and takes from one thread at a time. Dependencies have the
 * bits of those of the cores where numbers of paths are at most 2^53. Larger ones may have been
 * rounded in another order.
 */
#ifndef TIGHT_DEVICE_H
#define TIGHT_DEVICE_H

#include "rows/block.h"
#include "rows/tight.h"

struct tight_device;

struct tight_device_ops {
    /* Bytes of the device, for at most so many rows, arcs and workers. */
    size_t (*need)(size_t n, size_t m, const struct tight_task *task, size_t rows, int lanes);
    /* On the device that the thread uses. The task stays. NULL: there is no memory. */
    struct tight_device *(*open)(const struct tight_task *task);
    /* Adds what the rows of a block add, but for those whose numbers are left in `left`, which has
     * room for all. These are rows of more than 2^960 paths, deep and narrow ones, wrong ones, and
     * all for which there is no memory. Returns how many they are. The error is that of
     * stop_check. */
    size_t (*take)(struct tight_device *device, int lane, const struct block *block, uint32_t *left,
                   struct apsp_error *error);
    /* Brings row k of a block to the host. */
    void (*fetch)(const struct block *block, size_t k, void *row);
    /* Adds the sums of all workers to those of vertices and of arcs; they are zero then.
     * APSP_DEVICE. */
    int (*end)(struct tight_device *device, struct fixed_sum *vertex, struct fixed_sum *arc,
               struct apsp_error *error);
    void (*free)(struct tight_device *device); /* NULL is allowed */
};

/* NULL: this build knows no such device. */
const struct tight_device_ops *tight_device(void);

#endif
