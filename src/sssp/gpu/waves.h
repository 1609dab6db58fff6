/*
 * Breadth-first searches from many sources at once on a GPU, as waves.h has them on cores. A vertex
 * has a row of bits, one for each source. It pulls its missing bits from in-neighbours that got
 * some in the level before. All pointers are device memory; every function enqueues and returns.
 * Levels can be enqueued ahead: those after the last do nothing. Levels are counted, or kept as
 * planes.
 *
 * A warp takes a vertex. Vertices of many arcs come in segments, each for a warp. The warp that
 * ends last looks at what all have found. Sources are counted by bit-sliced counters in registers,
 * one column of words of the rows for each thread.
 */
#ifndef SSSP_GPU_WAVES_H
#define SSSP_GPU_WAVES_H

#include "sssp/gpu/network.h"

enum {
    GPU_WAVES_WORD = 32,         /* sources of a word */
    GPU_WAVES_LEAST = 1024 / 32, /* words of a row: so many, or 2 or 4 times that */
    GPU_WAVES_MOST = 4096 / 32,
    GPU_WAVES_AHEAD = 64 /* levels that can be enqueued before the host looks, at most */
};

/* The counts of a chunk of levels: cleared before it. */
struct gpu_waves_counts {
    uint32_t alive[GPU_WAVES_AHEAD]; /* Whether level k of the chunk has found anything. */
    uint32_t got[]; /* Vertices that a source comes to, [k][source % 32][source / 32]. */
};

/* The state of one batch under way. Rows are `row` words each. */
struct gpu_waves {
    struct gpu_arcs arcs;
    uint32_t row, count;              /* Words of a row; sources of the batch. */
    const uint32_t *source;           /* Their new numbers, which are different ones. */
    uint32_t *front, *next, *missing; /* Rows: front and next change places with each level. */
    uint32_t *set[3];        /* Vertices of the front, of the next one, and a set to be cleared. */
    uint32_t *open;          /* Light vertices that miss some. */
    uint32_t *fresh;         /* Vertices whose row of missing bits is not there: all are. */
    uint32_t *part;          /* Rows of heavy vertices: the bits that their segments have found. */
    uint32_t *ticket, *full; /* Segments of a vertex that are done; whether it misses nothing. */
    uint32_t *reached;       /* Sources that reach each vertex, NULL: is not wanted; and */
    int64_t *most, unit;     /* the last level in which one came, times the unit. */
    uint32_t *plane; /* Rows of digits of levels: plane p follows plane p - 1. NULL: these are */
    uint32_t planes; /* not kept; else so many. */
    struct gpu_waves_counts *counts;
};

/* Whether rows of so many words are possible. */
bool gpu_waves_takes(size_t row);

/* The batch begins. `processors`: of the device. */
void gpu_waves_begin(const struct gpu_waves *waves, int processors, gpuStream_t stream);
/* Level number k of the chunk, from 0 on, is number `level` of the batch, from 1 on. */
void gpu_waves_level(struct gpu_waves *waves, uint32_t level, uint32_t k, int processors,
                     gpuStream_t stream);

#endif
