/*
 * Ranks that are threads of one process. They read one another's memory: each offers what the
 * others are to see, all meet, and each takes what it wants. Something small is copied into the
 * offer itself, of which every rank has two, one for odd and one for even calls: its owner goes on
 * after one meeting. Something large stays where it is, and all meet again before its owner goes
 * on.
 */
#include "base/fault.h"
#include "comm/ops.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 64, SMALL = 64, STACK = 8 << 20 };

struct meeting {
    _Alignas(LINE) _Atomic uint32_t arrived;
    _Atomic uint32_t turn, sleepers;
};

struct offer {
    _Alignas(LINE) void *data;
    char small[SMALL];
};

/* Under way: a broadcast, or a reduction to the largest. */
struct pending {
    struct pending *next;
    size_t number, bytes; /* of the group's, in the order of their start */
    int here, left;       /* ranks that have started it, and to which it is not over */
    const void *data;     /* of the root, or behind the places; NULL: not yet there */
    struct place {
        struct pending *pending;
        struct flow *flow;
        void *data;
        int ranks; /* of the group */
        bool root;
    } place[]; /* of each rank of the group */
};

/* All that are under way in a group. */
struct flow {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct pending *first;
};

struct team {
    int ranks;
    void (*run)(void *self);
    void *self;
    pthread_mutex_t gate;               /* held until all of them are there, or */
    bool none;                          /* there are not so many */
    struct meeting all, *node;          /* the nodes' by their numbers */
    struct offer (*offers)[2][2];       /* of each rank: to all, and to its node */
    struct flow flow[COMM_LEADERS + 1]; /* by enum comm_group */
    struct member *member;
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
    struct team *team;
    struct circle all, node;
    size_t started[COMM_LEADERS + 1];
    int rank;
    pthread_t thread;
};

struct window {
    struct comm_window base;
    bool own; /* the memory is this rank's to free */
};

static _Thread_local struct member *current;

static struct member *member_of(struct comm *comm)
{
    return (struct member *)comm;
}

static struct circle *circle_of(struct comm *comm, enum comm_near among)
{
    return among == COMM_NEAR_NODE ? &member_of(comm)->node : &member_of(comm)->all;
}

static void futex(_Atomic uint32_t *word, int what, uint32_t value)
{
    syscall(SYS_futex, word, what, value, NULL, NULL, 0);
}

/* At first awake, for some microseconds. Then asleep: one who yields its core to other work on a
 * busy machine gets it back late. */
static void wait_for_turn(struct meeting *meeting, uint32_t turn)
{
    enum { AWAKE = 5000 };
    for (int i = 0; i < AWAKE && atomic_load(&meeting->turn) == turn; i++)
        ;
    while (atomic_load(&meeting->turn) == turn) {
        atomic_fetch_add(&meeting->sleepers, 1);
        futex(&meeting->turn, FUTEX_WAIT_PRIVATE, turn);
        atomic_fetch_sub(&meeting->sleepers, 1);
    }
}

