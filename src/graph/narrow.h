/* Kinds of graphs, by what costs little: narrow ones such as roads and grids, and skewed ones. */
#ifndef NARROW_H
#define NARROW_H

#include "graph/csr.h"

/* As a breadth-first search sees a graph until it has reached half of it. Levels separate what is
 * before them from what is behind. */
struct narrow {
    size_t levels; /* So many; 0: some level is wider than in roads and grids. In these, separators
                      are small, and searches have many levels. */
    size_t widest; /* Vertices of the widest level; 0: it is wider than in meshes of three
                      dimensions. */
};

/* Zeroed where half of the graph is not reached, or memory is short. The search ends where both are
 * known. */
struct narrow csr_narrow(const struct csr *csr);

/* Whether some vertex has many times as many edges as the mean, as in social networks and the web.
 */
bool csr_is_skewed(const struct csr *csr);

#endif
