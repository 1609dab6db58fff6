/*
 * Which vertices are neighbours, whatever the direction and the weight: each has a sorted list of
 * others.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "graph/csr.h"

struct pattern {
    size_t n;
    size_t *start; /* n + 1; those of v are at to[start[v]] .. to[start[v + 1] - 1] */
    uint32_t *to;
};

/* The pattern of a graph, the same for any number of threads. APSP_MEMORY. Free in any case. */
int pattern_make(struct pattern *pattern, const struct csr *csr, int threads,
                 struct apsp_error *error);
void pattern_free(struct pattern *pattern); /* a zeroed one is allowed */

/* Bytes of one, and while it is made, at most, for m edges. */
size_t pattern_bytes(size_t n, size_t neighbours);
size_t pattern_need(size_t n, size_t m);

#endif
