/* A network on a GPU: vertices of many arcs come in segments, each for a warp. */
#ifndef SSSP_GPU_NETWORK_H
#define SSSP_GPU_NETWORK_H

#include "kernels/gpu/gpu.h"

enum { GPU_SEGMENT = 512 }; /* arcs; a vertex with more than twice as many has segments */

/* Some arcs to a vertex, which is number `heavy` of those that have segments. */
struct gpu_segment {
    uint64_t first;
    uint32_t vertex, heavy;
};

/* All of it is device memory. A set of vertices has a bit for each, 32 in a word. */
struct gpu_arcs {
    uint32_t n, segments, heavies;
    const uint64_t *start;
    const uint32_t *from;
    const void *weight;    /* In the task's type; NULL where all are equal. */
    const uint32_t *light; /* The set of vertices that have arcs, but no segments. */
    const struct gpu_segment *segment;
    const uint32_t *parts; /* Segments of each heavy vertex. */
};

/* Words of a set. */
static inline size_t gpu_sets(size_t n)
{
    return (n + 31) / 32;
}

#endif
