/*
 * A list of sources in groups of equal size, the last of which may be short. Ranks take groups in
 * turns, in rising and in falling order alternately: with 3 ranks, rank 0 has the groups number 0,
 * 5, 6, 11 and so on. So where the groups of a list take more and more time, ranks take equal time.
 * Nothing here is collective.
 */
#ifndef ENGINE_GROUPS_H
#define ENGINE_GROUPS_H

#include "comm/comm.h"

/* Where the sources of this rank's group number `turn` begin among so many, and how many they are;
 * 0: there is no such group. */
size_t groups_at(const struct comm *comm, size_t sources, size_t group, size_t turn, size_t *first);

/* The groups of this rank, and their sources. */
size_t groups_count(const struct comm *comm, size_t sources, size_t group);
size_t groups_sources(const struct comm *comm, size_t sources, size_t group);

#endif
