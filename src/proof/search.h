/*
 * Distances from one vertex by Dijkstra's algorithm, with potentials where weights are negative: what real
 * rows are held against, and what completes a row of which some distances are given, for the certificate.
 *
 * Of real weights a vertex has the path whose sum is the least of the sums that f64 makes along all paths,
 * from the first edge to the last: sums of numbers >= 0 are in order although they are rounded.
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
 * Finds the paths from vertex i. The potentials are whole or real as the edges are. False, and nothing is
 * found, if they leave an edge on the way below 0, as none can prevent where a cycle is. `tree`, unless it is
 * NULL, becomes that of the paths, of n vertices: the one before each, -1 for i and where there is none.
 */
bool search_run(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                int32_t *tree);

/* After that, of each vertex: whether there is a path, its length, added up from its first edge to its last,
 * and the same with potentials. Both are infinite where there is none. */
bool search_reached(const struct search *search, size_t v);
double search_length(const struct search *search, size_t v);
double search_size(const struct search *search, size_t v);

/* Finds of each vertex the largest |h| of all that any path to it from vertex i can visit, which takes a
 * second search; and that. */
void search_spread(struct search *search, const struct csr *edges, const struct potential *potential);
double search_reach(const struct search *search, size_t v);

/*
 * Fills row[0..n) with the distances from vertex i, of the type that dtype.h says. Unreachable is what it is
 * there; a whole distance that the type does not hold, that too, and all after a search that found nothing.
 */
void search_row(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                enum dtype dtype, void *row);

#endif
