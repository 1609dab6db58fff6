/* Graphs whose levels are narrow, such as roads and grids. */
#ifndef NARROW_H
#define NARROW_H

#include "graph/csr.h"

/* As a breadth-first search sees a graph until it has reached half of it. Levels separate what is
 * before them from what is behind. */
struct narrow {
    size_t levels; /* Levels, if none of them is wide, as in no road or grid; else 0. Separators are
                      small then, and searches have many levels. */
    size_t widest; /* Vertices of the widest level, if it is not wider than in meshes of three
                      dimensions; else 0. */
};

/* Zeroed where half of the graph is not reached, or memory is short. The search ends where both are
 * known. */
struct narrow csr_narrow(const struct csr *csr);

#endif
