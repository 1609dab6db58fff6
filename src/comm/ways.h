/* How a process gets its ranks: it starts threads, MPI has started them, or it is alone. */
#ifndef COMM_WAYS_H
#define COMM_WAYS_H

#include "comm/comm.h"

/* A way to get ranks: one row of the table in ways.c. The first that applies is taken. */
struct comm_way {
    const char *name;
    /* Collective among its ranks. Whether it applies to this thread: *comm is its rank then, or
     * NULL after an error. */
    bool (*join)(struct comm **comm, int ranks_per_node, struct apsp_error *error);
};

extern const struct comm_way *const comm_ways[]; /* Up to NULL. */
extern const struct comm_way comm_way_threads, comm_way_mpi, comm_way_solo;

#endif
