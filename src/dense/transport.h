/*
 * How the raw pivot rows get from their owner to every rank. A transport is one row of the table in
 * transport.c. All ranks use the same one, chosen by agreement before there is a backend, so that
 * memory can be estimated. At most one round is under way at a time.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "base/backoff.h"
#include "comm/comm.h"
#include "dense/backend.h"

struct transport_ops {
    const char *name;
    /* Collective. NULL when it can serve this rank's backend to be, else the reason why not. */
    const char *(*refuse)(struct comm *comm, const struct backend_ops *backend,
                          const struct backend_plan *plan);
    /* Bytes of host memory that open takes on this rank. */
    size_t (*need)(const struct comm *comm, const struct backend_plan *plan);
    /* Collective. Private state of the transport, or NULL, on all ranks, when memory is short on
     * any. */
    void *(*open)(struct comm *comm, struct backend *backend);
    /*
     * Called by every rank: the `bytes` of panel->raw(backend, slot) come from `owner`, whose
     * backend has enqueued the work that fills them on the look-ahead queue.
     */
    void (*begin)(void *state, int owner, int slot, size_t bytes);
    /* Moves the transfer on if it needs the host; cheap. True when finish() would not wait. */
    bool (*poll)(void *state);
    /* Returns when the backend's look-ahead queue may read the rows (host memory: when they are
     * there). */
    void (*finish)(void *state);
    /* Collective; not before round->end() has returned, where a round was begun. */
    void (*free)(void *state);
};

struct transport {
    const struct transport_ops *ops; /* NULL: none is needed */
    void *state;
};

/* The names of all transports, comma-separated, for messages and help. */
const char *transport_names(void);

/* APSP_USAGE unless there is a transport of that name; NULL and "auto" are allowed. */
int transport_check(const char *name, struct apsp_error *error);

/*
 * Collective; ends in agreement. The transport of that name ("auto" or NULL: the first of the
 * table) that all ranks accept for a backend of that plan; NULL with one rank, which needs none.
 * APSP_USAGE, APSP_PEER.
 */
int transport_choose(const struct transport_ops **chosen, const char *name, struct comm *comm,
                     const struct backend_ops *backend, const struct backend_plan *plan,
                     struct apsp_error *error);

/* Collective; ends in agreement. Opens what transport_choose has given, NULL too. APSP_MEMORY. */
int transport_open(struct transport *transport, const struct transport_ops *ops, struct comm *comm,
                   struct backend *backend, struct apsp_error *error);
void transport_free(struct transport *transport); /* collective */

/* The bytes of ops->need; 0 for NULL. */
size_t transport_need(const struct transport_ops *ops, const struct comm *comm,
                      const struct backend_plan *plan);

/* Between two looks at a transfer that is waited for. The host of a device has the whole core, and
 * the device would wait with it. */
static inline void transport_pause(const struct backend *backend, struct backoff *backoff)
{
    if (backend->panel->on_host)
        backoff_pause(backoff);
    else
        sched_yield();
}

#endif
