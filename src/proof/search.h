/*
 * Distances from one vertex by Dijkstra's algorithm, with potentials where weights are negative:
 * what real rows are held against, and what completes a row of which some distances are given, for
 * the certificate.
 *
 * Weights are keys of an algebra (base/algebra.h), whose `combine` takes the place of the sum. So
 * are the lengths that it finds.
 *
 * For floating-point weights a vertex has the path with the minimum of the f64 sums along all
 * paths, from the first edge to the last. Sums of numbers >= 0 are in order although they are
 * rounded.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "base/dtype.h"
#include "proof/heap.h"
#include "proof/potential.h"

/* Rounding leaves an edge of weight 0 with potentials |h| <= R in it above -SEARCH_NOISE R
 * (rounding.h). */
#define SEARCH_NOISE 0x1p-49

/* Work space of one thread, for a graph of n vertices. NULL when memory is short. */
struct search;
struct search *search_new(size_t n);
void search_free(struct search *search); /* NULL is allowed */
size_t search_need(size_t n);            /* bytes of one */

/* Orders the real edges out of each vertex by their lengths with potentials in them, those of
 * edges->ordered, so that a search with a limit looks at no more than it needs. */
void search_order(struct csr *edges, const struct potential *potential, int threads);

/*
 * Finds the paths from vertex i, of ordered edges those alone whose sizes (see below) are within
 * the limit: INFINITY for all. The potentials are whole or real as the edges are. False, and
 * nothing is found, if they leave an edge on the way below 0, as none can prevent where a cycle is.
 * `tree`, unless it is NULL, becomes that of the paths, of n vertices: the one before each, -1 for
 * i and where there is none.
 */
bool search_run(struct search *search, const struct csr *edges, const struct potential *potential,
                size_t i, double limit, int32_t *tree);

/* After that, of each vertex: whether there is a path, its length, added up from its first edge to
 * its last, and the same with potentials. Both are infinite where there is none. */
bool search_reached(const struct search *search, size_t v);
double search_length(const struct search *search, size_t v);
double search_size(const struct search *search, size_t v);

/* Whether no edge leads on from the vertices that were reached. */
bool search_is_closed(const struct search *search, const struct csr *edges);

/* Whether the potentials leave an edge on the way below 0 by rounding, which the search has taken
 * for 0; and one by more than the potentials on the path to it explain. */
bool search_is_below(const struct search *search);
bool search_is_doubtful(const struct search *search);

/* The largest |h| on the path that was found; and once search_spread has run, which takes a second
 * search, the largest of all that any path from vertex i can visit. */
double search_reach(const struct search *search, size_t v);
void search_spread(struct search *search, const struct csr *edges,
                   const struct potential *potential);

/* Passes maxima on after a search: reach[v] is |h| of a vertex that is reached, else 0, and becomes
 * the largest on the way. The heap is empty before and after. */
void search_pass_on(struct heap *heap, const struct csr *edges, double *reach);

/*
 * Fills row[0..n) with the distances from vertex i, values of the algebra, of the type that dtype.h
 * says. Unreachable is what it is there; a whole distance that the type does not hold, that too,
 * and all after a search that found nothing.
 */
void search_row(struct search *search, const struct csr *edges, const struct potential *potential,
                size_t i, enum dtype dtype, void *row);

#endif
