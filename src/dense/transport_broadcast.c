/*
 * Pivot rows by a broadcast, from and to the raw panels themselves. Between threads of one process
 * each rank copies them from the owner's panel, in host memory. MPI takes device memory too where
 * its library says so. Neither knows anything of the backend's queues, so the broadcast begins when
 * the look-ahead queue has come to it; and it advances only inside calls, so poll() must be called
 * while other work runs.
 */
#include "base/fault.h"
#include "base/setting.h"
#include "base/size.h"
#include "dense/transport.h"
#include <stdlib.h>

enum { PIECES_MAX = SIZE_OF(64, 1 << 10), BEGIN_MARK = 0 };

struct state {
    struct comm *comm;
    struct backend *backend;
    int owner, slot;
    size_t bytes;
    bool begun;
    struct comm_request pieces[PIECES_MAX];
    int count;
};

static const char *refuse_direct(struct comm *comm, const struct backend_ops *backend,
                                 const struct backend_plan *plan)
{
    (void)plan;
    if (!comm->threads)
        return "the ranks are processes of their own";
    return backend->panel->on_host ? NULL : "the distances are in the memory of devices";
}

static const char *refuse_mpi(struct comm *comm, const struct backend_ops *backend,
                              const struct backend_plan *plan)
{
    bool takes = backend->panel->on_host || comm_takes_device_memory(comm);
    (void)plan;
    if (comm->threads)
        return "the ranks are threads of one process, without MPI";
    return takes ? NULL : "the MPI library does not take device memory";
}

/* The panels are the backend's own. */
static size_t need(const struct comm *comm, const struct backend_plan *plan)
{
    (void)comm;
    (void)plan;
    return 0;
}

static void *open_state(struct comm *comm, struct backend *backend)
{
    struct state *state = calloc(1, sizeof *state);
    if (state) {
        state->comm = comm;
        state->backend = backend;
    }
    return state;
}

static void broadcast(struct state *state)
{
    char *rows = state->backend->panel->raw(state->backend, state->slot);
    state->begun = true;
    for (size_t left = state->bytes; left > 0;) {
        size_t length = left < COMM_PIECE ? left : COMM_PIECE;
        if (state->count == PIECES_MAX)
            fault(APSP_PEER, "pivot rows are longer than %d pieces of 1 GiB: choose a smaller %s",
                  PIECES_MAX, SETTING(TILE));
        comm_start_broadcast(state->comm, COMM_ALL, rows, length, state->owner,
                             &state->pieces[state->count++]);
        rows += length;
        left -= length;
    }
}

static bool poll_pieces(void *opaque)
{
    struct state *state = opaque;
    if (!state->begun && state->backend->panel->reached(state->backend, BEGIN_MARK))
        broadcast(state);
    return comm_test(state->comm, state->pieces, state->count) && state->begun;
}

static void begin(void *opaque, int owner, int slot, size_t bytes)
{
    struct state *state = opaque;
    state->owner = owner;
    state->slot = slot;
    state->bytes = bytes;
    state->begun = false;
    state->count = 0;
    state->backend->panel->mark(state->backend, BACKEND_AHEAD, BEGIN_MARK);
    poll_pieces(state);
}

static void finish(void *opaque)
{
    struct state *state = opaque;
    struct backoff backoff = {0};
    while (!poll_pieces(state) && (state->backend->panel->on_host || !state->begun))
        transport_pause(state->backend, &backoff);
    comm_wait(state->comm, state->pieces, state->count);
}

const struct transport_ops transport_direct = {
    .name = "direct",
    .refuse = refuse_direct,
    .need = need,
    .open = open_state,
    .begin = begin,
    .poll = poll_pieces,
    .finish = finish,
    .free = free,
};

const struct transport_ops transport_mpi = {
    .name = "mpi",
    .refuse = refuse_mpi,
    .need = need,
    .open = open_state,
    .begin = begin,
    .poll = poll_pieces,
    .finish = finish,
    .free = free,
};