static void meet(struct circle *circle)
{
    struct meeting *meeting = circle->meeting;
    const uint32_t turn = atomic_load(&meeting->turn);
    if (circle->ranks == 1)
        return;
    if (atomic_fetch_add(&meeting->arrived, 1) + 1 < (uint32_t)circle->ranks) {
        wait_for_turn(meeting, turn);
        return;
    }
    atomic_store(&meeting->arrived, 0);
    atomic_store(&meeting->turn, turn + 1);
    if (atomic_load(&meeting->sleepers) > 0)
        futex(&meeting->turn, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

static void *offered(const struct circle *circle, int rank)
{
    return circle->offers[rank][circle->which][circle->turn % 2].data;
}

/* All ranks then see what each of them has offered, until they settle. */
static void offer(struct circle *circle, void *data, size_t bytes)
{
    struct offer *own = &circle->offers[circle->rank][circle->which][++circle->turn % 2];
    own->data = bytes > SMALL ? data : own->small;
    if (data && bytes <= SMALL)
        memcpy(own->small, data, bytes);
    meet(circle);
}

static void settle(struct circle *circle, size_t bytes)
{
    if (bytes > SMALL)
        meet(circle);
}

static void barrier(struct comm *comm)
{
    meet(circle_of(comm, COMM_NEAR_ALL));
}

union word {
    size_t whole;
    double real;
};

static union word join(enum comm_reduction how, union word a, union word b)
{
    if (how == COMM_SUM)
        a.whole += b.whole;
    else if (how == COMM_SUM_REAL)
        a.real += b.real;
    else if (how == COMM_MOST ? b.whole > a.whole : b.real > a.real)
        a = b;
    return a;
}

/* The values at that place of some ranks, by halves: the sum of reals is the same on every run. */
static union word join_ranks(const struct circle *circle, enum comm_reduction how, int lo, int hi,
                             size_t at)
{
    const int middle = lo + (hi - lo + 1) / 2;
    if (hi - lo == 1)
        return ((const union word *)offered(circle, lo))[at];
    return join(how, join_ranks(circle, how, lo, middle, at),
                join_ranks(circle, how, middle, hi, at));
}

/* If there are many values, each rank joins its part, and gives it to all. */
static void reduce(struct comm *comm, enum comm_near among, enum comm_reduction how, void *values,
                   size_t count)
{
    struct circle *circle = circle_of(comm, among);
    const size_t bytes = count * sizeof(union word), rank = (size_t)circle->rank,
                 ranks = (size_t)circle->ranks;
    const bool small = bytes <= SMALL;
    const size_t lo = small ? 0 : count / ranks * rank,
                 hi = small || rank + 1 == ranks ? count : count / ranks * (rank + 1);
    offer(circle, values, bytes);
    for (size_t at = lo; at < hi; at++) {
        const union word joined = join_ranks(circle, how, 0, circle->ranks, at);
        if (small)
            ((union word *)values)[at] = joined;
        for (int r = 0; !small && r < circle->ranks; r++)
            ((union word *)offered(circle, r))[at] = joined;
    }
    settle(circle, bytes);
}

static void broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    struct circle *circle = circle_of(comm, COMM_NEAR_ALL);
    offer(circle, comm->rank == root ? data : NULL, bytes);
    if (comm->rank != root)
        memcpy(data, offered(circle, root), bytes);
    settle(circle, bytes);
}

static void take_all(struct circle *circle, const void *mine, size_t bytes, void *all)
{
    offer(circle, (void *)(uintptr_t)mine, bytes);
    for (int r = 0; all && r < circle->ranks; r++)
        memcpy((char *)all + (size_t)r * bytes, offered(circle, r), bytes);
    settle(circle, bytes);
}

static void allgather(struct comm *comm, enum comm_near among, const void *mine, size_t bytes,
                      void *all)
{
    take_all(circle_of(comm, among), mine, bytes, all);
}

static void gather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    take_all(circle_of(comm, COMM_NEAR_ALL), mine, bytes, comm->rank == 0 ? all : NULL);
}

static void swap(struct comm *comm, const int *mine, int *theirs)
{
    struct circle *circle = circle_of(comm, COMM_NEAR_ALL);
    const size_t bytes = (size_t)comm->ranks * sizeof *mine;
    offer(circle, (void *)(uintptr_t)mine, bytes);
    for (int r = 0; r < comm->ranks; r++)
        theirs[r] = ((const int *)offered(circle, r))[comm->rank];
    settle(circle, bytes);
}

static void exchange(struct comm *comm, const struct comm_items *items, size_t bytes,
                     const void *send, void *receive)
{
    struct sent {
        const char *items;
        const int *at;
    } mine = {send, items->send_at};
    struct circle *circle = circle_of(comm, COMM_NEAR_ALL);
    offer(circle, &mine, sizeof mine);
    for (int r = 0; r < comm->ranks; r++) {
        const struct sent *sent = offered(circle, r);
        if (items->receive[r] > 0)
            memcpy((char *)receive + (size_t)items->receive_at[r] * bytes,
                   sent->items + (size_t)sent->at[comm->rank] * bytes,
                   (size_t)items->receive[r] * bytes);
    }
    meet(circle);
}

