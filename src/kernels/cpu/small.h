/*
 * The kernels that convert the matrices of small graphs, in the calling thread. Weights become
 * lengths in doubles, lengths a tile of the type to compute in, and the closed tile the caller's
 * distances. Rows of n entries are `stride` and `pitch` entries apart.
 */
#ifndef SMALL_H
#define SMALL_H

#include "apsp.h"
#include "base/dtype.h"

/* Facts about finite lengths: the least, at most 0, the most, at least 0, and how far one is off
 * from an integer. */
struct small_facts {
    double least, most, off;
};

struct small_kernels {
    /* By the type of weights. 0, infinity and NaN become infinite; rows of lengths adjoin. */
    void (*load[APSP_F64 + 1])(double *length, const void *weight, size_t n, size_t stride);
    struct small_facts (*scan)(const double *length, size_t count);
    /* By the type of the tile: infinity is its own, and stands in the rest of each row. */
    void (*narrow[DTYPE_COUNT])(void *tile, const double *length, size_t n, size_t pitch);
    /* By the type of the tile and that of distances, in which unreachable is their own. */
    void (*store[DTYPE_COUNT][APSP_F64 + 1])(void *distances, const void *tile, size_t n,
                                             size_t stride, size_t pitch);
    /* By the type of the tile, whose width indices have: the first vertices before others, all ones
     * for none; and the caller's. */
    void (*begin[DTYPE_COUNT])(void *before, const double *length, size_t n, size_t pitch);
    void (*trees[DTYPE_COUNT])(int32_t *to, const void *before, size_t n, size_t stride,
                               size_t pitch, int32_t none);
};

/* The kernels of the widest instruction set that this processor runs and APSP_ISA allows. */
const struct small_kernels *small_choose(void);

#endif
