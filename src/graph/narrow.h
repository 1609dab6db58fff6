/* Graphs whose levels are narrow, such as roads and grids. */
#ifndef NARROW_H
#define NARROW_H

#include "graph/csr.h"

/*
 * The levels in which a breadth-first search reaches half of the graph, if none of them is wide;
 * else 0. Levels separate what is before them from what is behind, so separators are small then,
 * and searches have many levels. The search ends at the first level that is wide, or with half of
 * the graph. 0 where memory is short.
 */
size_t csr_narrow_levels(const struct csr *csr);

#endif
