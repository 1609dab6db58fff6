/*
 * The bound on rounding of a right floating-point distance, compared with the length of a shortest
 * path from a search in f64 (search.h). The unit roundoffs are u of the row's type (2^-24 or 2^-53)
 * and v = 2^-53 of the search.
 *
 * Weights >= 0. A solver's distance D is the sum of the edges of some walk, in some order. It is no
 * larger than the sum of any other walk in some order, since rounded sums of numbers >= 0 are in
 * order. Where a walk comes back to a vertex, leaving that cycle out leaves a sum that is no
 * larger, in an order of the rest: so the walk may be taken for a path. Adding 0 rounds nothing. So
 * for paths that have at most k edges other than 0, each of which may have been rounded to the type
 * as well, and d the exact distance,
 *
 *      d (1 - u)^k <= D <= d (1 + u)^k,     and of the search     d (1 - v)^k <= S <= d (1 + v)^k,
 *
 * so that |D - S| <= x e^x S with x = k (u + v). Sums of numbers below the normal ones are exact,
 * but a weight that the type does not hold is off by half of its smallest number t: k t / 2 more.
 *
 * Potentials h, |h| <= R on all paths to the vertex: only those that it can be reached from count.
 * A part of a path that has the size s with potentials in it has no length beyond s + R, in which
 * each addition rounds. A reweighted edge is computed in f64 with an error of 2 v of itself and of
 * R v more. An edge that is below 0 by no more than 18 R v counts as 0 (potential.h). That gives 20
 * R v for each edge of the solver's path, of the search's, and of a shortest one.
 *
 * In all, for k edges, size s, and 64 roundings to spare, for weights that were decimals and
 * distances that were given out as decimals of 15 digits, or 7:
 *
 *      x e^x (s + R) + 64 k v R + k t / 2,     x = (k + 64) (u + v), with potentials (k + 64) (u +
 * 4 v).
 *
 * Whole multiples of one power of two (dyadic numbers) have no rounding at all as long as all sums
 * have at most the 53 or 24 bits of the type. Edges longer than any distance do not count: rounded
 * or not, a sum with one of them is no smaller than the distance. Potentials are to be such
 * multiples too, and to leave no edge below 0 at all.
 *
 * (N. Higham, "Accuracy and Stability of Numerical Algorithms", SIAM 2002, chapters 3 and 4, has
 * the sums.)
 */
#ifndef ROUNDING_H
#define ROUNDING_H

#include "proof/search.h"

/* The bound of above: no smaller for more edges, a larger size or a larger R. */
double rounding_slack(enum dtype type, size_t edges, double size, double reach);

/*
 * It depends only on the vertices that this row reaches, and on the edges between them.
 *
 * A path leaves each vertex once, and by no shorter edge than the least that leaves it and is not
 * 0. So it has no more such edges than the least of these have place in its length.
 *
 * Most sums are off by less than the 64 roundings that are allowed without any edge. R is no less
 * than the |h| of the path that the search has found. Edges are read only if that is not enough.
 */
enum { ROUNDING_LOWEST = -1074, ROUNDING_EXPONENTS = 1024 - ROUNDING_LOWEST };
struct rounding {
    enum dtype type;
    struct search *search;
    const struct csr *edges;
    const struct potential *potential;
    bool exact;                         /* there is no rounding */
    bool seen;                          /* what follows is known, and each R (search_reach) */
    size_t reached;                     /* vertices */
    int first, end;                     /* range of the exponents of least edges */
    uint32_t count[ROUNDING_EXPONENTS]; /* vertices by the exponent of their least edge, from
                                           ROUNDING_LOWEST on */
};

/* For a row of that type and the search that has just found its paths. False if the potentials
 * leave an edge below 0 by more than rounding. */
bool rounding_begin(struct rounding *rounding, enum dtype type, struct search *search,
                    const struct csr *edges, const struct potential *potential);

/* The bound for a vertex, 0 where the row is exact; and whether it is no less than that. */
double rounding_bound(struct rounding *rounding, size_t vertex);
bool rounding_explains(struct rounding *rounding, size_t vertex, double difference);

#endif
