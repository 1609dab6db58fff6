/* Broadcasts and reductions under way between ranks that are threads: each moves on in the calls of
 * its own rank, and whoever waits sleeps until another rank has moved. */
#include "comm/threads.h"

#include "base/fault.h"

#include <stdlib.h>
#include <string.h>

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

void threads_start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                             int root, struct comm_request *request)
{
    struct place *place = start(comm, group, data, bytes, 0, request);
    place->root = place == &place->pending->place[root];
    if (place->root)
        place->pending->data = data;
    end_start(place);
}

void threads_start_most(struct comm *comm, size_t *values, size_t count,
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
