#include "engine/groups.h"

#include "base/minmax.h"

/* The place of this rank among those that take a group in a turn. */
static size_t groups_place(const struct comm *comm, size_t turn)
{
    const size_t rank = (size_t)comm->rank, ranks = (size_t)comm->ranks;
    return turn % 2 == 0 ? rank : ranks - 1 - rank;
}

size_t groups_at(const struct comm *comm, size_t sources, size_t group, size_t turn, size_t *first)
{
    *first = (turn * (size_t)comm->ranks + groups_place(comm, turn)) * group;
    size_t left = *first < sources ? sources - *first : 0;
    return size_min(left, group);
}

size_t groups_count(const struct comm *comm, size_t sources, size_t group)
{
    size_t groups = (sources + group - 1) / group, turns = groups / (size_t)comm->ranks;
    return turns + (groups_place(comm, turns) < groups % (size_t)comm->ranks);
}

size_t groups_sources(const struct comm *comm, size_t sources, size_t group)
{
    size_t count = groups_count(comm, sources, group), first = 0,
           last = count > 0 ? groups_at(comm, sources, group, count - 1, &first) : 0;
    return count > 0 ? (count - 1) * group + last : 0;
}
