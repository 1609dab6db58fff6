/*
 * Breadth-first searches from many sources at once on a graph whose arcs all have one length.
 * Each vertex has a row of bits, one for each source (kernels/cpu/bits.h). Distances are known as
 * levels: a vertex gets the bit of a source in the level that is the number of arcs between them.
 *
 * Two ways out. Each source's vertices are counted level by level, without any distances: bits of
 * one place in many rows add up in bit-sliced counters, at about five operations a row. Or levels
 * are kept as planes, plane p of which has bit p of every level (sssp/levels.h).
 */
#ifndef WAVES_H
#define WAVES_H

#include "base/error.h"
#include "kernels/cpu/bits.h"
#include "rows/block.h"

enum { WAVES_PLANES = 32 };

/* The arcs to v come from the vertices from[start[v]] to before from[start[v + 1]]. */
struct waves_arcs {
    size_t n;
    const size_t *start;
    const uint32_t *from;
    const uint32_t *vertex; /* Names of the vertices in `columns`; NULL: numbers. */
};

/* The use of searches. */
struct waves_plan {
    size_t width;  /* Sources of a batch, at most: bits of a row. */
    bool levels;   /* Levels are to be kept. */
    bool columns;  /* Sources that reach a vertex, and how far they are, are to be counted. */
    bool harmonic; /* Counts are to have harmonic sums. */
};

/* Work space of one thread. */
struct waves {
    struct waves_arcs arcs;
    struct waves_plan plan;
    const struct bits_kernels *kernels;
    struct bits_level level;
    struct bits_counter counter;
    uint64_t *live;                /* The sources that found vertices in the last level, and */
    uint64_t *came;                /* in this one so far, where levels are kept. */
    uint32_t *before;              /* The vertices of the front. */
    size_t front_count;            /* So many. */
    size_t levels;                 /* Levels of the batch: none of its distances has more arcs. */
    uint64_t *plane[WAVES_PLANES]; /* Rows of digits; those that the levels need. */
    int planes;                    /* Planes that there are. */
    uint32_t *got;                 /* Vertices that each source comes to in one level. */
    struct row_counts *counts;     /* Counts of each source, in levels. */
    uint32_t *reached;             /* Sources that reach each vertex, and */
    int64_t *most;                 /* the last level in which one came. */
    struct column_counts columns;  /* Both, by the numbers of arcs. */
};

/* Pairs of each level go here while a batch runs: pairs(self, level, count). */
struct waves_listener {
    void *self;
    bool (*pairs)(void *self, size_t level, size_t count); /* False ends the batch. */
};

/* Bytes of one, without the planes of levels, and of one plane. */
size_t waves_need(size_t n, const struct waves_plan *plan);
size_t waves_plane(size_t n, const struct waves_plan *plan);

/* The lists of arcs are to stay. APSP_MEMORY; *waves is then NULL. */
int waves_open(struct waves **waves, const struct waves_arcs *arcs, const struct waves_plan *plan,
               struct apsp_error *error);
void waves_free(struct waves *waves); /* NULL is allowed */

/*
 * One batch, from the vertices source[0 .. count - 1], which are different ones, at most as many as
 * the plan's width. It ends early once it has come to all `targets` (NULL: all vertices). The
 * callback may be NULL. APSP_MEMORY.
 */
struct waves_batch {
    const uint32_t *source;
    size_t count;
    const uint32_t *targets;
    size_t target_count;
    const struct waves_listener *listener;
};
int waves_run(struct waves *waves, const struct waves_batch *batch, struct apsp_error *error);
/* The counts of a batch, of so many sources, become those of arcs of that length. */
void waves_scale(struct waves *waves, size_t count, int64_t unit);

#endif
