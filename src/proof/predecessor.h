/*
 * The shortest-path tree of one row of distances: for every vertex the one before it on a shortest
 * path from the row's own vertex. Needs the row and the edges, not the way in which the row was
 * computed; right on cycles of weight zero and with negative edges.
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
 * Fills tree[0..n) from `row`, the n distances from vertex i, of the type of the space: -1 for i
 * itself and for vertices that cannot be reached. Integers: false if the row is wrong in any
 * entry. Floating point: among nearly equal paths the one with the minimum sum in double precision,
 * or with negative weights the one whose sum is nearest to the row's. Returns false unless each
 * path of the tree has the length in the row, within the certificate's slack, and the row has
 * infinity for the other vertices. Only potentials on paths to a vertex count for the slack. `why`
 * is then one line in the numbering of the file.
 */
bool predecessor_row(const struct certificate *certificate, struct predecessor_space *space,
                     size_t i, const void *row, int32_t *tree, char why[CERTIFY_WHY]);

/*
 * Real rows: makes the sums along the paths of that tree, in double precision from the row's own
 * vertex on, the distances in sums[0..n), of the type of the space. A sum of weights of one sign
 * over k edges is off by at most k 2^-53 of itself, another one by k 2^-53 of the sum of their
 * sizes. Without negative weights it is the minimum over all paths, for a row of any origin. False
 * as predecessor_row.
 */
bool predecessor_sums(const struct certificate *certificate, struct predecessor_space *space,
                      size_t i, const void *row, void *sums, char why[CERTIFY_WHY]);

#endif
