/*
 * Rows side by side, as an engine on cores makes them: a vertex has the distances from the sources
 * of a group. A sink that takes them needs no block of rows, whose transposing costs more than
 * making them.
 */
#ifndef BESIDE_H
#define BESIDE_H

#include "base/dtype.h"
#include "base/error.h"

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
    /* The values of a group, by ascending places, by the worker that then hands the block on: one
     * without values, whose sources they are. APSP_MEMORY. */
    int (*take)(void *self, int lane, const struct beside_rows *rows, struct apsp_error *error);
};

#endif
