/* The elimination tree of a pattern in an order, by vertices. */
#ifndef ETREE_H
#define ETREE_H

#include "sparse/pattern.h"

#include <stdbool.h>

#define NO_PARENT UINT32_MAX
enum { NODE_MAX = 64 }; /* vertices of a supernode but the core, at most */

/*
 * Vertex number i of the order is its vertex[i]. All numbers here are such ones, and rank[v] is
 * that of vertex v of the pattern. In the tree, parent[i] > i, or NO_PARENT for a root. The later
 * neighbours of i when it is eliminated are count[i]. The array scratch has room for n.
 */
void etree_make(uint32_t *parent, uint32_t *count, const struct pattern *pattern,
                const uint32_t *vertex, const uint32_t *rank, uint32_t *scratch);

/*
 * Cuts the tree into supernodes: last[i] becomes the last vertex of i's supernode, which may be i
 * itself. All vertices inside of the core are one supernode. The array scratch has room for 3 n.
 */
void etree_cut(uint32_t *last, const uint32_t *parent, const uint32_t *count, const bool *inside,
               size_t n, uint32_t *scratch);

#endif
