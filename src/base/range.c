#include "base/range.h"

#include "base/minmax.h"

static void ranges_add(struct ranges *list, size_t lo, size_t hi)
{
    if (lo < hi)
        list->at[list->count++] = (struct range){lo, hi};
}

struct ranges ranges_of(struct range r)
{
    struct ranges list = {0};
    ranges_add(&list, r.lo, r.hi);
    return list;
}

struct ranges ranges_within(struct ranges list, struct range keep)
{
    struct ranges kept = {0};
    for (int i = 0; i < list.count; i++) {
        struct range r = list.at[i];
        ranges_add(&kept, size_max(r.lo, keep.lo), size_min(r.hi, keep.hi));
    }
    return kept;
}

struct ranges ranges_without(struct ranges list, struct range cut)
{
    struct ranges left = {0};
    for (int i = 0; i < list.count; i++) {
        struct range r = list.at[i];
        if (cut.lo >= cut.hi) {
            ranges_add(&left, r.lo, r.hi);
            continue;
        }
        ranges_add(&left, r.lo, size_min(r.hi, cut.lo));
        ranges_add(&left, size_max(r.lo, cut.hi), r.hi);
    }
    return left;
}

size_t ranges_length(const struct ranges *list)
{
    size_t length = 0;
    for (int i = 0; i < list->count; i++)
        length += range_length(list->at[i]);
    return length;
}

struct range range_part(struct range whole, size_t index, size_t parts)
{
    size_t each = range_length(whole) / parts, more = range_length(whole) % parts;
    size_t lo = whole.lo + each * index + size_min(index, more);
    return (struct range){lo, lo + each + (index < more)};
}
