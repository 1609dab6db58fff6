/* Accessibility from rows in the memory of a device: one for all workers of a rank, each of which
 * has a number and takes from one thread at a time. */
#ifndef ACCESS_DEVICE_H
#define ACCESS_DEVICE_H

#include "rows/access.h"

struct access_device;

struct access_device_ops {
    size_t (*need)(const struct access_plan *plan, size_t n); /* Bytes of the device. */
    /* On the device that the thread uses. The access stays. APSP_MEMORY; the pointer is then NULL.
     */
    int (*open)(struct access_device **device, const struct access *access,
                struct apsp_error *error);
    /* The sums of all rows of a block of all columns, decays after decays of the kinds; the worker
     * has them until its next block. APSP_MEMORY. */
    int (*take)(struct access_device *device, int lane, const struct block *block,
                const double **value, struct apsp_error *error);
    void (*free)(struct access_device *device); /* NULL is allowed. */
};

/* NULL: this build knows no device with memory of its own. */
const struct access_device_ops *access_device(void);

#endif
