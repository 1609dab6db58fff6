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
 * The first two make every distance at most the shortest; the last exhibits a path of exactly that
 * length. Weights may have any sign.
 *
 * In another algebra (base/algebra.h) the row's values become keys first. The sum becomes the
 * maximum where keys combine so. The proof needs three facts. The path without an edge has the key
 * 0. No key is below 0. A worse first part makes no better path, so the second condition carries a
 * bound along any path, edge by edge. Tight edges may close cycles of equal values that no path
 * from i enters. The search starts at i, so all that it reaches has a path. By induction over its
 * edges, the path's value is the one in the row.
 *
 * The row is of any type; what stands for unreachable in it is dtype_info[].unreachable.
 *
 * A row of a floating-point type is held against the lengths of the paths that a search finds
 * (search.h), in O(m + n log n): D[i][i] = 0, D[i][v] is infinite where no path leads, and else it
 * is off by no more than rounding.h says, which is by nothing where all sums are exact. That bound
 * depends only on the part that the row's vertex reaches. Potentials count if a path to the
 * distance's own vertex can meet them. The search uses potentials where weights are negative; they
 * need not be trusted, since it is seen that they leave no edge on the way below 0. Maxima are not
 * rounded: a row has the value that the search finds, of f32 rounded once. A reliability is
 * compared by its key, which the logarithm and the rounding of the value may put off by 4 units
 * more. Below 2^-1022 of f64, or 2^-126 of f32, it may be off by that number.
 */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "base/dtype.h"
#include "base/scale.h"
#include "proof/potential.h"

struct certificate {
    const struct csr
        *edges; /* with the weights of the file; whole ones may be real already (csr_convert) */
    const struct potential
        *potential;       /* for real rows, whole or real as the edges are; NULL: none */
    struct labels labels; /* labels of the vertices, for messages */
    struct scale scale;   /* divisor of integer weights and distances; the edges have the algebra */
};

enum { CERTIFY_WHY = 500 };

/* Work space for one thread, for rows of n distances of that type, any of dtype.h. NULL when memory
 * is short.
 */
struct certify_space;
struct certify_space *certify_space_new(size_t n, enum dtype type);
void certify_space_free(struct certify_space *space); /* NULL is allowed */
size_t certify_need(size_t n, enum dtype type);       /* bytes of one */

/*
 * True if `row` (n distances from vertex i, of the type of the space) is right. Otherwise fills why
 * with one line: row, vertices, values, by what the vertices are called. Unless it is NULL, `tree`
 * becomes the tree of the search that proves the row, with n vertices. Its entry is the vertex
 * before v on a path of length row[v], and -1 for i and without a path. It is valid only if the row
 * is right.
 */
bool certify_row(const struct certificate *certificate, struct certify_space *space, size_t i,
                 const void *row, int32_t *tree, char why[CERTIFY_WHY]);

/* The rows to check: `wanted` different ones of n, ascending, spread by chance, the same for the
 * same seed; all if wanted >= n. Returns how many; rows has room for min(wanted, n). */
size_t certify_choose(size_t *rows, size_t wanted, size_t n, uint64_t seed);

#endif
