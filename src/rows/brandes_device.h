/*
 * The searches of brandes.h on a device with memory of its own: of one rank, for all its workers.
 * Sums have the same bits as those of the cores.
 */
#ifndef BRANDES_DEVICE_H
#define BRANDES_DEVICE_H

#include "rows/brandes.h"

struct brandes_device;

struct brandes_device_ops {
    /* On the device of that number, for at most so many workers. The graph stays. NULL: there
     * is no memory, or the device cannot be used. */
    struct brandes_device *(*open)(const struct brandes_graph *graph, int number, size_t lanes);
    /* Workers that may search at once, each from one thread: one at least. */
    int (*lanes)(const struct brandes_device *device);
    /* As brandes_take: false, also when a worker's memory is short, means that nothing is added. */
    bool (*take)(struct brandes_device *device, int lane, const uint32_t *source, size_t count,
                 struct apsp_error *error);
    /* Adds the sums of all workers to those of vertices and of arcs, by their own numbers; they are
     * zero then. APSP_DEVICE. */
    int (*end)(struct brandes_device *device, struct fixed_sum *vertex, struct fixed_sum *arc,
               struct apsp_error *error);
    void (*free)(struct brandes_device *device); /* NULL is allowed */
};

/* NULL: this build knows no such device. */
const struct brandes_device_ops *brandes_device(void);

#endif
