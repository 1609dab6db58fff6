/*
 * The regions of a tree (rows/beside.h): the largest subtrees of a size that suits. The boundary of
 * a subtree is the border. The walk gives the vertices their places.
 */
#ifndef REGIONS_H
#define REGIONS_H

#include "rows/beside.h"
#include "sparse/tree.h"

struct mem_layout;

struct regions {
    size_t count;
    uint32_t *node; /* The last supernode of each region, which the walk comes to first. */
    struct beside_region *region;
};

void regions_place(struct regions *regions, struct mem_layout *layout, const struct tree *tree);

/* Where regions_place has placed the arrays. */
void regions_find(struct regions *regions, const struct tree *tree);

/* The place behind a region. */
static inline size_t regions_end(const struct beside_region *region)
{
    return (region->place + region->count + BESIDE_ALIGN - 1) / BESIDE_ALIGN * BESIDE_ALIGN;
}

#endif
