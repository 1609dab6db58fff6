/*
 * Which sources come to many vertices. On a directed graph most may come to hardly any, and a
 * search from one of these tells nothing of the others; so do isolated vertices.
 */
#ifndef REACH_H
#define REACH_H

#include "sssp/network.h"

enum { REACH_PLACES = 64 };

/* A look at places that are spread over the order of sources, the first in the middle. */
struct reach {
    size_t place[REACH_PLACES]; /* Sources that come to many; all, if none does. */
    size_t count;
    double part; /* So much of all sources are like these. */
};

/* The network has the arcs of that csr. Local. APSP_MEMORY. */
int reach_look(struct reach *reach, const struct network *network, const struct csr *csr,
               struct apsp_error *error);

#endif
