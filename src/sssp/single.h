/*
 * The distances from one source by Dijkstra's algorithm, for few sources and for graphs on which
 * searches side by side do not pay. Vertices wait in a radix heap: keys never fall below the last
 * one taken, so a key waits in the bucket of the highest bit in which it differs from that one
 * (R. Ahuja et al., Faster algorithms for the shortest path problem, JACM 37(2), 1990). Distances
 * of floating-point types are keys by their bits, which are in their order.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "sssp/network.h"

/* A vertex that waits, perhaps more than once: only its least key counts. */
struct single_entry {
    uint64_t key;
    uint32_t vertex;
};

/* Work space of one thread. */
struct single {
    const struct network *network;
    enum dtype dtype;
    union value unit; /* The weight of all arcs, where the network has none. */
    unsigned char *is_target;
    struct single_heap {
        const size_t *start; /* The network's: those of vertices that come soon are asked for. */
        uint64_t last;
        size_t count; /* Entries in all buckets. */
        bool failed;  /* Memory was short. */
        struct single_bucket {
            struct single_entry *entry;
            size_t count, room;
        } bucket[65];
    } heap;
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
