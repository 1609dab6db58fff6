/* Which cores and which GPU a rank uses, by hwloc. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "comm.h"

struct topology {
    int threads;    /* for this rank */
    char cores[64]; /* the cores, as a list such as "0-3" */
};

/*
 * Collective. Shares the node's cores among its ranks, or keeps the binding that a launcher gave, and binds
 * this process. `threads` > 0 overrides the number. Never fails: what cannot be found out is left as it is.
 */
void topology_bind(struct topology *topology, struct comm *comm, int threads);

#endif
