/*
 * Upper bounds on all finite distances of a graph without negative weights, in integers: what
 * proves that a type is wide enough. A bound too large for 64 bits is INT64_MAX.
 */
#ifndef BOUND_H
#define BOUND_H

#include "graph/csr.h"

/* For any graph of n vertices whose heaviest weight is `most`: (n-1) * most. */
int64_t bound_by_weight(size_t n, int64_t most);

struct bound_request {
    int64_t enough; /* The bound is to be below this. */
    bool sweep;     /* Try paths that may not be the shortest first, in linear time. */
    int landmarks;  /* Then search shortest paths from so many landmarks of each component. */
    int threads;
};
enum { BOUND_LANDMARKS = 6 }; /* More of them hardly help. */

/*
 * A better one from the edges (whole weights >= 0), in nearly linear time; it is done as soon as
 * the bound is below `enough`, or some distance is known not to be. Takes bound_need bytes beside
 * the graph. APSP_MEMORY.
 */
int bound_by_landmarks(int64_t *bound, const struct csr *csr, const struct bound_request *request,
                       struct apsp_error *error);
size_t bound_need(size_t n, size_t m);

#endif