/* The one of that number, with so much room behind its places. The first rank that starts it makes
 * it. For a caller that has the lock. */
static struct pending *find_pending(struct flow *flow, size_t number, int ranks, size_t bytes,
                                    size_t room)
{
    struct pending **at = &flow->first;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at) {
        *at = calloc(1, sizeof **at + (size_t)ranks * sizeof(struct place) + room);
        if (!*at)
            fault(APSP_MEMORY, "no memory for a message");
        (*at)->number = number;
        (*at)->bytes = bytes;
        (*at)->left = ranks;
    }
    return *at;
}

/* Ranks that have started as many are at the same one. Takes the lock. */
static struct place *start(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                           size_t room, struct comm_request *request)
{
    struct member *member = member_of(comm);
    struct flow *flow = &member->team->flow[group];
    const int ranks = group == COMM_LEADERS ? comm->nodes : comm->ranks,
              rank = group == COMM_LEADERS ? comm->node : comm->rank;
    pthread_mutex_lock(&flow->lock);
    struct pending *pending = find_pending(flow, member->started[group]++, ranks, bytes, room);
    struct place *place = &pending->place[rank];
    *place = (struct place){.pending = pending, .flow = flow, .data = data, .ranks = ranks};
    pending->here++;
    request->handle = place;
    return place;
}

static void end_start(struct place *place)
{
    pthread_cond_broadcast(&place->flow->changed);
    pthread_mutex_unlock(&place->flow->lock);
}

static void start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                            int root, struct comm_request *request)
{
    struct place *place = start(comm, group, data, bytes, 0, request);
    place->root = place == &place->pending->place[root];
    if (place->root)
        place->pending->data = data;
    end_start(place);
}

static void start_most(struct comm *comm, size_t *values, size_t count,
                       struct comm_request *request)
{
    const size_t bytes = count * sizeof *values;
    struct place *place = start(comm, COMM_ALL, values, bytes, bytes, request);
    size_t *most = (size_t *)(place->pending->place + place->ranks);
    for (size_t i = 0; i < count; i++)
        most[i] = values[i] > most[i] ? values[i] : most[i];
    if (place->pending->here == place->ranks)
        place->pending->data = most;
    end_start(place);
}

/* The last rank to which it is over frees it. For a caller that has the lock. */
static void end_pending(struct place *place)
{
    struct pending *pending = place->pending, **at = &place->flow->first;
    pthread_cond_broadcast(&place->flow->changed);
    if (--pending->left > 0)
        return;
    while (*at != pending)
        at = &(*at)->next;
    *at = pending->next;
    free(pending);
}

/* A root waits for all others, who read its memory. For a caller that has the lock, which is not
 * held while they do. */
static bool step(struct place *place)
{
    struct pending *pending = place->pending;
    pthread_mutex_t *lock = &place->flow->lock;
    if (place->root ? pending->left > 1 : !pending->data)
        return false;
    if (!place->root) {
        pthread_mutex_unlock(lock);
        memcpy(place->data, pending->data, pending->bytes);
        pthread_mutex_lock(lock);
    }
    end_pending(place);
    return true;
}

static bool test(struct comm_request *request)
{
    struct place *place = request->handle;
    if (!place)
        return true;
    struct flow *flow = place->flow;
    pthread_mutex_lock(&flow->lock);
    if (step(place))
        request->handle = NULL;
    pthread_mutex_unlock(&flow->lock);
    return !request->handle;
}

static void wait_for(struct comm_request *request)
{
    struct place *place = request->handle;
    if (!place)
        return;
    struct flow *flow = place->flow;
    pthread_mutex_lock(&flow->lock);
    while (!step(place))
        pthread_cond_wait(&flow->changed, &flow->lock);
    request->handle = NULL;
    pthread_mutex_unlock(&flow->lock);
}

/* The messages are copied by the host. */
static bool takes_device_memory(void)
{
    return false;
}

