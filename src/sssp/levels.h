/*
 * Rows of distances from the planes of levels of a batch (rows/waves.h): a square of 64 sources and
 * 64 vertices at a time is transposed, bit by bit, and its levels become values by a table.
 */
#ifndef LEVELS_H
#define LEVELS_H

#include "base/dtype.h"
#include "base/value.h"
#include "rows/waves.h"

/* The value of each level, in the type of the rows; zeroed: there is none. */
struct levels {
    void *value; /* Values of levels 0 .. 2^planes - 1, then the one for unreachable. */
    size_t room; /* Levels that there is room for. */
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
void levels_free(struct levels *levels);

/* Where rows go: `count` sources of the batch from `first` on, to so many vertices by their new
 * numbers. */
struct levels_rows {
    size_t first, count; /* first / 64 and (first + count - 1) / 64 are the same */
    const uint32_t *column;
    size_t columns;
    void *rows;
    size_t stride; /* Values from row to row. */
};
void levels_rows(const struct levels *levels, const struct waves *waves, enum dtype output,
                 const struct levels_rows *want);

#endif
