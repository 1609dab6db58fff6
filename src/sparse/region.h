/* Parts of a graph that are ordered by themselves. */
#ifndef REGION_H
#define REGION_H

#include "sparse/band.h"

enum { LEFT = BAND_LEFT, RIGHT = BAND_RIGHT, SEPARATOR = BAND_SEPARATOR };

/* A part of the graph: its vertices, numbered from 0, and the places in the order that are theirs.
 */
struct region {
    idx_t n;
    idx_t *start, *to;
    uint32_t *name;   /* of each vertex, in the whole graph */
    uint32_t *place;  /* in shared memory */
    uint8_t *label;   /* of each vertex, the part of the coarse graph: first .. first + parts - 1 */
    int first, parts; /* labels; one part: they say nothing */
};

/* How a region falls apart. */
struct split {
    idx_t *mark;   /* of each vertex: its part */
    idx_t *member; /* the vertices, part by part */
    idx_t *number; /* scratch */
};

/* Without vertices' names and labels. False: there is no memory. Free in any case. */
bool region_open(struct region *region, size_t n, size_t edges);
void region_free(struct region *region);
bool split_open(struct split *split, size_t n);
void split_free(struct split *split);

/* The members, count of them, as a region of their own: they are those of one mark. */
bool region_part(struct region *part, const struct region *whole, struct split *split,
                 const idx_t *member, size_t count);

/* Marks each vertex with its component, and lists them one after the other. Returns how many there
 * are. */
idx_t region_components(const struct region *region, struct split *split);

/* Marks the two sides and a separator by the labels. False: these say nothing, or no more, since
 * the border is wide. */
bool region_cut(struct region *region, struct split *split);

/* Vertices of the separator with no neighbour on one side go to the other. Lists the parts. */
void region_trim(const struct region *region, struct split *split, idx_t size[3]);

#endif
