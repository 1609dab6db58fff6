/*
 * The shortest-path tree of one row of distances: for every vertex the one before it on a shortest path from
 * the row's own vertex. Needs the row and the edges, not the way in which the row was computed; right on
 * cycles of weight zero and with negative edges.
 */
#ifndef PREDECESSOR_H
#define PREDECESSOR_H

#include "base/dtype.h"
#include "graph/csr.h"

/* Work space of one thread, for rows of that type. NULL when memory is short. */
struct predecessor_space;
struct predecessor_space *predecessor_space_new(size_t n, enum dtype dtype);
void predecessor_space_free(struct predecessor_space *space); /* NULL is allowed */

/* Bytes of a graph and of the work spaces of `threads` threads. */
size_t predecessor_need(size_t n, size_t m, enum dtype dtype, int threads);

/*
 * Fills tree[0..n) from `row`, the n distances from vertex i, of type `dtype`: -1 for i itself and for
 * vertices that cannot be reached. Whole numbers: false if the row is wrong in any entry. Real ones: rounding
 * decides which of nearly equal paths is taken; false unless each path of the tree is as long as the row
 * says, within the certificate's slack (rounding.h, with its reach), and the row has infinity for the other
 * vertices. `why` (size bytes) is then one line in the numbering of the file (first = 0 or 1).
 */
bool predecessor_row(const struct csr *edges, double reach, size_t i, const void *row,
                     struct predecessor_space *space, size_t first, int32_t *tree, char *why, size_t size);

#endif
