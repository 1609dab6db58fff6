/*
 * Distances from one vertex or to it, over the edges of the certificate: a breadth-first search
 * where all weights are equal, else Dijkstra's algorithm, with potentials where weights are
 * negative. A search costs no more than the part of the graph that it reaches. Real distances are
 * sums of doubles from the search's own vertex on.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "base/radix.h"
#include "proof/potential.h"

struct sweep_graph {
    const struct csr *edges; /* Out of each vertex, or into it. */
    const struct potential *potential;
    bool backward;    /* Edges lead into the vertex: distances are to the source. */
    bool equal;       /* All weights are equal and above 0. */
    union value unit; /* The equal weight. */
};

/* Work space of one thread. */
struct sweep {
    size_t n, count;       /* Vertices; vertices that the last search reached. */
    uint32_t *reached;     /* These vertices. */
    union value *distance; /* The distances of vertices that are reached. */
    int64_t *key;          /* The same with potentials; FAR: not reached. */
    union value most;      /* The largest distance, at least 0. */
    uint32_t farthest;     /* A vertex at this distance. */
    struct radix heap;
};

size_t sweep_need(size_t n, bool shifted); /* Bytes of one, with the usual heap. */

/* The work space is for graphs with potentials (shifted) or for those without. APSP_MEMORY; *sweep
 * is then NULL. */
int sweep_open(struct sweep **sweep, size_t n, bool shifted, struct apsp_error *error);
void sweep_free(struct sweep *sweep); /* NULL is allowed */

/* APSP_MEMORY, APSP_CANCELLED. */
int sweep_run(struct sweep *sweep, const struct sweep_graph *graph, size_t source,
              struct apsp_error *error);

bool sweep_reaches(const struct sweep *sweep, size_t v);

/* Whether all weights are equal and above 0, and that weight. */
bool sweep_is_equal(const struct csr *edges, union value *unit);

#endif
