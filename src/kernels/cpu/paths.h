/*
 * The kernels that count shortest paths from 64 sources at once, where all arcs have one length,
 * and add up the dependencies of the sources on each vertex (U. Brandes, "A faster algorithm for
 * betweenness centrality", Journal of Mathematical Sociology 25, 2001). A vertex has a row of 64
 * reals and a word of bits, one for each source. They run in the calling thread. A GPU has the same
 * kernels (rows/gpu/paths.h), with the same results.
 *
 * Forward, level by level, the row holds the numbers of shortest paths. Backward it holds, in
 * their place, (wanted + dependency) / paths: so an arc costs one row in either direction. A sum
 * takes neighbours in the order of their list, whatever other sources are in hand. A list of more
 * than twice PATHS_SEGMENT has a sum for each segment of so many, and these are then added up.
 */
#ifndef PATHS_H
#define PATHS_H

#include "base/fixed.h"

#include <stdbool.h>

enum {
    PATHS_WIDTH = 64,
    PATHS_SEGMENT = 512 /* neighbours */
};

static inline bool paths_has_segments(size_t length)
{
    return length > 2 * (size_t)PATHS_SEGMENT;
}

/* Numbers of paths up to here have reciprocals, and sums of so many more are finite. */
#define PATHS_MOST 0x1p960

/* The sources that reach a vertex in one level. */
struct paths_event {
    uint64_t bits;
    uint32_t vertex;
};

/* Lists of neighbours: those of v are vertex[start[v]] to before vertex[start[v + 1]]. */
struct paths_lists {
    const size_t *start;
    const uint32_t *vertex;
};

struct paths_state {
    struct paths_lists in, out;
    const uint64_t *near;      /* Sources of a vertex in the level before, or after: else 0. */
    const uint64_t *missing;   /* Sources that have not reached a vertex. */
    double *row;               /* PATHS_WIDTH reals for each vertex, on 64-byte boundaries. */
    struct paths_event *event; /* Events of all levels; there is room for those of a call. */
    size_t events;             /* So many. */
    double most;               /* The largest number of paths so far. */
    const double *wanted;      /* For each vertex 1 if it is a target, else 0. */
    bool ends;                 /* Ends of paths count as if they were on the way. */
    struct fixed fixed;
    struct fixed_sum *sum; /* For each vertex. */
    struct fixed_sum *arc; /* For each arc of `out`; NULL: not wanted. */
};

struct paths_kernels {
    const char *name; /* The instruction set: a value of APSP_ISA. */
    /* Vertices that may be reached in a level: adds events. */
    void (*forward)(struct paths_state *state, const uint32_t *vertex, size_t count);
    /* The events from `first` to before `last`, all of one level; `sums`: vertices have sums. */
    void (*backward)(struct paths_state *state, size_t first, size_t last, bool sums);
};

/* The kernels of the widest instruction set that this processor runs and APSP_ISA allows. */
const struct paths_kernels *paths_choose(void);

#endif
