/*
 * Shortest paths by other algorithms than the solver's, for comparison: Dijkstra's with a binary
 * heap, and Bellman and Ford's, which share no code. Distances that do not exist are INF_I32.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "graph/graph.h"

/*
 * All distances, row-major, n x n, by Dijkstra's algorithm from every vertex; weights >= 0. A
 * distance of INF_I32 or more is an error of the caller. Returns NULL when memory is short; the
 * caller frees.
 */
int32_t *reference_dijkstra(size_t n, const struct edge *edges, size_t m);

/* The same by at most n rounds over all edges from every vertex; for small graphs. */
int32_t *reference_bellman_ford(size_t n, const struct edge *edges, size_t m);

/*
 * The same with weights of any sign, in 64 bits (INF_I64) or as doubles (INFINITY). *cycle tells
 * that there is a negative cycle; the distances mean nothing then.
 */
int64_t *reference_whole(size_t n, const struct edge *edges, size_t m, bool *cycle);
double *reference_real(size_t n, const struct edge *edges, size_t m, bool *cycle);

#endif
