/*
 * Betweenness where all arcs have one length, on a GPU: the searches of kernels/cpu/paths.h, 64
 * side by side, with the same sums in the same order. All pointers are device memory; every
 * function enqueues and returns. Levels can be enqueued ahead: those after the last do nothing.
 *
 * A warp takes a vertex, and each lane its part of the 64 sources. Long lists come in segments
 * (PATHS_SEGMENT), each for a warp. The warp that ends last adds up what all have found.
 */
#ifndef ROWS_GPU_PATHS_H
#define ROWS_GPU_PATHS_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "kernels/cpu/paths.h"
}

enum { GPU_PATHS_NEAR = 3 }; /* levels of which bits are at hand */

/* The sources that reach a vertex in one level. The number of a segment of its successors: one of
 * the events that the vertex has, one for each; GPU_PATHS_WHOLE: it has this one. */
#define GPU_PATHS_WHOLE UINT32_MAX
struct gpu_paths_event {
    uint64_t bits;
    uint32_t vertex, segment;
};

/* Neighbours of v: vertex[start[v]] to before vertex[start[v + 1]]. Its segments are those from
 * first[v] to before first[v + 1]; none: the list is short. */
struct gpu_paths_lists {
    const uint64_t *start;
    const uint32_t *vertex, *first;
    const uint32_t *owner; /* The vertex of each segment. */
    uint32_t segments;
};

/* The segments of a level. */
struct gpu_paths_parts {
    double *row;      /* PATHS_WIDTH sums of each segment. */
    uint64_t *bits;   /* Sources that the sums are for. */
    uint32_t *ticket; /* Segments of a vertex that are done, at its first segment. */
};

struct gpu_paths {
    uint32_t n, words; /* vertices; words of a set: bit v / words of word v % words is for v */
    struct gpu_paths_lists in, out;
    const double *wanted;  /* 1 for targets, else 0. */
    const uint32_t *light; /* The set of vertices whose `in` is no list of segments. */
    struct gpu_paths_parts parts;
    bool ends; /* Ends of paths count as if they were on the way. */
    struct fixed fixed;
    struct fixed_sum *sum; /* One for each vertex. */
    struct fixed_sum *arc; /* One for each arc of `out`; NULL: not wanted. */
    /* The batch. */
    const uint32_t *source;         /* Different vertices. */
    uint32_t count;                 /* Their number. */
    uint64_t *missing;              /* Sources that have not reached a vertex. */
    uint64_t *near[GPU_PATHS_NEAR]; /* Sources of level l: in near[l % GPU_PATHS_NEAR]. */
    double *row;                    /* PATHS_WIDTH of each vertex, as in struct paths_state. */
    uint32_t *marked;               /* The set of vertices that a level may reach. */
    struct gpu_paths_event *event;  /* Events of all levels. */
    unsigned long long room;        /* Room for events. */
    unsigned long long *events;     /* Number of events; those beyond the room are lost. */
    unsigned long long *level;      /* Where the events of each level begin. */
    uint32_t *beyond;               /* Set when a number of paths exceeds PATHS_MOST. */
};

/* The batch begins: level 0. */
void gpu_paths_begin(const struct gpu_paths *paths, int processors, gpuStream_t stream);
/* Level `level`, from 1 on, by what the one before has reached. level[level] is there then. */
void gpu_paths_forward(const struct gpu_paths *paths, size_t level, int processors,
                       gpuStream_t stream);
/* Dependencies of a level, from `last` down, where level[last + 1] is the end of all events. Before
 * the first one nothing is near. */
void gpu_paths_backward(const struct gpu_paths *paths, size_t level, size_t last, int processors,
                        gpuStream_t stream);

#endif
