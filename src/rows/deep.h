/*
 * Betweenness where all arcs have one length and searches have many levels, as on roads and meshes:
 * one search at a time (U. Brandes, "A faster algorithm for betweenness centrality", Journal of
 * Mathematical Sociology 25, 2001). No distances are needed. Sums depend on no order
 * (base/fixed.h), so they are the same on any threads and ranks.
 */
#ifndef DEEP_H
#define DEEP_H

#include "rows/brandes.h"

/* Work space of one thread; its sums are by the graph's numbers. */
struct deep {
    const struct brandes_graph *graph;
    uint32_t *level, *order;     /* By vertex its level, and vertices as a search reaches them. */
    double *part;                /* part * 2^(512 scale) is the number of shortest paths. */
    int32_t *scale;              /* Used once numbers of paths are too large for part alone. */
    bool scaled;                 /* They are. */
    size_t known;                /* Vertices that the search has reached. */
    struct fixed_sum *sum, *arc; /* For each vertex, and each arc of `out` (NULL: not wanted). */
};

/* Bytes of one worker. */
size_t deep_need(size_t n, size_t m, bool edges);

/* APSP_MEMORY; *deep is then NULL. The graph is a deep one. */
int deep_open(struct deep **deep, const struct brandes_graph *graph, struct apsp_error *error);
void deep_free(struct deep *deep); /* NULL is allowed */

/* Adds the dependencies of a source on all vertices. */
void deep_take(struct deep *deep, uint32_t source);

#endif
