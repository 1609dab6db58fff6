/*
 * Dependencies from rows in the memory of a GPU (rows/tight_device.h). A block of threads takes a
 * source, and so no level of it waits for the whole device. The first kernel counts the tight arcs
 * into each vertex. The second one goes through the levels of the topological order: a vertex adds
 * up the paths of its tails when all of them are known. Then it goes back through the levels, and a
 * vertex adds up what its heads have. No sum has an order of chance.
 *
 * All pointers are device memory; every function enqueues and returns.
 */
#ifndef ROWS_GPU_TIGHT_H
#define ROWS_GPU_TIGHT_H

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/dtype.h"
#include "kernels/cpu/paths.h"
}

/* The other end of an arc, and the length in the type of lengths. */
template <class Length> struct gpu_tight_arc {
    uint32_t vertex;
    Length length;
};

/* Arcs of v: those from start[v] to before start[v + 1]. */
struct gpu_tight_lists {
    const uint64_t *start;
    const void *arc; /* gpu_tight_arc of int32_t, or of int64_t for rows of i64. */
};

struct gpu_tight {
    uint32_t n;
    struct gpu_tight_lists in, out; /* The same lists, if every arc leads back. */
    const unsigned char *target;    /* As in struct tight_task; NULL: all. */
    bool limited, ends;
    int64_t within;
    struct fixed fixed;
    struct fixed_sum *sum; /* One for each vertex. */
    struct fixed_sum *arc; /* One for each arc of `out`; NULL: not wanted. */
    /* The rows. */
    enum dtype dtype;
    const void *rows;
    size_t stride;
    uint32_t count;         /* Their number. */
    const uint32_t *source; /* One of each row. */
    double *part;           /* As in struct node, n of each row. */
    uint32_t *waiting;      /* The same. */
    uint32_t *order;        /* Vertices of each row, level after level. */
    uint32_t *level;        /* Where the levels of each row begin, n + 1. */
    uint32_t *reached;      /* Finite distances of each row; zero before. */
    uint32_t *refused;      /* Whether nothing of a row has been added; zero before. */
};

void gpu_tight_take(const struct gpu_tight *tight, gpuStream_t stream);

#endif
