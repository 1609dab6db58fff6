/*
 * A block of finished rows: what engines make and sinks take. No other part holds rows, and no part
 * keeps a block: it is valid until its worker requests the next one.
 */
#ifndef BLOCK_H
#define BLOCK_H

#include "base/dtype.h"
#include "base/value.h"

struct gpu_turn;

/* The counts of a row that need not be there itself. */
struct row_counts {
    size_t reached;        /* vertices at a finite distance, itself among them */
    union value most, sum; /* of the finite distances; most is at least 0. Real in rows of a
                              floating-point type */
    double harmonic; /* the sum of 1 / distance, but for those of 0; 0 where it was not asked for */
    int64_t high; /* the sum of distance / 2^32, each rounded down; 0 where it was not asked for */
};

/* The counts of the columns of a block, in an order of vertices that is the same in all blocks.
 */
struct column_counts {
    const uint32_t *vertex;  /* of each column; NULL: by their numbers */
    enum dtype dtype;        /* integer type of the values of `most` */
    const void *most;        /* the largest finite distance of each column, at least 0 */
    const uint32_t *reached; /* rows that reach the vertex */
};

struct block {
    size_t n;               /* columns: all vertices by their numbers, or those of `column` */
    const uint32_t *column; /* vertices of the columns; NULL: all */
    bool part;              /* of one row: these columns are those that are near enough (rows.h,
                               struct rows_near) */
    size_t count;           /* rows */
    size_t first;           /* if `source` is NULL, row k is that of vertex first + k */
    const uint32_t *source; /* row k is that of vertex source[k], in any order; or NULL */
    enum dtype dtype;   /* of the values; what stands for unreachable is dtype_info[].unreachable */
    const void *values; /* in host memory, or NULL; rows are `stride` values apart */
    size_t stride;
    const void
        *device; /* the same values in the device's memory, where that was asked for; else NULL */
    size_t device_stride;
    const struct gpu_turn *turn; /* or the same values side by side there, for convert_device(),
                                    where places were asked for (rows.h); else NULL */
    const struct row_counts
        *counts; /* of each row, where nothing else was asked for; values is then NULL */
    bool half;   /* These counts are of a half of each row (half.h). */
    const struct column_counts *columns; /* the same, if they were asked for too */
};

/* The form in which rows come; the later, the more work. */
enum block_form {
    BLOCK_NONE,
    BLOCK_HALVES, /* Counts of halves. */
    BLOCK_COUNTS, /* Counts in place of values. */
    BLOCK_NEAR,   /* The vertices that are near enough. */
    BLOCK_BESIDE, /* Nothing: the sink has had the values, side by side (beside.h). */
    BLOCK_WHOLE   /* Values of all columns. */
};

static inline enum block_form block_form(const struct block *block)
{
    return block->part                                     ? BLOCK_NEAR
           : block->values || block->device || block->turn ? BLOCK_WHOLE
           : block->counts && block->half                  ? BLOCK_HALVES
           : block->counts                                 ? BLOCK_COUNTS
                                                           : BLOCK_BESIDE;
}

/* The vertex whose distances row k holds. */
static inline size_t block_source(const struct block *block, size_t k)
{
    return block->source ? block->source[k] : block->first + k;
}

static inline const void *block_row(const struct block *block, size_t k)
{
    return (const char *)block->values + k * block->stride * dtype_info[block->dtype].bytes;
}

#endif
