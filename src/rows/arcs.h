/*
 * The edges of a graph for counting shortest paths: only the shortest of parallel ones, and those
 * out of a vertex by ascending length. So a search with a limit stops at the first that is too
 * long.
 */
#ifndef ARCS_H
#define ARCS_H

#include "apsp.h"
#include "base/dtype.h"
#include "graph/csr.h"

struct arcs {
    size_t n, m;
    bool directed; /* some edge has none of its length that leads back */
    size_t *start; /* n + 1: those out of u are at [start[u], start[u + 1]) */
    uint32_t *to;
    void *length; /* each of the type that they were made for */
    /* For f64: the lengths times the smallest scale (scale.h) that makes all of them integers, and
     * so every sum of them on a path exact. Without such a scale, the lengths themselves. NULL of
     * other types. */
    double *scaled;
};

/*
 * For rows of that type, i32, i64 or f64, of edges whose weights are above 0; edges that are longer
 * than any distance of it are left out. APSP_MEMORY. Local. Free in any case.
 */
int arcs_make(struct arcs *arcs, const struct csr *edges, enum dtype type,
              struct apsp_error *error);
void arcs_free(struct arcs *arcs); /* a zeroed one is allowed */

/* The length of an arc, of that type. */
union value arcs_length(const struct arcs *arcs, enum dtype type, size_t arc);

/* A list of them by tails and heads, each with its value; of an undirected graph one for both
 * directions, from the lower vertex, with the sum of both. To be freed. NULL: no memory. */
struct apsp_edge_value *arcs_list(const struct arcs *arcs, const double *value, size_t *count,
                                  struct apsp_error *error);

/* Bytes of those of n vertices and m edges at most, and what making them takes beside; SIZE_MAX
 * when they do not fit. */
size_t arcs_need(size_t n, size_t m, enum dtype type);
size_t arcs_making(size_t n, size_t m);

#endif