static struct comm_window *window_open(struct comm *comm, size_t bytes)
{
    struct circle *circle = circle_of(comm, COMM_NEAR_NODE);
    struct window *window = calloc(1, sizeof *window);
    const size_t whole = (bytes + LINE - 1) / LINE * LINE;
    void *memory = window && circle->rank == 0 ? aligned_alloc(LINE, whole) : NULL;
    if (!window || (circle->rank == 0 && !memory))
        fault(APSP_MEMORY, "no memory for a window of %zu bytes", bytes);
    if (memory)
        memset(memory, 0, whole);
    offer(circle, &memory, sizeof memory);
    memcpy(&window->base.memory, offered(circle, 0), sizeof memory);
    window->base.comm = comm;
    window->own = circle->rank == 0;
    return &window->base;
}

static void window_free(struct comm_window *base)
{
    struct window *window = (struct window *)base;
    meet(circle_of(base->comm, COMM_NEAR_NODE));
    if (window->own)
        free(base->memory);
    free(window);
}

/* The rest is the team's. */
static void free_member(struct comm *comm)
{
    free(comm->counts);
    comm->counts = NULL;
}

static const struct comm_ops threads_ops = {
    .free = free_member,
    .barrier = barrier,
    .reduce = reduce,
    .broadcast = broadcast,
    .allgather = allgather,
    .gather = gather,
    .swap = swap,
    .exchange = exchange,
    .start_broadcast = start_broadcast,
    .start_most = start_most,
    .test = test,
    .wait = wait_for,
    .takes_device_memory = takes_device_memory,
    .window_open = window_open,
    .window_free = window_free,
};

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

bool threads_join(struct comm **out, int ranks_per_node)
{
    struct member *member = current;
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
    meet(&member->all); /* all have left what they did before */
    *out = comm;
    return true;
}

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
    for (int g = 0; g <= COMM_LEADERS; g++) {
        pthread_cond_destroy(&team->flow[g].changed);
        pthread_mutex_destroy(&team->flow[g].lock);
    }
    pthread_mutex_destroy(&team->gate);
    free(team->node);
    free(team->offers);
    free(team->member);
}

static void *zeroed_lines(size_t count, size_t bytes)
{
    void *lines = aligned_alloc(LINE, count * bytes);
    return lines ? memset(lines, 0, count * bytes) : NULL;
}

/* False: there is no memory. */
static bool open_team(struct team *team)
{
    const size_t ranks = (size_t)team->ranks;
    for (int g = 0; g <= COMM_LEADERS; g++) {
        pthread_mutex_init(&team->flow[g].lock, NULL);
        pthread_cond_init(&team->flow[g].changed, NULL);
    }
    pthread_mutex_init(&team->gate, NULL);
    team->node = zeroed_lines(ranks, sizeof *team->node);
    team->offers = zeroed_lines(ranks, sizeof *team->offers);
    team->member = calloc(ranks, sizeof *team->member);
    for (int r = 0; team->member && r < team->ranks; r++)
        team->member[r] = (struct member){.team = team, .rank = r};
    return team->node && team->offers && team->member;
}

/* All but rank 0. Returns how many ranks there are. */
static int start_members(struct team *team)
{
    pthread_attr_t attributes;
    int there = 1;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    while (there < team->ranks && pthread_create(&team->member[there].thread, &attributes,
                                                 begin_member, &team->member[there]) == 0)
        there++;
    pthread_attr_destroy(&attributes);
    return there;
}

int comm_run(int ranks, void (*run)(void *self), void *self, struct apsp_error *error)
{
    struct team team = {.ranks = ranks, .run = run, .self = self};
    int there = 0;
    fault_place(-1, NULL);
    if (open_team(&team)) {
        pthread_mutex_lock(&team.gate);
        there = start_members(&team);
        team.none = there < ranks;
        pthread_mutex_unlock(&team.gate);
    }
    if (there < ranks)
        error_set(error, APSP_MEMORY, "no memory, or no threads (ulimit -u), for %d ranks", ranks);
    else
        run_member(&team.member[0]);
    for (int r = 1; r < there; r++)
        pthread_join(team.member[r].thread, NULL);
    fault_place(0, NULL);
    free_team(&team);
    return error->code;
}
