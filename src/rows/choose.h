/* Which columns of a row are asked for: those that are not too far, and of these the nearest. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "base/dtype.h"
#include "base/scale.h"
#include "base/value.h"

struct pair {
    uint32_t vertex; /* of the column */
    union value distance;
};

struct choice {
    enum dtype dtype;
    size_t columns;
    const uint32_t *column; /* the vertex of each column; NULL: 0 .. columns - 1 */
    bool others;            /* the row's own vertex is left out */
    size_t nearest;         /* so many at most; 0: any number */
    union value most;       /* no finite distance is above; choose_most() */
};

/* No vertex is wanted that is further than `within`, of rows of multiples of the scale; infinity:
 * all that are reached. */
union value choose_most(enum dtype dtype, struct scale scale, double within);

/* Room for the pairs of a row. */
size_t choose_room(const struct choice *choice);

/*
 * Fills pairs[] with those of the row of vertex `source`, and returns their number. They are in the
 * order of the columns. If only the nearest are requested, the nearest come first, and of equally
 * near ones those with the smallest numbers.
 */
size_t choose_pairs(const struct choice *choice, const void *row, size_t source,
                    struct pair *pairs);

#endif
