/* Ranges of indices, and short lists of them. */
#ifndef RANGE_H
#define RANGE_H

#include <stddef.h>

struct range { /* lo <= i < hi */
    size_t lo, hi;
};

/* A short list of disjoint, non-empty ranges, ascending. */
enum { RANGES_MAX = 8 };
struct ranges {
    int count;
    struct range at[RANGES_MAX];
};

static inline size_t range_length(struct range r)
{
    return r.hi - r.lo;
}

struct ranges ranges_of(struct range r);                            /* r alone; none if empty */
struct ranges ranges_within(struct ranges list, struct range keep); /* what lies in keep */
struct ranges ranges_without(struct ranges list, struct range cut); /* what lies outside cut */
size_t ranges_length(const struct ranges *list);

/* Part `index` of the range cut into `parts` that differ by at most one. */
struct range range_part(struct range whole, size_t index, size_t parts);

#endif
