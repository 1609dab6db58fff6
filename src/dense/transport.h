/*
 * How the raw pivot rows get from their owner to every rank. A transport is one row of the table in
 * transport.c. All ranks use the same one, chosen by agreement. At most one round is under way at a time.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "comm/comm.h"
#include "dense/backend.h"

struct transport_ops {
    const char *name;
    /* Collective. NULL when it can serve this rank's backend, else the reason why not. */
    const char *(*refuse)(struct comm *comm, const struct backend *backend);
    /* Private state of the transport, or NULL when memory is short. */
    void *(*open)(struct comm *comm, struct backend *backend);
    /*
     * Called by every rank: the `bytes` of backend_raw(backend, slot) come from `owner`, whose backend has
     * enqueued the work that fills them on the look-ahead queue.
     */
    void (*begin)(void *state, int owner, int slot, size_t bytes);
    /* Moves the transfer on if it needs the host; cheap. True when finish() would not wait. */
    bool (*poll)(void *state);
    /* Returns when the backend's look-ahead queue may read the rows (host memory: when they are there). */
    void (*finish)(void *state);
    void (*free)(void *state);
};

struct transport {
    const struct transport_ops *ops;
    void *state;
};

/* APSP_USAGE unless there is a transport of that name; NULL and "auto" are allowed. */
int transport_check(const char *name, struct apsp_error *error);

/* Opens the transport of that name ("auto" or NULL: the first of the table that all ranks accept).
 * APSP_USAGE, APSP_PEER, APSP_MEMORY. */
int transport_open(struct transport *transport, const char *name, struct comm *comm, struct backend *backend,
                   struct apsp_error *error);
void transport_free(struct transport *transport);

#endif
