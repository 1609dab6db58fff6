#include "strip.h"

struct range strip_rows(size_t n, int ranks, int rank)
{
    size_t p = (size_t)ranks, r = (size_t)rank, each = n / p, more = n % p;
    size_t lo = each * r + (r < more ? r : more);
    return (struct range){lo, lo + each + (r < more)};
}

int strip_owner(size_t n, int ranks, size_t row)
{
    size_t p = (size_t)ranks, each = n / p, more = n % p, head = (each + 1) * more;
    return (int)(row < head ? row / (each + 1) : more + (row - head) / each);
}

static void add(struct ranges *list, size_t lo, size_t hi)
{
    if (lo < hi)
        list->at[list->count++] = (struct range){lo, hi};
}

struct ranges ranges_of(struct range r)
{
    struct ranges list = {0};
    add(&list, r.lo, r.hi);
    return list;
}

struct ranges ranges_within(struct ranges list, struct range keep)
{
    struct ranges kept = {0};
    for (int i = 0; i < list.count; i++) {
        struct range r = list.at[i];
        add(&kept, r.lo > keep.lo ? r.lo : keep.lo, r.hi < keep.hi ? r.hi : keep.hi);
    }
    return kept;
}

struct ranges ranges_without(struct ranges list, struct range cut)
{
    struct ranges left = {0};
    for (int i = 0; i < list.count; i++) {
        struct range r = list.at[i];
        if (cut.lo >= cut.hi) {
            add(&left, r.lo, r.hi);
            continue;
        }
        add(&left, r.lo, r.hi < cut.lo ? r.hi : cut.lo);
        add(&left, r.lo > cut.hi ? r.lo : cut.hi, r.hi);
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
