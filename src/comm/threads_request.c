/* Broadcasts and reductions under way between ranks that are threads: each moves on in the calls of
 * its own rank. A rank that waits sleeps until another one has moved. */
#include "comm/threads.h"

#include "base/fault.h"

#include <stdlib.h>
#include <string.h>

/* Under way: a broadcast, or a reduction to the largest. */
struct pending {
    struct pending *next;
    size_t number, bytes; /* of the group's, in the order of their start */
    int here, left;       /* ranks that have started it, and to which it is not over */
    const void *data;     /* of the root */
    bool reduces, done;   /* it is a reduction; the data are there */
    struct place {
        struct pending *pending;
        struct flow *flow;
        void *data; /* of this rank */
        bool root;
    } place[]; /* of each rank of the group */
};

/* As many as are under way, unless messages come in pieces. */
enum { SPARE = 4 };

static struct pending *make_pending(int ranks)
{
    return calloc(1, sizeof(struct pending) + (size_t)ranks * sizeof(struct place));
}

bool threads_flow_open(struct flow *flow, int ranks)
{
    pthread_mutex_init(&flow->lock, NULL);
    pthread_cond_init(&flow->changed, NULL);
    flow->ranks = ranks;
    for (int i = 0; i < SPARE; i++) {
        struct pending *pending = make_pending(ranks);
        if (!pending)
            return false;
        pending->next = flow->spare;
        flow->spare = pending;
    }
    return true;
}

void threads_flow_free(struct flow *flow)
{
    for (struct pending *next; flow->spare; flow->spare = next) {
        next = flow->spare->next;
        free(flow->spare);
    }
    pthread_cond_destroy(&flow->changed);
    pthread_mutex_destroy(&flow->lock);
}

/* The one of that number. The first rank that starts it takes one that is over, or makes it. For a
 * caller that has the lock. */
static struct pending *find_pending(struct flow *flow, size_t number, int ranks, size_t bytes)
{
    struct pending **at = &flow->first;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (*at)
        return *at;
    struct pending *pending = flow->spare ? flow->spare : make_pending(flow->ranks);
    if (!pending)
        fault(APSP_MEMORY, "no memory for a message");
    if (flow->spare)
        flow->spare = flow->spare->next;
    *pending = (struct pending){.number = number, .bytes = bytes, .left = ranks};
    return *at = pending;
}

/* Ranks that have started as many are at the same one. Takes the lock. */
static struct place *start(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                           struct comm_request *request)
{
    struct member *member = member_of(comm);
    struct flow *flow = &member->team->flow[group];
    const int ranks = group == COMM_LEADERS ? comm->nodes : comm->ranks,
              rank = group == COMM_LEADERS ? comm->node : comm->rank;
    pthread_mutex_lock(&flow->lock);
    struct pending *pending = find_pending(flow, member->started[group]++, ranks, bytes);
    struct place *place = &pending->place[rank];
    *place = (struct place){.pending = pending, .flow = flow, .data = data};
    pending->here++;
    request->handle = place;
    return place;
}

static void end_start(struct place *place)
{
    pthread_cond_broadcast(&place->flow->changed);
    pthread_mutex_unlock(&place->flow->lock);
}

void threads_start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                             int root, struct comm_request *request)
{
    struct place *place = start(comm, group, data, bytes, request);
    place->root = place == &place->pending->place[root];
    if (place->root) {
        place->pending->data = data;
        place->pending->done = true;
    }
    end_start(place);
}

/* The last rank that starts it gives all of them the largest. */
void threads_start_most(struct comm *comm, size_t *values, size_t count,
                        struct comm_request *request)
{
    struct place *own = start(comm, COMM_ALL, values, count * sizeof *values, request),
                 *all = own->pending->place;
    const bool last = own->pending->here == comm->ranks;
    for (size_t i = 0; last && i < count; i++) {
        size_t most = 0;
        for (int r = 0; r < comm->ranks; r++)
            most = ((size_t *)all[r].data)[i] > most ? ((size_t *)all[r].data)[i] : most;
        for (int r = 0; r < comm->ranks; r++)
            ((size_t *)all[r].data)[i] = most;
    }
    own->pending->reduces = true;
    own->pending->done = last;
    end_start(own);
}

/* The last rank to which it is over puts it aside. For a caller that has the lock. */
static void end_pending(struct place *place)
{
    struct pending *pending = place->pending, **at = &place->flow->first;
    pthread_cond_broadcast(&place->flow->changed);
    if (--pending->left > 0)
        return;
    while (*at != pending)
        at = &(*at)->next;
    *at = pending->next;
    pending->next = place->flow->spare;
    place->flow->spare = pending;
}

/* A root waits for all others, who read its memory. For a caller that has the lock, which is not
 * held while they do. */
static bool step(struct place *place)
{
    struct pending *pending = place->pending;
    pthread_mutex_t *lock = &place->flow->lock;
    if (place->root ? pending->left > 1 : !pending->done)
        return false;
    if (!place->root && !pending->reduces) {
        pthread_mutex_unlock(lock);
        memcpy(place->data, pending->data, pending->bytes);
        pthread_mutex_lock(lock);
    }
    end_pending(place);
    return true;
}

bool threads_test(struct comm_request *request)
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

void threads_wait(struct comm_request *request)
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
