/* Inside of the ranks that are threads of one process: what they share, and how they meet. */
#ifndef COMM_THREADS_H
#define COMM_THREADS_H

#include "comm/ops.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS_LINE = 64, THREADS_SMALL = 64 };

struct meeting {
    _Alignas(THREADS_LINE) _Atomic uint32_t arrived;
    _Atomic uint32_t turn, sleepers;
};

struct offer {
    _Alignas(THREADS_LINE) void *data;
    char small[THREADS_SMALL];
};

/* All that are under way in a group. */
struct flow {
    int ranks; /* of the team: no group has more */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct pending *first, *spare; /* those under way; those that are over, for the next ones */
};

struct comm_team {
    int ranks, there; /* there: threads of them that have been started, and rank 0 */
    int placed;       /* rank of the process as the one that enters finds it */
    void (*run)(void *self);
    void *self;
    pthread_mutex_t gate;               /* held until all of them are there, or */
    bool none;                          /* there are not so many */
    struct meeting all, *node;          /* the nodes' by their numbers */
    struct offer (*offers)[2][2];       /* of each rank: to all, and to its node */
    struct flow flow[COMM_LEADERS + 1]; /* by enum comm_group */
    struct member *member;
    int *counts; /* comm.counts of all of them */
};

/* Ranks that meet, as one of them sees them. */
struct circle {
    struct meeting *meeting;
    struct offer (*offers)[2][2]; /* of the first of them */
    int which, rank, ranks;
    size_t turn;
};

struct member {
    struct comm base;
    struct comm_team *team;
    struct circle all, node;
    size_t started[COMM_LEADERS + 1];
    int rank;
    pthread_t thread;
};

static inline struct member *member_of(struct comm *comm)
{
    return (struct member *)comm;
}

/* Returns when all ranks of the circle have called it as often. */
void threads_meet(struct circle *circle);

/* False: there is no memory. threads_flow_free in any case. */
bool threads_flow_open(struct flow *flow, int ranks);
void threads_flow_free(struct flow *flow);

/* As the functions of struct comm_ops. */
void threads_start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                             int root, struct comm_request *request);
void threads_start_most(struct comm *comm, size_t *values, size_t count,
                        struct comm_request *request);
bool threads_test(struct comm_request *request);
void threads_wait(struct comm_request *request);

extern const struct comm_ops threads_ops;

#endif
