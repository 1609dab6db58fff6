/* Bounds of the eccentricities of all vertices, from searches (extent.h). */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "comm/comm.h"
#include "graph/component.h"
#include "proof/certify.h"
#include "rows/sweep.h"

struct bounds {
    size_t n;
    bool real, negative; /* Lengths are real; some weights are below 0. */
    bool directed;       /* Some edge does not lead back, with its weight. */
    const struct csr *edges;
    struct csr reversed; /* The edges of a directed graph, reversed. */
    struct components components;
    double share, least; /* Rounding takes this share from a sum, and this. */
    int64_t *low, *high; /* At least 0; of reals the bits, which are in the same order. */
    int64_t diameter, radius;
};

size_t bounds_need(size_t n, size_t m); /* Bytes, of n vertices and m edges at most. */

/* Makes the bounds that the edges alone tell. Edges and potentials stay. APSP_MEMORY. Free in any
 * case. */
int bounds_make(struct bounds *bounds, const struct certificate *certificate,
                struct apsp_error *error);
void bounds_free(struct bounds *bounds); /* A zeroed one is allowed. */

/* Adds what the distances from s, and to it, tell. By one thread at a time. */
void bounds_take(struct bounds *bounds, size_t s, const struct sweep *from, const struct sweep *to);
/* The eccentricity of v is known. */
void bounds_settle(struct bounds *bounds, size_t v, union value eccentricity);

/* Collective: merges the bounds of all ranks, and draws conclusions. */
void bounds_merge(struct bounds *bounds, struct comm *comm);

/* Whether the eccentricity of a vertex is known. */
static inline bool bounds_meet(const struct bounds *bounds, size_t v)
{
    return bounds->low[v] == bounds->high[v];
}

#endif
