/* The threads that are ranks: how they begin, how each learns its rank, and how they end. */
#include "comm/threads.h"

#include "base/fault.h"
#include "comm/ways.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK = 8 << 20 };

static _Thread_local struct member *current;

static void find_node(struct comm *comm, int ranks_per_node)
{
    const int each =
                  ranks_per_node > 0 && ranks_per_node < comm->ranks ? ranks_per_node : comm->ranks,
              left = comm->ranks - comm->rank / each * each;
    comm->machine_rank = comm->rank;
    comm->machine_ranks = comm->ranks;
    comm->node = comm->rank / each;
    comm->nodes = (comm->ranks + each - 1) / each;
    comm->node_rank = comm->rank % each;
    comm->node_ranks = left < each ? left : each;
}

/* This thread's rank among those of comm_run, collectively. */
static bool join_team(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    struct member *member = current;
    (void)error;
    if (!member)
        return false;
    struct team *team = member->team;
    struct comm *comm = &member->base;
    *comm = (struct comm){
        .ops = &threads_ops, .threads = true, .rank = member->rank, .ranks = team->ranks};
    find_node(comm, ranks_per_node);
    comm->counts = calloc(3 * (size_t)comm->ranks, sizeof *comm->counts);
    if (!comm->counts)
        fault(APSP_MEMORY, "no memory for the communicator");
    gethostname(comm->host, sizeof comm->host - 1);
    const int first = comm->rank - comm->node_rank;
    member->all = (struct circle){&team->all, team->offers, 0, comm->rank, comm->ranks, 0};
    member->node = (struct circle){&team->node[comm->node], team->offers + first, 1,
                                   comm->node_rank,         comm->node_ranks,     0};
    memset(member->started, 0, sizeof member->started);
    threads_meet(&member->all); /* all have left what they did before */
    *out = comm;
    return true;
}

const struct comm_way comm_way_threads = {"threads", join_team};

static void run_member(struct member *member)
{
    current = member;
    fault_place_thread(member->rank);
    member->team->run(member->team->self);
    fault_place_thread(-1);
    current = NULL;
}

static void *begin_member(void *opaque)
{
    struct member *member = opaque;
    pthread_mutex_lock(&member->team->gate);
    const bool none = member->team->none;
    pthread_mutex_unlock(&member->team->gate);
    if (!none)
        run_member(member);
    return NULL;
}

static void free_team(struct team *team)
{
    for (int g = 0; g <= COMM_LEADERS; g++)
        threads_flow_free(&team->flow[g]);
    pthread_mutex_destroy(&team->gate);
    free(team->node);
    free(team->offers);
    free(team->member);
}

static void *zeroed_lines(size_t count, size_t bytes)
{
    void *lines = aligned_alloc(THREADS_LINE, count * bytes);
    return lines ? memset(lines, 0, count * bytes) : NULL;
}

/* False: there is no memory. */
static bool open_team(struct team *team)
{
    const size_t ranks = (size_t)team->ranks;
    bool open = true;
    for (int g = 0; g <= COMM_LEADERS; g++)
        open &= threads_flow_open(&team->flow[g], team->ranks);
    pthread_mutex_init(&team->gate, NULL);
    team->node = zeroed_lines(ranks, sizeof *team->node);
    team->offers = zeroed_lines(ranks, sizeof *team->offers);
    team->member = calloc(ranks, sizeof *team->member);
    for (int r = 0; team->member && r < team->ranks; r++)
        team->member[r] = (struct member){.team = team, .rank = r};
    return open && team->node && team->offers && team->member;
}

/* All but rank 0. Returns how many ranks there are, and errno in *cause if there should be more. */
static int start_members(struct team *team, int *cause)
{
    pthread_attr_t attributes;
    int there = 1;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    while (there < team->ranks &&
           (*cause = pthread_create(&team->member[there].thread, &attributes, begin_member,
                                    &team->member[there])) == 0)
        there++;
    pthread_attr_destroy(&attributes);
    return there;
}

int comm_run(int ranks, void (*run)(void *self), void *self, struct apsp_error *error)
{
    struct team team = {.ranks = ranks, .run = run, .self = self};
    int there = 0, cause = ENOMEM;
    fault_place(-1, NULL);
    if (open_team(&team)) {
        pthread_mutex_lock(&team.gate);
        there = start_members(&team, &cause);
        team.none = there < ranks;
        pthread_mutex_unlock(&team.gate);
    }
    if (there < ranks)
        error_set(error, APSP_MEMORY, "no memory, or no threads (ulimit -u), for %d ranks: %s",
                  ranks, strerror(cause));
    else
        run_member(&team.member[0]);
    for (int r = 1; r < there; r++)
        pthread_join(team.member[r].thread, NULL);
    fault_place(0, NULL);
    free_team(&team);
    return error->code;
}
