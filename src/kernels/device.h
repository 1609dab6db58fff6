/*
 * Devices that compute: a device is one row of devices[]. A rank uses one, by its number among
 * those of its kind that the process sees.
 */
#ifndef KERNELS_DEVICE_H
#define KERNELS_DEVICE_H

#include "apsp.h"

#include <stdbool.h>
#include <stddef.h>

struct device_ops {
    const char *name;  /* "cpu", "gpu": a value of the device asked for */
    const char *title; /* in sentences: "CPU", "GPU" */
    /* Begins to look for them in the background, where that takes time; count() is to follow. NULL:
     * it takes none. */
    void (*look)(void);
    /* How many of them this process could use; the CPU is always one. */
    int (*count)(void);
    /* The PCI address as text, "" for the CPU. False when the device does not answer. */
    bool (*locate)(int number, char *text, size_t size);
    /* Begins to start it in the background, where that takes time. */
    void (*start)(int number);
    /* Host memory that the device of that number copies to and from at full speed; NULL when short.
     */
    void *(*host_alloc)(int number, size_t bytes);
    void (*host_free)(void *memory); /* NULL is allowed */

    /* Memory of the device itself; all are NULL where that is the host's. */
    void *(*alloc)(int number, size_t bytes); /* NULL when short */
    void (*free)(int number, void *memory);   /* NULL is allowed */
    void (*write)(int number, void *to, const void *from, size_t bytes);
    /* After the work that is on the stream: which device has the memory. APSP_DEVICE. */
    int (*wait)(int *number, const void *memory, void *stream, struct apsp_error *error);
    /* From memory of any device, after the work that is on the stream; APSP_DEVICE. */
    int (*read)(void *to, const void *from, size_t bytes, void *stream, struct apsp_error *error);
    /* Whether the kernels of one can write to the memory of the other. */
    bool (*reaches)(int number, int other);
};

extern const struct device_ops device_cpu;
#ifdef APSP_GPU
extern const struct device_ops device_gpu;
#endif

/* In the order of preference; the last is NULL. */
extern const struct device_ops *const devices[];

#endif
