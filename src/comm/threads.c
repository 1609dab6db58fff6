/*
 * Ranks that are threads of one process. They read one another's memory: each offers what the
 * others are to see, all meet, and each takes what it wants. Something small is copied into the
 * offer itself, of which every rank has two, one for odd and one for even calls: its owner goes on
 * after one meeting. Something large stays where it is, and all meet again before its owner goes
 * on.
 */
#include "comm/threads.h"

#include "base/fault.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct window {
    struct comm_window base;
    bool own; /* the memory is this rank's to free */
};

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

void threads_meet(struct circle *circle)
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

static void *circle_offered(const struct circle *circle, int rank)
{
    return circle->offers[rank][circle->which][circle->turn % 2].data;
}

/* All ranks then see what each of them has offered, until they settle. */
static void circle_offer(struct circle *circle, void *data, size_t bytes)
{
    struct offer *own = &circle->offers[circle->rank][circle->which][++circle->turn % 2];
    own->data = bytes > THREADS_SMALL ? data : own->small;
    if (data && bytes <= THREADS_SMALL)
        memcpy(own->small, data, bytes);
    threads_meet(circle);
}

static void settle(struct circle *circle, size_t bytes)
{
    if (bytes > THREADS_SMALL)
        threads_meet(circle);
}

static void barrier(struct comm *comm)
{
    threads_meet(circle_of(comm, COMM_NEAR_ALL));
}

union word {
    size_t whole;
    double real;
};

static union word join(enum comm_reduction how, union word a, union word b)
{
    if (how == COMM_SUM)
        a.whole += b.whole;
    else if (how == COMM_MOST ? b.whole > a.whole : b.real > a.real)
        a = b;
    return a;
}

/* The values at that place of all ranks. */
static union word join_ranks(const struct circle *circle, enum comm_reduction how, size_t at)
{
    union word joined = ((const union word *)circle_offered(circle, 0))[at];
    for (int r = 1; r < circle->ranks; r++)
        joined = join(how, joined, ((const union word *)circle_offered(circle, r))[at]);
    return joined;
}

/* If there are many values, each rank joins its part, and gives it to all. */
static void reduce(struct comm *comm, enum comm_near among, enum comm_reduction how, void *values,
                   size_t count)
{
    struct circle *circle = circle_of(comm, among);
    const size_t bytes = count * sizeof(union word), rank = (size_t)circle->rank,
                 ranks = (size_t)circle->ranks;
    const bool small = bytes <= THREADS_SMALL;
    const size_t lo = small ? 0 : count / ranks * rank,
                 hi = small || rank + 1 == ranks ? count : count / ranks * (rank + 1);
    circle_offer(circle, values, bytes);
    for (size_t at = lo; at < hi; at++) {
        const union word joined = join_ranks(circle, how, at);
        if (small)
            ((union word *)values)[at] = joined;
        for (int r = 0; !small && r < circle->ranks; r++)
            ((union word *)circle_offered(circle, r))[at] = joined;
    }
    settle(circle, bytes);
}

static void broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    struct circle *circle = circle_of(comm, COMM_NEAR_ALL);
    circle_offer(circle, comm->rank == root ? data : NULL, bytes);
    if (comm->rank != root)
        memcpy(data, circle_offered(circle, root), bytes);
    settle(circle, bytes);
}

static void take_all(struct circle *circle, const void *mine, size_t bytes, void *all)
{
    circle_offer(circle, (void *)(uintptr_t)mine, bytes);
    for (int r = 0; all && r < circle->ranks; r++)
        memcpy((char *)all + (size_t)r * bytes, circle_offered(circle, r), bytes);
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
    circle_offer(circle, (void *)(uintptr_t)mine, bytes);
    for (int r = 0; r < comm->ranks; r++)
        theirs[r] = ((const int *)circle_offered(circle, r))[comm->rank];
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
    circle_offer(circle, &mine, sizeof mine);
    for (int r = 0; r < comm->ranks; r++) {
        const struct sent *sent = circle_offered(circle, r);
        if (items->receive[r] > 0)
            memcpy((char *)receive + (size_t)items->receive_at[r] * bytes,
                   sent->items + (size_t)sent->at[comm->rank] * bytes,
                   (size_t)items->receive[r] * bytes);
    }
    threads_meet(circle);
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
    const size_t whole = (bytes + THREADS_LINE - 1) / THREADS_LINE * THREADS_LINE;
    void *memory = window && circle->rank == 0 ? aligned_alloc(THREADS_LINE, whole) : NULL;
    if (!window || (circle->rank == 0 && !memory))
        fault(APSP_MEMORY, "no memory for a window of %zu bytes", bytes);
    if (memory)
        memset(memory, 0, whole);
    circle_offer(circle, &memory, sizeof memory);
    memcpy(&window->base.memory, circle_offered(circle, 0), sizeof memory);
    window->base.comm = comm;
    window->own = circle->rank == 0;
    return &window->base;
}

static void window_free(struct comm_window *base)
{
    struct window *window = (struct window *)base;
    threads_meet(circle_of(base->comm, COMM_NEAR_NODE));
    if (window->own)
        free(base->memory);
    free(window);
}

/* All is the team's. */
static void free_member(struct comm *comm)
{
    (void)comm;
}

const struct comm_ops threads_ops = {
    .free = free_member,
    .barrier = barrier,
    .reduce = reduce,
    .broadcast = broadcast,
    .allgather = allgather,
    .gather = gather,
    .swap = swap,
    .exchange = exchange,
    .start_broadcast = threads_start_broadcast,
    .start_most = threads_start_most,
    .test = threads_test,
    .wait = threads_wait,
    .takes_device_memory = takes_device_memory,
    .window_open = window_open,
    .window_free = window_free,
};
