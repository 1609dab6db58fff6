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

/* Rows side by side: targets of a block, rows at most, and the degree of a series, at most. */
enum { DECAY_SIDE = 32, DECAY_WIDTH = 64, DECAY_DEGREE = 18 };

/* A decay near one distance of each row: the sum of term[j] ((distance - middle) scale)^j. The
 * decay itself takes distances by `factor`. */
struct decay_series {
    size_t degree;
    double factor, scale;
    double middle[DECAY_WIDTH];
    double term[DECAY_DEGREE + 1][DECAY_WIDTH];
};

/* Weights of `count` things, each with one for each row. */
struct decay_weights {
    const double *weight;
    size_t stride, count;
};

struct decay_kernels {
    /* The least and the largest of `count` values, 1 .. DECAY_BLOCK; unreachable is infinite. */
    void (*bounds)(enum dtype dtype, const void *values, size_t count, double bounds[2]);
    /* The values as doubles; infinite where unreachable, and beyond `count`. */
    void (*widen)(enum dtype dtype, const void *values, size_t count, double to[DECAY_BLOCK]);
    /* 1 where the distance is above `low` and at most `high`, else 0. Here and below, `count` is a
     * multiple of 2 DECAY_LANES. */
    void (*between)(double *weight, const double *distance, size_t count, double low, double high);
    /* Adds weight * amount to the sums of the kinds, whose blocks of amounts follow each other; so
     * do the parts of the sums. */
    void (*weigh)(const double *weight, const double *amount, size_t kinds, double *sum);
    /* exp(-factor distance), with a relative error below 1e-13; 0 below 1e-290. */
    void (*exponential)(double *weight, const double *distance, size_t count, double factor);
    /* 1 / (1 + exp(factor (distance - middle))). */
    void (*logistic)(double *weight, const double *distance, size_t count, double middle,
                     double factor);

    /* `count` targets of `width` rows, as doubles, infinite where unreachable; `low` and `high`
     * become the bounds of each row. The width is a multiple of 2 DECAY_LANES. */
    void (*side_widen)(enum dtype dtype, const void *values, size_t width, size_t count, double *to,
                       double *low, double *high);
    /* The differences of all rows from row 0 at one target, and the least and the largest of them.
     * False if one of the rows, of which there are `sources`, cannot reach it. */
    bool (*side_offset)(enum dtype dtype, const void *values, size_t width, size_t sources,
                        double *offset, double extremes[2]);
    /* Whether rows differ at these targets as they do at the target `first`: each value is the one
     * of row 0 there, which is put into `base`, and the difference. False if a target is
     * unreachable. */
    bool (*side_alike)(enum dtype dtype, const void *values, size_t width, size_t count,
                       size_t sources, const void *first, double *base);
    /* At these targets, the rows that differ alike from row `row`: its own values, the differences
     * of rows from it, infinite for those that differ otherwise, and the least and the largest
     * finite one. False if the row cannot reach a target. */
    bool (*side_class)(enum dtype dtype, const void *values, size_t width, size_t count,
                       size_t sources, size_t row, double *base, double *offset,
                       double extremes[2]);
    /* The values of one row at these targets, less `anchor`; infinite where unreachable. */
    void (*side_row)(enum dtype dtype, const void *values, size_t width, size_t count, size_t row,
                     double anchor, double *to);
    /* The values of such targets: base[target] + offset[row]. */
    void (*side_expand)(double *distance, size_t width, size_t count, const double *base,
                        const double *offset);
    /* For each j up to the degree and each kind, the sum of x^j amount over DECAY_SIDE targets.
     * Reads up to DECAY_LANES numbers behind the amounts. */
    void (*side_moments)(double *moment, size_t degree, const double *x, const double *amount,
                         size_t kinds);
    /* Adds weight * amount to the sums, `width` for each kind. A thing that is weighed, a target or
     * a power, has one amount of each kind after the other. */
    void (*side_weigh)(const struct decay_weights *weights, size_t width, const double *amount,
                       size_t kinds, double *sum);
    void (*side_series)(double *weight, const double *distance, size_t width,
                        const struct decay_series *series);
    /* The terms of those two decays, from all other members. */
    void (*series_exponential)(struct decay_series *series, size_t width);
    void (*series_logistic)(struct decay_series *series, size_t width, double middle);
};

static inline double decay_fold(const double part[DECAY_LANES])
{
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

/* The kernels of the widest instruction set that this processor runs and APSP_ISA allows. */
const struct decay_kernels *decay_choose(void);

#endif
