/*
 * The kernels that weigh blocks of distances: what a planner counts as within reach. They run in
 * the calling thread. A sum has one order of its terms.
 */
#ifndef DECAY_H
#define DECAY_H

#include "base/dtype.h"

/* Distances of a block; a shorter one is filled up. And the parts of a sum, which are added up by
 * decay_fold. */
enum { DECAY_BLOCK = 64, DECAY_LANES = 8 };

struct decay_kernels {
    /* The least and the largest of `count` values, 1 .. DECAY_BLOCK; unreachable is infinite. */
    void (*bounds)(enum dtype dtype, const void *values, size_t count, double bounds[2]);
    /* The values as doubles; infinite where unreachable, and beyond `count`. */
    void (*widen)(enum dtype dtype, const void *values, size_t count, double to[DECAY_BLOCK]);
    /* 1 where the distance is above `low` and at most `high`, else 0. */
    void (*between)(double *weight, const double *distance, double low, double high);
    /* Adds weight * amount to the sums of the kinds, whose blocks of amounts follow each other; so
     * do the parts of the sums. */
    void (*weigh)(const double *weight, const double *amount, size_t kinds, double *sum);
    /* exp(-factor distance), with a relative error below 1e-13; 0 below 1e-290. */
    void (*exponential)(double *weight, const double *distance, double factor);
    /* 1 / (1 + exp(factor (distance - middle))). */
    void (*logistic)(double *weight, const double *distance, double middle, double factor);
};

static inline double decay_fold(const double part[DECAY_LANES])
{
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

/* The kernels of the widest instruction set that this processor runs and APSP_ISA allows. */
const struct decay_kernels *decay_choose(void);

/* The instances; NULL where the compiler cannot make them. */
const struct decay_kernels *decay_avx512(void);
const struct decay_kernels *decay_avx2(void);
const struct decay_kernels *decay_plain(void);

#endif
