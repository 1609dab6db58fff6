/*
 * The distances from one source by Dijkstra's algorithm, for few sources and for graphs on which
 * searches side by side do not pay. Vertices wait in a radix heap (base/radix.h). Distances of
 * floating-point types are keys by their bits, which are in their order.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "base/radix.h"
#include "sssp/network.h"

/* Work space of one thread. */
struct single {
    const struct network *network;
    enum dtype dtype;
    union value unit; /* The weight of all arcs, where the network has none. */
    unsigned char *is_target;
    struct radix heap;
};

size_t single_need(size_t n); /* Bytes of one, with the usual buckets. */

/* The network, which leads forward, is to stay. APSP_MEMORY; *single is then NULL. */
int single_open(struct single **single, const struct network *network, enum dtype dtype,
                union value unit, struct apsp_error *error);
void single_close(struct single *single); /* NULL is allowed */

/*
 * row[v] becomes the distance from the source to v, in the type, infinite where no path leads. It
 * ends once it has come to all `targets`, which are different ones; NULL: all vertices. Distances
 * to others are then no shorter than the right ones. APSP_MEMORY.
 */
int single_from(struct single *single, size_t source, const uint32_t *targets, size_t count,
                void *row, struct apsp_error *error);

#endif
