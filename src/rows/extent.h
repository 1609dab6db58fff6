/*
 * Eccentricities by few searches: diameter, radius, centre and periphery, or all of them. With E
 * the eccentricity of s, and v in the same strongly connected component as s,
 *
 *     d(v, s), E - d(s, v) <= eccentricity of v <= d(v, s) + E
 *
 * (F. W. Takes and W. A. Kosters, "Computing the eccentricity distribution of large graphs",
 * Algorithms 6, 2013; for directed graphs M. Borassi et al., "Fast diameter and radius BFS-based
 * computation in (weakly connected) real-world graphs", Theoretical Computer Science 586, 2015).
 * The upper bounds of a component bound those of the components before it. A pass searches from
 * vertices with the highest bounds and from the middle of their component, in a directed graph both
 * ways. Passes end when no other vertex can be in the centre or the periphery; for the diameter
 * alone, when no upper bound exceeds it. Bounds of real distances leave room for rounding. If all
 * weights are equal, levels are few and many vertices stay open, batches of searches settle them
 * (waves.h).
 *
 * Distances are those to vertices that are reached; each vertex reaches itself. Weights may be
 * negative.
 */
#ifndef EXTENT_H
#define EXTENT_H

#include "comm/comm.h"
#include "proof/certify.h"
#include "rows/rows.h"

struct extent;

struct extent_plan {
    struct certificate certificate; /* Its edges and potentials stay. */
    bool each;                      /* All eccentricities are wanted. */
    bool alone;                     /* Else: the diameter alone is. */
};

/* Bytes for n vertices and m edges at most. NULL: edges are not there yet. */
size_t extent_need(size_t n, size_t m, const struct csr *edges, int lanes);

/* APSP_MEMORY. Local. *out is NULL after an error. */
int extent_new(struct extent **out, const struct extent_plan *plan, struct apsp_error *error);
void extent_free(struct extent *extent); /* NULL is allowed */

/* The functions of a sink. Its first pass with a maker of its own is the first that counts. */
const size_t *extent_wants(const struct extent *extent, size_t *count);
void extent_maker(struct extent *extent, struct comm *comm, struct rows_maker *maker);
/* APSP_MEMORY, APSP_CANCELLED. */
int extent_take(struct extent *extent, int lane, const struct block *block,
                struct apsp_error *error);
/* Collective, without agreement. */
void extent_merge(struct extent *extent, struct comm *comm);
bool extent_again(const struct extent *extent);

/* After the last pass: the searches, the extremes, whether every vertex reaches every other one,
 * and whether the eccentricity of a vertex is known; then it is *value. */
size_t extent_searches(const struct extent *extent);
union value extent_diameter(const struct extent *extent);
union value extent_radius(const struct extent *extent);
bool extent_is_connected(const struct extent *extent);
bool extent_is_known(const struct extent *extent, size_t v, union value *value);

#endif
