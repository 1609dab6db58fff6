/* Rows of distances from the type in which they were computed to the one in which they are given
 * out. */
#ifndef CONVERT_H
#define CONVERT_H

#include "base/dtype.h"
#include "base/scale.h"
#include "rows/block.h"

/*
 * Distances become those of `to`: of an integer type any, of a floating-point type a real one.
 * Infinity of the computation becomes unreachable in rows of `to`. All others fit.
 */
struct conversion {
    enum dtype from, to;
    size_t n;
    const void *potentials; /* h: D[i][j] - h[i] + h[j] is given out. One int64_t for each vertex,
                               or a double where `from` is real; NULL: all are 0 */
    const uint32_t
        *column; /* the vertex of each of the n values; NULL: 0 .. n - 1. On the host alone */
};

/* Whether a conversion changes anything; shifted: there will be potentials. */
bool convert_changes(enum dtype from, enum dtype to, bool shifted);

/* The row of vertex i. */
void convert_row(const struct conversion *conversion, size_t i, const void *row, void *out);

/* Values of rows as files have them. */
struct packing {
    enum dtype rows, file; /* dtype_info[file].rows; or an integer type for a real one: values times
                              the scale; or f64 for f32 */
    struct scale scale;
};

/* `out` is elsewhere, or it is `row` and nothing changes. */
void convert_pack(const struct packing *packing, const void *row, void *out, size_t count);

/* Rows of a block that a device has, and where they go in its memory or another's: row row[k] of
 * the block to place[k] of the values. */
enum { CONVERT_PLACES = 256 };
struct convert_places {
    struct packing packing;
    const uint32_t *column; /* These columns of the block, in the device's memory; NULL: all. */
    size_t columns;         /* Their number, and that of the values of a row. */
    void *values;
    size_t count;
    size_t place[CONVERT_PLACES];
    uint32_t row[CONVERT_PLACES];
};

/* On the device that the thread uses; the rows are there when it returns. */
typedef void convert_placing(const struct convert_places *places, const struct block *block);
/* NULL: this build knows no device with memory of its own. */
convert_placing *convert_device(void);

#endif
