/*
 * The distances from one source, for few sources, for pairs that are near, and for graphs on which
 * searches side by side do not pay. Vertices wait in a radix heap (base/radix.h).
 *
 * A key stands for all distances of a short interval. Vertices of one key are taken in the order in
 * which they came, and again where their distance has become shorter (U. Meyer and P. Sanders,
 * Delta-stepping, J. Algorithms 49(1), 2003). Few entries are then moved more than once, and the
 * distances are those of Dijkstra's algorithm.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "base/radix.h"
#include "sssp/network.h"

/* The distances that are wanted of each source. The list stays. */
struct single_request {
    const uint32_t *vertex; /* To these vertices, which are different ones; NULL: all. */
    size_t count;
    struct rows_near near; /* Only to those that are near enough, in the search's type. */
};

/* The request of a task's rows. Potentials put distances in another order: nothing is near then. */
struct single_request single_request_of(const struct engine_task *task, const uint32_t *vertex,
                                        size_t count, struct rows_near near);

/* Work space of one thread. */
struct single {
    const struct network *network;
    struct single_request request;
    enum dtype dtype;
    union value unit; /* The weight of all arcs, where the network has none. */
    void *row;        /* Distances from the last source, by vertices. */
    uint32_t *place;  /* 1 + the place of a vertex in the request while no search has come to it. */
    uint32_t *found;  /* Places of those that the search has come to; then their vertices. */
    size_t found_count;
    uint32_t *touched; /* Vertices with a distance, where rows are not made anew each time. */
    size_t touched_count;
    int32_t *folded; /* Distances in a folded network, by its numbers. */
    struct radix heap;
};

/* Bytes of one, with the usual buckets; of a network that is folded, or not. */
size_t single_need(size_t n, enum dtype dtype, const struct single_request *request, bool folded);

/* The network, which leads forward, is to stay. APSP_MEMORY; *single is then NULL. */
int single_open(struct single **single, const struct network *network, enum dtype dtype,
                union value unit, const struct single_request *request, struct apsp_error *error);
void single_close(struct single *single); /* NULL is allowed */

/*
 * row[v] becomes the distance from the source to v, infinite where no path leads. It ends once it
 * has come to all that is wanted: distances to others are then no shorter than the right ones.
 * Where only near ones are wanted, they are found[0 .. found_count - 1], in the order of the
 * request, or in one that depends on the source alone if any will do. APSP_MEMORY.
 */
int single_from(struct single *single, size_t source, struct apsp_error *error);

#endif
