/*
 * Rows of distances from the panels of a tree. Each is independent of all others: a subset of
 * sources costs its part. The sources of a group go side by side through the tree, so a group is
 * best made of neighbours. The fewer supernodes lie on the paths from its sources to the root, the
 * less it costs. A good order is tree.vertex[].
 */
#ifndef EXPAND_H
#define EXPAND_H

#include "kernels/cpu/relax_accumulator.h"
#include "sparse/cut.h"
#include "sparse/eliminate.h"
#include "sparse/regions.h"

/* Work space of one thread. */
struct expand;

/* Sources of a group, at most. */
size_t expand_width(const struct panels *panels);

/* To make rows of so many columns, all vertices or those of a cut; 0: counts alone. The panels are
 * to stay. APSP_MEMORY; *expand is then NULL. The caller frees it. */
int expand_open(struct expand **expand, const struct panels *panels, size_t columns,
                struct apsp_error *error);
void expand_free(struct expand *expand); /* NULL is allowed */

size_t expand_need(const struct panels *panels, size_t columns); /* bytes of one */

/*
 * The distances from `count` vertices, 1 .. expand_width(), to all vertices, in the type of the
 * panels with its infinity: from source[r] to v at rows[r * stride + v]. The fastest where rows
 * begin on 64-byte boundaries.
 */
void expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows,
                 size_t stride);

/* The same to the vertices of a cut of that tree: to the one at place p of its list at rows[r *
 * stride + p].
 */
void expand_cut(struct expand *expand, const struct cut *cut, const uint32_t *source, size_t count,
                void *rows, size_t stride);

/* Gives the values of so many sources, node by node from the root on: rows of expand_width() for
 * the vertices at positions from `first` on, which are valid during the call. A false ends the
 * walk. Before a region it gives the rows of its border, or NULL if a source is within; a true
 * leaves the region out. */
struct expand_visitor {
    void *self;
    bool (*visit)(void *self, const void *rows, size_t count, size_t first);
    const struct regions *regions; /* NULL: none. */
    bool (*enter)(void *self, const void *rows, size_t region);
};
void expand_walk(struct expand *expand, const uint32_t *source, size_t count,
                 const struct expand_visitor *visitor);

/* Counts the rows of so many sources: that of source[r] has place r of the arrays, and a vertex has
 * the place of its position in the tree. A source is at distance 0 from itself. */
void expand_counts(struct expand *expand, const uint32_t *source, size_t count,
                   const struct relax_accumulator *accumulator);

/* A half of the same rows, of an undirected graph: the vertices at positions before that of the
 * row's source, and the source. The spans, with sums, add the columns of the former, as if all
 * expand_width() values of the vertices before all sources were finite (relax.h). Only the
 * supernodes above these sources and below them are walked. The sources are neighbours: their
 * positions follow each other. */
void expand_halves(struct expand *expand, const uint32_t *source, size_t count,
                   const struct relax_accumulator *accumulator);

#endif
