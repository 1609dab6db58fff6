/*
 * The numbers of shortest paths between vertices, from rows of distances and the edges (tight.h):
 * work space of all workers of a pass. Paths are those of betweenness.h: weights are above 0, and
 * the shortest of parallel edges counts, as one.
 */
#ifndef PATH_COUNTS_H
#define PATH_COUNTS_H

#include "proof/certify.h"
#include "rows/block.h"
#include "rows/sources.h"

struct path_counts;

struct path_counts_plan {
    struct certificate certificate; /* Its edges are of no use to it afterwards. */
    enum dtype dtype;               /* The type of rows. */
    const struct sources *targets;  /* The vertices to which paths lead; NULL: all. */
};

/*
 * APSP_USAGE: rows are f32, too coarse to tell lengths apart; APSP_INPUT: a weight is not above 0;
 * APSP_MEMORY. Local. *out is NULL after an error.
 */
int path_counts_new(struct path_counts **out, const struct path_counts_plan *plan,
                    struct apsp_error *error);
void path_counts_free(struct path_counts *counts); /* NULL is allowed */

/* Bytes for n vertices and m edges at most, and so many workers. */
size_t path_counts_need(size_t n, size_t m, enum dtype dtype, int lanes);

/*
 * Writes the numbers of paths from the vertex of row k of a block, of all columns, to each target:
 * exactly up to 2^53, and 0 where there is none. One path leads from a vertex to itself. Workers
 * may do so at once. APSP_REFUTED: the row is wrong (not all wrong rows are found); APSP_INPUT:
 * real lengths are too different for their sums, or a number is 2^1024 or more; APSP_MEMORY.
 */
int path_counts_row(struct path_counts *counts, int lane, const struct block *block, size_t k,
                    double *values, struct apsp_error *error);

#endif
