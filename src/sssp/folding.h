/*
 * A network of few neighbours, as of roads, folded for searches from many sources: vertices with
 * few neighbours are eliminated one after the other, and arcs between their neighbours keep all
 * distances. A search runs on the vertices that are left, the core. Two sweeps over lists do the
 * rest: up from the source to the core, and down from the core to all vertices (R. Geisberger et
 * al., Exact routing in large road networks using contraction hierarchies, 2012).
 */
#ifndef FOLDING_H
#define FOLDING_H

#include "base/radix.h"
#include "sssp/network.h"

struct folding_arc {
    uint32_t to;
    int32_t weight;
};

/* An eliminated vertex and a neighbour that was left: the arcs to it and from it. */
struct folding_pair {
    uint32_t to;
    int32_t out, in; /* INF_I32: there is none. */
};

/* Core vertices have the numbers 0 .. core - 1, the others follow: the last eliminated comes first.
 * So the neighbours of an eliminated vertex have lower numbers. */
struct folding {
    size_t n, core;
    uint32_t *number;          /* By vertices. */
    size_t *start;             /* Arcs of core vertex u: start[u] .. start[u + 1] - 1. */
    struct folding_arc *arc;   /* Between core vertices. */
    size_t *first;             /* Pairs of vertex core + k: first[k] .. first[k + 1] - 1. */
    struct folding_pair *pair; /* To vertices of lower numbers. */
};

/* Whether folding can pay for so many sources: integer distances below 2^30, few arcs, weights that
 * differ. */
bool folding_serves(const struct engine_task *task, const struct network_weights *weights);

/* Bytes while one is made and after that, at most. */
size_t folding_bytes(size_t n, size_t arcs);

/* Folds a network that leads forward. *folding is NULL where a vertex has too many neighbours.
 * APSP_MEMORY. */
int folding_make(struct folding **folding, const struct network *network, enum dtype dtype,
                 struct apsp_error *error);
void folding_free(struct folding *folding); /* NULL is allowed */

/* Length of the interval of distances that a key of the heap stands for: the mean weight of the
 * core's arcs. */
double folding_interval(const struct folding *folding);

/* row[t] becomes the distance from the vertex to the one of number t. The heap is cleared. It fails
 * where memory is short. */
void folding_search(const struct folding *folding, struct radix *heap, size_t vertex, int32_t *row);

#endif
