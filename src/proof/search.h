/*
 * Distances from one vertex by Dijkstra's algorithm, with potentials where weights are negative: what
 * completes a row of which some distances are given, for the certificate.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "base/dtype.h"
#include "proof/potential.h"

/* Work space of one thread, for a graph of n vertices. NULL when memory is short. */
struct search;
struct search *search_new(size_t n);
void search_free(struct search *search); /* NULL is allowed */
size_t search_need(size_t n);            /* bytes of one */

/*
 * Fills row[0..n) with the distances from vertex i, of the type that dtype.h says: real if the edges are, and
 * else whole. Unreachable is what it is there; a whole distance that the type does not hold, that too.
 */
void search_row(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                enum dtype dtype, void *row);

#endif
