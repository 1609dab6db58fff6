/*
 * Rows of distances from the planes of levels of a batch (rows/waves.h). Squares of 64 sources and
 * 64 vertices are transposed, bit by bit. A distance is then the sum of its level's digits, or
 * comes from a table where rounding makes it differ.
 */
#ifndef LEVELS_H
#define LEVELS_H

#include "base/dtype.h"
#include "base/value.h"
#include "kernels/cpu/relax.h"
#include "rows/waves.h"

/* The value of each level, in the type of the rows; zeroed: there is none. */
struct levels {
    void *value; /* Values of levels 0 .. 2^planes - 1, then the one for unreachable. */
    size_t room; /* Levels that there is room for. */
    bool adds;   /* A value is the sum of those of its level's binary digits. */
    void *digit; /* Values of levels 1, 2, 4 .. 2^(planes - 1), then the one for unreachable; or
                    if they do not add up, these levels in i32, and 2^planes. */
    const struct relax_kernels *kernels; /* of the type of the digits */
    uint64_t *line; /* Transposed planes of some sources: 512 columns a line, 64 lines a plane; */
    size_t bytes;   /* so many, and */
    size_t turned;  /* those of sources from 64 times this on. SIZE_MAX: there are none. */
    size_t sources; /* of the batch */
};

/*
 * For levels 0 to `last` of so many planes, that many times `unit`: in a floating-point type
 * `computed` each is the sum of the one before and the unit, rounded, as a search adds them up.
 * APSP_MEMORY.
 */
struct levels_type {
    enum dtype computed, output;
    union value unit;
};
int levels_fill(struct levels *levels, int planes, size_t last, const struct levels_type *type,
                struct apsp_error *error);
/* Bytes for the lines of a batch of so many sources, and room for them. After levels_fill.
 * APSP_MEMORY. */
size_t levels_lines(int planes, size_t columns, size_t sources);
int levels_open(struct levels *levels, int planes, size_t columns, size_t sources,
                struct apsp_error *error);
void levels_free(struct levels *levels);

/* Where rows go: `count` sources of the batch from `first` on, to so many vertices by their new
 * numbers. */
struct levels_rows {
    size_t first, count; /* first / 64 and (first + count - 1) / 64 are the same */
    const uint32_t *column;
    size_t columns;
    void *rows;
    size_t stride; /* Values from row to row. There is room for a multiple of 64. */
};
/* After levels_open for this batch. Its columns stay the same. */
void levels_rows(struct levels *levels, const struct waves *waves, enum dtype output,
                 const struct levels_rows *want);

#endif
