/*
 * The kernels that weigh blocks of distances: what a planner counts as within reach. They run in
 * the calling thread. A sum has one order of its terms.
 */
#ifndef DECAY_H
#define DECAY_H

#include "base/dtype.h"

/* Distances of a block; a shorter one is filled up. */
enum { DECAY_BLOCK = 64 };

struct decay_kernels {
    /* The least and the largest of `count` values, 1 .. DECAY_BLOCK; unreachable is infinite. */
    void (*bounds)(enum dtype dtype, const void *values, size_t count, double bounds[2]);
    /* The values as doubles; infinite where unreachable, and beyond `count`. */
    void (*widen)(enum dtype dtype, const void *values, size_t count, double to[DECAY_BLOCK]);
    /* The sum of the amounts whose distance is at most the limit. */
    double (*within)(const double *distance, double limit, const double *amount);
    /* The sum of weight * amount. */
    double (*weigh)(const double *weight, const double *amount);
    /* exp(-factor distance), with a relative error below 1e-13; 0 below 1e-290. */
    void (*exponential)(double *weight, const double *distance, double factor);
    /* 1 / (1 + exp(factor (distance - middle))). */
    void (*logistic)(double *weight, const double *distance, double middle, double factor);
};

/* That of the widest instruction set that this processor runs and APSP_ISA allows. */
const struct decay_kernels *decay_choose(void);

/* The instances; NULL where the compiler cannot make them. */
const struct decay_kernels *decay_avx512(void);
const struct decay_kernels *decay_avx2(void);
const struct decay_kernels *decay_plain(void);

#endif
