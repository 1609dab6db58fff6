#include "engine/groups.h"

#include "base/minmax.h"

size_t groups_at(const struct comm *comm, size_t sources, size_t group, size_t turn, size_t *first)
{
    *first = (turn * (size_t)comm->ranks + (size_t)comm->rank) * group;
    size_t left = *first < sources ? sources - *first : 0;
    return size_min(left, group);
}

size_t groups_count(const struct comm *comm, size_t sources, size_t group)
{
    size_t groups = (sources + group - 1) / group, rank = (size_t)comm->rank;
    return groups > rank ? (groups - rank - 1) / (size_t)comm->ranks + 1 : 0;
}

size_t groups_sources(const struct comm *comm, size_t sources, size_t group)
{
    size_t groups = (sources + group - 1) / group;
    bool last = groups > 0 &&
                (groups - 1) % (size_t)comm->ranks == (size_t)comm->rank; /* which may be short */
    return groups_count(comm, sources, group) * group - (last ? groups * group - sources : 0);
}
