/* The bits of a row of searches on cores, and their memory. */
#ifndef SHAPE_H
#define SHAPE_H

#include "rows/waves.h"
#include "sssp/searcher.h"

/* The network as waves take it. */
static inline struct waves_arcs shape_arcs(const struct network *network)
{
    return (struct waves_arcs){network->n, network->start, network->from, network->vertex};
}

/* Pairs of a level that one batch may find, where they are counted by bins. */
#define SHAPE_PAIRS UINT32_MAX

/* The usual width of a row, or a smaller one where memory is short. The environment variable
 * APSP_SSSP_WIDTH sets it, for measurements and tests. */
size_t shape_width(const struct searcher_case *its);

/* The least width for a group. */
struct waves_plan shape_plan(const struct searcher_case *its, size_t group);

/* Bytes of a worker's searches for a group: waves, planes of their levels, and lines of these. */
size_t shape_need(const struct searcher_case *its, size_t group);

#endif
