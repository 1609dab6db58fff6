/*
 * The shortest-path tree of one row of distances: for every vertex the one before it on a shortest path from
 * the row's own vertex. Needs the row and the edges, not the way in which the row was computed; right on
 * cycles of weight zero and with negative edges.
 */
#ifndef PREDECESSOR_H
#define PREDECESSOR_H

#include "proof/certify.h"

/* Work space of one thread, for rows of that type. NULL when memory is short. */
struct predecessor_space;
struct predecessor_space *predecessor_space_new(size_t n, enum dtype dtype);
void predecessor_space_free(struct predecessor_space *space); /* NULL is allowed */
size_t predecessor_need(size_t n, enum dtype dtype);          /* bytes of one */

/*
 * Fills tree[0..n) from `row`, the n distances from vertex i, of the type of the space: -1 for i itself and
 * for vertices that cannot be reached. Whole numbers: false if the row is wrong in any entry. Real ones:
 * rounding decides which of nearly equal paths is taken; false unless each path of the tree is as long as the
 * row says, within the certificate's slack, and the row has infinity for the other vertices. `why` is then
 * one line in the numbering of the file.
 */
bool predecessor_row(const struct certificate *certificate, struct predecessor_space *space, size_t i,
                     const void *row, int32_t *tree, char why[CERTIFY_WHY]);

#endif
