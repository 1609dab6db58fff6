/* All that the program asks of MPI apart from the pivot rows (transport.h). Faults of MPI abort the job with
 * rank and host. */
#ifndef COMM_H
#define COMM_H

#include "base/error.h"

struct comm {
    int rank, ranks;
    int node, nodes;           /* this rank's node, from 0 in the order of lowest ranks */
    int node_rank, node_ranks; /* this rank within its node */
    int machine_rank,
        machine_ranks; /* within the machine: the node, unless nodes are played (--ranks-per-node) */
    char host[64];
    struct comm_mpi *mpi; /* the communicators; for comm.c and the transports alone; NULL: solo */
};

/*
 * Starts MPI if need be. Every `ranks_per_node` ranks of a machine count as one node; 0: all of them. Fails
 * with APSP_PEER when the launcher started several processes that do not form one job.
 */
int comm_init(struct comm **comm, int ranks_per_node, struct apsp_error *error);
/* One rank alone, and no MPI: every function that takes a communicator does what it would on one rank, but
 * for those of window.h. APSP_MEMORY. */
int comm_solo(struct comm **comm, struct apsp_error *error);
void comm_free(struct comm *comm); /* NULL is allowed */
void comm_finish(void);            /* MPI_Finalize, if MPI was started */

/*
 * Every rank calls this with its own error. If any has one, all get that of the lowest such rank. Returns the
 * common code.
 */
int comm_agree(struct comm *comm, struct apsp_error *error);

void comm_barrier(struct comm *comm);
double comm_max(struct comm *comm, double value);
size_t comm_sum(struct comm *comm, size_t value);
void comm_sum_all(struct comm *comm, size_t *values, size_t count); /* each of them, in place */
size_t comm_most(struct comm *comm, size_t value);
size_t comm_machine_sum(struct comm *comm, size_t value); /* over the ranks of this machine */
void comm_broadcast(struct comm *comm, void *data, size_t bytes, int root);
void comm_node_allgather(struct comm *comm, const void *mine, size_t bytes, void *all);
void comm_machine_allgather(struct comm *comm, const void *mine, size_t bytes, void *all);
void comm_gather(struct comm *comm, const void *mine, size_t bytes, void *all); /* to rank 0 */

/*
 * Sends to each rank r its counts[r] items of `bytes` bytes; they lie in `send` one rank after the other.
 * Receives into *receive, which is reallocated when *room items are too few; free() it. Returns the number
 * received, or SIZE_MAX, on all ranks, when memory is short on any.
 */
size_t comm_exchange(struct comm *comm, const void *send, const int *counts, size_t bytes, void **receive,
                     size_t *room);

#endif
