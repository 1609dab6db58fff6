/* How much of a graph is near its sources, where only near distances are wanted. */
#ifndef SOLVE_NEAR_H
#define SOLVE_NEAR_H

#include "graph/csr.h"

/*
 * The part of the vertices, 0 .. 1, that is not further than `most` from a source. Some bounded
 * searches find it, from sources of `list` (NULL: all vertices) that are evenly spread. A search
 * that ends early counts for more. On narrow graphs its vertices grow with the square of the
 * distance. On others it stands for all vertices. 0: unknown, since a weight is below 0, values are
 * no sums, or memory is short. Local.
 */
double near_part(const struct csr *csr, const uint32_t *list, size_t count, double most,
                 bool narrow);

#endif
