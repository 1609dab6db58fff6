/* The hardware's limit on relaxations, without any traffic of the device's memory. */
#ifndef CEILING_GPU_H
#define CEILING_GPU_H

extern "C" {
#include "base/algebra.h"
}

/* Relaxations per second of the current device: the best of a few launches and occupancies. */
double ceiling_gpu(enum dtype dtype, enum combine combine);

#endif
