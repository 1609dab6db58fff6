/*
 * The communication of ranks. It has three implementations (ops.h): the ranks of MPI, in a module
 * that is loaded when a launcher has started them; threads of this process; one rank alone. Faults
 * of MPI abort the job with rank and host.
 */
#ifndef COMM_H
#define COMM_H

#include "base/error.h"
#include "base/size.h"

#include <stdint.h>

struct comm {
    const struct comm_ops *ops;
    int rank, ranks;
    int node, nodes;                 /* this rank's node, from 0 in the order of lowest ranks */
    int node_rank, node_ranks;       /* this rank within its node */
    int machine_rank, machine_ranks; /* within the machine, which is the node unless nodes are
                                        simulated, by so many ranks each */
    bool threads;                    /* all ranks are threads of this process */
    char host[64];
    char library[64]; /* that of MPI, with its version; "" without it */
    int *counts;      /* work space of comm_exchange: 3 for every rank */
};

/*
 * This thread's rank if comm_run has made it one; else one rank alone if no launcher has started
 * this process, else the ranks of MPI, which it starts if need be. Every `ranks_per_node` ranks of
 * a machine count as one node; 0: all of them. Fails with APSP_PEER when MPI cannot be had, or the
 * launcher started several processes that do not form one job.
 */
int comm_init(struct comm **comm, int ranks_per_node, struct apsp_error *error);
/*
 * Calls run(self) on `ranks` threads of this process, which are the ranks of comm_init in there:
 * the calling thread is rank 0. Returns when all of them have. A rank that has left is waited for
 * by the others as any other, so they all leave after the same agreement. APSP_MEMORY: there are
 * not so many threads, and then none has run.
 */
int comm_run(int ranks, void (*run)(void *self), void *self, struct apsp_error *error);

/*
 * The same in parts, for ranks that live longer than a call. comm_team_open starts all ranks but 0,
 * or none (APSP_MEMORY). A thread is rank 0 from enter to leave, one at a time. comm_team_close
 * waits until run has returned on the others; NULL is allowed.
 */
struct comm_team;
int comm_team_open(struct comm_team **team, int ranks, void (*run)(void *self), void *self,
                   struct apsp_error *error);
void comm_team_enter(struct comm_team *team);
void comm_team_leave(struct comm_team *team);
void comm_team_close(struct comm_team *team);
/* The ranks of a duplicate of `communicator`, an MPI_Comm *. MPI runs already, and goes on after
 * comm_finish. Collective unless comm_load_mpi fails, or it is MPI_COMM_NULL (APSP_USAGE). */
int comm_init_mpi(struct comm **comm, const void *communicator, int ranks_per_node,
                  struct apsp_error *error);
/* Local: loads what knows MPI, once. APSP_PEER. */
int comm_load_mpi(struct apsp_error *error);
/* One rank alone, under any launcher. APSP_MEMORY. */
int comm_solo(struct comm **comm, struct apsp_error *error);
void comm_free(struct comm *comm); /* NULL is allowed */
void comm_finish(void);            /* MPI_Finalize, if comm_init has started MPI */

/* True when an MPI launcher has started this process, as one of several perhaps. */
bool comm_launched(void);

/*
 * Every rank calls this with its own error. If any has one, all get that of the lowest such rank.
 * Returns the common code.
 */
int comm_agree(struct comm *comm, struct apsp_error *error);

/* An unpredictable number from 1 to 2^48, the same on all ranks. */
uint64_t comm_seed(struct comm *comm);

void comm_barrier(struct comm *comm);
double comm_max(struct comm *comm, double value);
static inline double comm_min(struct comm *comm, double value)
{
    return -comm_max(comm, -value);
}
size_t comm_sum(struct comm *comm, size_t value);
void comm_sum_all(struct comm *comm, size_t *values, size_t count); /* each of them, in place */
size_t comm_most(struct comm *comm, size_t value);
void comm_most_all(struct comm *comm, size_t *values, size_t count);
size_t comm_machine_sum(struct comm *comm, size_t value); /* over the ranks of this machine */
void comm_broadcast(struct comm *comm, void *data, size_t bytes, int root);
void comm_allgather(struct comm *comm, const void *mine, size_t bytes, void *all);
void comm_node_allgather(struct comm *comm, const void *mine, size_t bytes, void *all);
void comm_machine_allgather(struct comm *comm, const void *mine, size_t bytes, void *all);
void comm_gather(struct comm *comm, const void *mine, size_t bytes, void *all); /* to rank 0 */

/*
 * Sends to each rank r its counts[r] items of `bytes` bytes; they lie in `send` one rank after the
 * other. Receives into *receive, which is reallocated when *room items are too few; free() it.
 * Returns the number received, or SIZE_MAX, on all ranks, when memory is short on any.
 */
size_t comm_exchange(struct comm *comm, const void *send, const int *counts, size_t bytes,
                     void **receive, size_t *room);

/* MPI counts are ints: messages are cut into pieces of at most so many bytes. */
enum { COMM_PIECE = SIZE_OF(1 << 30, 1 << 8) };

/* The members: all ranks, or the first rank of every node, whose numbers are those of the nodes.
 */
enum comm_group { COMM_ALL, COMM_LEADERS };

/* A broadcast, or a reduction, under way; zeroed, or over: none. */
struct comm_request {
    void *handle;
};

/* Collective over the group, and back at once: at most COMM_PIECE bytes, which are the request's
 * until it is over. It moves on in comm_test and comm_wait alone. */
void comm_start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                          int root, struct comm_request *request);
/* So too: the largest of each of the values, in place, over all ranks. */
void comm_start_most(struct comm *comm, size_t *values, size_t count, struct comm_request *request);
bool comm_test(struct comm *comm, struct comm_request *requests,
               int count); /* are all of them over? */
void comm_wait(struct comm *comm, struct comm_request *requests, int count);

/* True when `data` may lie in the memory of a device. */
bool comm_takes_device_memory(const struct comm *comm);

/* Memory that the ranks of a node share. */
struct comm_window;

/* Collective over the node. Zeroed, on a cache line's boundary; the same bytes for every rank of
 * the node, at addresses of their own. Aborts when there is no memory. */
struct comm_window *comm_window_open(struct comm *comm, size_t bytes);
void *comm_window_memory(struct comm_window *window);
void comm_window_free(struct comm_window *window); /* collective over the node */

#endif
