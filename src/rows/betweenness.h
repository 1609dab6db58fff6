/*
 * Betweenness of the vertices: for each the sum, over pairs of other vertices, of the part of the
 * shortest paths between the two that lead through it. A row of distances from s and the edges give
 * what s adds to it (U. Brandes, "A faster algorithm for betweenness centrality", Journal of
 * Mathematical Sociology 25, 2001).
 *
 * Of parallel edges the shortest counts, as one. In an undirected graph, where every edge leads
 * back with the same length, the two directions of a pair count once.
 *
 * Which paths are shortest: of whole lengths those whose sums are equal. Of real ones as well, if
 * one power of ten makes all of them whole and sums fit 53 bits then. Else sums are those that
 * float64 makes from the first edge to the last, whatever the row says within its rounding, and
 * equal if all their bits are.
 */
#ifndef BETWEENNESS_H
#define BETWEENNESS_H

#include "proof/certify.h"
#include "rows/block.h"

struct betweenness;

/*
 * For rows of that type. APSP_USAGE: they are f32, too coarse to tell lengths apart; APSP_INPUT: a
 * weight is not above 0; APSP_MEMORY. Local. The edges of the certificate are of no use to it
 * afterwards. *out is NULL after an error.
 */
int betweenness_new(struct betweenness **out, const struct certificate *certificate,
                    enum dtype dtype, struct apsp_error *error);
void betweenness_free(struct betweenness *betweenness); /* NULL is allowed */

/* Bytes for n vertices, m edges at most and so many lanes. */
size_t betweenness_need(size_t n, size_t m, enum dtype dtype, int lanes);

/*
 * Adds what the rows of a block add to it; lanes may do so at once. APSP_REFUTED: a row is wrong
 * (not all wrong rows are found); APSP_INPUT: real lengths are too different for their sums;
 * APSP_MEMORY.
 */
int betweenness_take(struct betweenness *betweenness, int lane, const struct block *block,
                     struct apsp_error *error);

/* Collective, after the last block: adds up lanes and ranks. NULL when memory is short, on any
 * rank. */
struct comm;
const double *betweenness_merge(struct betweenness *betweenness, struct comm *comm,
                                struct apsp_error *error);

bool betweenness_is_directed(const struct betweenness *betweenness);
/* What a value is multiplied by so that it is a part of all the pairs that there are without its
 * vertex. */
double betweenness_share(const struct betweenness *betweenness);

#endif
