/*
 * The reductions of rows of distances, one definition each, for cores and GPUs: what a part becomes
 * by a finite value, and by another part. Every part begins at 0. Types are the caller's.
 */
#ifndef KERNELS_REDUCE_H
#define KERNELS_REDUCE_H

/* The number of values, or their sum; `times` values are equal. */
#define REDUCE_COUNT(part, times)      ((part) + (times))
#define REDUCE_SUM(part, value, times) ((part) + (value) * (times))
/* The largest value, where none is below 0. */
#define REDUCE_MOST(part, value) ((value) > (part) ? (value) : (part))
/* The term 1 / value of their sum; values of 0 are left out. */
#define REDUCE_RECIPROCAL(value)                                                                   \
    (((value) != 0 ? 1.0 : 0.0) / ((value) != 0 ? (double)(value) : 1.0))
/* The bin of a value, of which its place among bins is known: the ends take what lies beyond. */
#define REDUCE_BIN(place, last) ((place) < 0 ? 0 : (place) < (last) ? (place) : (last))

#endif
