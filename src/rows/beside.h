/*
 * Rows side by side, as an engine on cores makes them: a vertex has the distances from the sources
 * of a group. A sink that takes them needs no block of rows, whose transposing costs more than
 * making them.
 *
 * Some parts of the engine's order are regions. A path to a vertex of a region from outside of it
 * leads through the region's border, which comes earlier in the order. So the distances there, from
 * sources outside, tell all those inside.
 */
#ifndef BESIDE_H
#define BESIDE_H

#include "base/dtype.h"
#include "base/error.h"

/* Vertices of a region, and of its border, which has half as many at most. The place of its first
 * vertex is a multiple of BESIDE_ALIGN, as is that of the vertex that follows. */
enum { BESIDE_LEAST = 32, BESIDE_MOST = 512, BESIDE_BORDER = 64, BESIDE_ALIGN = 32 };

struct beside_region {
    size_t place, count, border;
};

/* Regions of n vertices, at most, and places. */
static inline size_t beside_regions(size_t n)
{
    return n / BESIDE_LEAST;
}

static inline size_t beside_places(size_t n)
{
    return n + beside_regions(n) * 2 * (BESIDE_ALIGN - 1);
}

struct beside_rows {
    enum dtype dtype;
    const void *values; /* Value r of vertex i is at [i * width + r], for r < sources. */
    size_t width, sources;
    size_t place, count; /* Vertices from that place on, in the engine's order. */
};

struct beside_target {
    void *self;
    /* The order: these vertices have the places from that one on. By one thread, before others. */
    void (*order)(void *self, const uint32_t *vertex, size_t count, size_t place);
    /* A region, by ascending places, after the order of its vertices. NULL: none is wanted. */
    void (*region)(void *self, const struct beside_region *region);
    /* The values of a group, by ascending places, by the worker that then hands the block on: one
     * without values, whose sources they are. APSP_MEMORY. */
    int (*take)(void *self, int lane, const struct beside_rows *rows, struct apsp_error *error);
    /* The values at the border of that region, in which no source is, before those inside; `place`
     * is the region's. True if the region is done, and its values are not to come. */
    bool (*enter)(void *self, int lane, size_t region, const struct beside_rows *border);
};

#endif
