/*
 * Rows of distances from the panels of a tree. Each is independent of all others: a subset of sources costs
 * its part. The sources of a group go side by side through the tree, so a group is best made of neighbours:
 * the fewer nodes lie on the paths from its sources to the root, the less it costs. tree.vertex[] is a good
 * order.
 */
#ifndef EXPAND_H
#define EXPAND_H

#include "sparse/eliminate.h"

/* Work space of one thread. */
struct expand;

/* Sources of a group, at most. */
size_t expand_width(const struct panels *panels);

/* The panels are to stay. APSP_MEMORY; *expand is then NULL. The caller frees it. */
int expand_open(struct expand **expand, const struct panels *panels, struct apsp_error *error);
void expand_free(struct expand *expand); /* NULL is allowed */

size_t expand_need(const struct panels *panels); /* bytes of one */

/*
 * The distances from `count` vertices, 1 .. expand_width(), to all vertices, in the type of the panels with
 * its infinity: from source[r] to v at rows[r * stride + v].
 */
void expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows, size_t stride);

/*
 * The same in the order of positions, which is faster: from source[r] to the vertex at position p at
 * result[r * *stride + p]. They stay until the next call.
 */
const void *expand_positions(struct expand *expand, const uint32_t *source, size_t count, size_t *stride);

#endif
