/*
 * Index ranges, and the distribution: rank r owns a contiguous strip of rows; strips differ by at most one
 * row. With more ranks than rows the last ranks own none.
 */
#ifndef STRIP_H
#define STRIP_H

#include <stdbool.h>
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

struct range strip_rows(size_t n, int ranks, int rank);
int strip_owner(size_t n, int ranks, size_t row);

struct ranges ranges_of(struct range r);                            /* r alone; none if empty */
struct ranges ranges_within(struct ranges list, struct range keep); /* what lies in keep */
struct ranges ranges_without(struct ranges list, struct range cut); /* what lies outside cut */
size_t ranges_length(const struct ranges *list);

#endif
