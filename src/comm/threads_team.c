/* The threads that are ranks: how they begin, how each learns its rank, and how they end. */
#include "base/minmax.h"
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
    const int each = ranks_per_node > 0 ? int_min(ranks_per_node, comm->ranks) : comm->ranks,
              left = comm->ranks - comm->rank / each * each;
    comm->machine_rank = comm->rank;
    comm->machine_ranks = comm->ranks;
    comm->node = comm->rank / each;
    comm->nodes = (comm->ranks + each - 1) / each;
    comm->node_rank = comm->rank % each;
    comm->node_ranks = int_min(left, each);
}

/* This thread's rank among those of comm_run, collectively. */
static bool join_team(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    struct member *member = current;
    (void)error;
    if (!member)
        return false;
    struct comm_team *team = member->team;
    struct comm *comm = &member->base;
    *comm = (struct comm){.ops = &threads_ops,
                          .threads = true,
                          .rank = member->rank,
                          .ranks = team->ranks,
                          .counts = team->counts +
                                    (size_t)3 * (size_t)team->ranks * (size_t)member->rank};
    find_node(comm, ranks_per_node);
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

static void begin(struct member *member)
{
    current = member;
    fault_place_thread(member->rank);
}

static void end(void)
{
    fault_place_thread(-1);
    current = NULL;
}

static void *run_member(void *opaque)
{
    struct member *member = opaque;
    pthread_mutex_lock(&member->team->gate);
    const bool none = member->team->none;
    pthread_mutex_unlock(&member->team->gate);
    if (!none) {
        begin(member);
        member->team->run(member->team->self);
        end();
    }
    return NULL;
}

static void *zeroed_lines(size_t count, size_t bytes)
{
    void *lines = aligned_alloc(THREADS_LINE, count * bytes);
    return lines ? memset(lines, 0, count * bytes) : NULL;
}

/* False: there is no memory. */
static bool open_team(struct comm_team *team)
{
    const size_t ranks = (size_t)team->ranks;
    bool open = true;
    for (int g = 0; g <= COMM_LEADERS; g++)
        open &= threads_flow_open(&team->flow[g], team->ranks);
    pthread_mutex_init(&team->gate, NULL);
    team->node = zeroed_lines(ranks, sizeof *team->node);
    team->offers = zeroed_lines(ranks, sizeof *team->offers);
    team->member = calloc(ranks, sizeof *team->member);
    team->counts = calloc(3 * ranks * ranks, sizeof *team->counts);
    for (int r = 0; team->member && r < team->ranks; r++)
        team->member[r] = (struct member){.team = team, .rank = r};
    return open && team->node && team->offers && team->member && team->counts;
}

/* All but rank 0. Returns 0, or why there are not so many. */
static int start_members(struct comm_team *team)
{
    int cause = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_mutex_lock(&team->gate);
    for (team->there = 1; team->there < team->ranks; team->there++) {
        struct member *member = &team->member[team->there];
        if ((cause = pthread_create(&member->thread, &attributes, run_member, member)))
            break;
    }
    team->none = cause != 0;
    pthread_mutex_unlock(&team->gate);
    pthread_attr_destroy(&attributes);
    return cause;
}

int comm_team_open(struct comm_team **out, int ranks, void (*run)(void *self), void *self,
                   struct apsp_error *error)
{
    struct comm_team *team = zeroed_lines(1, sizeof *team);
    int cause = ENOMEM;
    *out = NULL;
    if (team) {
        team->ranks = ranks;
        team->run = run;
        team->self = self;
        cause = open_team(team) ? start_members(team) : ENOMEM;
    }
    if (cause == 0) {
        *out = team;
        return APSP_OK;
    }
    comm_team_close(team);
    return error_set(error, APSP_MEMORY, "no memory, or no threads (ulimit -u), for %d ranks: %s",
                     ranks, strerror(cause));
}

void comm_team_enter(struct comm_team *team)
{
    team->placed = fault_place_rank(-1);
    begin(&team->member[0]);
}

void comm_team_leave(struct comm_team *team)
{
    end();
    fault_place_rank(team->placed);
}

void comm_team_close(struct comm_team *team)
{
    if (!team)
        return;
    for (int r = 1; r < team->there; r++)
        pthread_join(team->member[r].thread, NULL);
    for (int g = 0; g <= COMM_LEADERS; g++)
        threads_flow_free(&team->flow[g]);
    pthread_mutex_destroy(&team->gate);
    free(team->counts);
    free(team->node);
    free(team->offers);
    free(team->member);
    free(team);
}

int comm_run(int ranks, void (*run)(void *self), void *self, struct apsp_error *error)
{
    struct comm_team *team;
    if (comm_team_open(&team, ranks, run, self, error))
        return error->code;
    comm_team_enter(team);
    run(self);
    comm_team_leave(team);
    comm_team_close(team);
    return APSP_OK;
}
