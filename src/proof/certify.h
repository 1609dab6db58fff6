/*
 * The certificate of a row of distances, in O(n + m), independent of the way the row was computed:
 *
 *   1. D[i][i] = 0.
 *
 *   2. D[i][v] <= D[i][u] + w for every edge (u, v, w) with D[i][u] finite.
 *
 *   3. Every finite v is reached from i by a breadth-first search over tight edges, those with
 *      D[i][v] == D[i][u] + w.
 *
 * The first two make every distance at most the shortest; the last exhibits a path of exactly that length.
 * Weights may have any sign.
 *
 * The row is of any type; what stands for unreachable in it is dtype_info[].unreachable.
 *
 * Distances in floating point are rounded, so 2 and 3 hold within a slack, and D[i][v] is held against the
 * float64 sum S[v] of the weights along the path by which the search reaches v: an edge is tight when |S[u] +
 * w - D[i][v]| is within it. A sum of non-negative numbers, whatever the order, is off by at most 2^-p of
 * itself for each addition that a term goes through (p = 24 or 53 bits), and a path's terms go through no
 * more than it has edges. With two such values on the two sides, the slack after h edges is 2 * 2^-p * (h +
 * 64) * (s + 4 R) + h * (the smallest positive number of the type). s is the largest |D[i][u]| + |w| of an
 * edge on the path so far: what S has once been off by, it stays off by, even if the path leads back to
 * nearly 0. 64 is for shortest paths of more edges that are equal but for rounding. R is the largest
 * potential (potential.h), 0 without negative weights: sums were rounded while the potentials were in them,
 * and an edge was raised by no more than 2^-51 of its weight and the potentials' unit, 2^-53 R. The last term
 * is for weights that the type itself cannot hold.
 *
 * A real row of a graph whose weights are whole numbers has no slack as long as all its distances, and four
 * times R, are numbers that the type holds exactly.
 */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "base/dtype.h"
#include "base/scale.h"
#include "graph/csr.h"

struct certificate {
    const struct csr *edges; /* with the weights of the file; whole ones may be real already (csr_convert) */
    double reach;            /* R of above */
    struct labels labels;    /* of the vertices, for messages, */
    struct scale scale;      /* and of whole weights and distances */
    bool whole;              /* the weights were whole, of at most 53 bits, before they were made real */
};

enum { CERTIFY_WHY = 500 };

/* Work space for one thread, for rows of n distances of that type, any of dtype.h. NULL when memory is short.
 */
struct certify_space;
struct certify_space *certify_space_new(size_t n, enum dtype type);
void certify_space_free(struct certify_space *space); /* NULL is allowed */
size_t certify_need(size_t n, enum dtype type);       /* bytes of one */

/*
 * True if `row` (n distances from vertex i, of the type of the space) is right. Otherwise fills why with one
 * line: row, vertices, values, by what the vertices are called. `tree`, unless it is NULL, becomes that of
 * the search that proves it, of n vertices: the one before v on a path as long as row[v] says, -1 for i and
 * where there is none; of use only if the row is right.
 */
bool certify_row(const struct certificate *certificate, struct certify_space *space, size_t i,
                 const void *row, int32_t *tree, char why[CERTIFY_WHY]);

/* The rows to check: `wanted` different ones of n, ascending, spread by a fixed seed; all if wanted >= n.
 * Returns how many; rows has room for min(wanted, n). */
size_t certify_choose(size_t *rows, size_t wanted, size_t n);

#endif
