/* Pivot rows by MPI_Ibcast. It advances only inside MPI calls, so poll() must be called while other work
 * runs. */
#include "comm_mpi.h"
#include "transport.h"
#include <stdlib.h>

enum { PIECES_MAX = 64 };

struct state {
    struct comm *comm;
    struct backend *backend;
    MPI_Request pieces[PIECES_MAX];
    int count;
};

static const char *refuse(const struct comm *comm, const struct backend *backend)
{
    (void)comm;
    return backend->ops->on_host(backend) ? NULL : "the MPI library does not take device memory";
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

static void begin(void *opaque, int owner, int slot, size_t bytes)
{
    struct state *state = opaque;
    char *rows = state->backend->ops->raw(state->backend, slot);
    state->count = 0;
    while (bytes > 0) {
        size_t length = bytes < COMM_PIECE ? bytes : COMM_PIECE;
        if (state->count == PIECES_MAX)
            comm_abort(APSP_PEER, "pivot rows are longer than %d pieces of 1 GiB: choose a smaller --tile",
                       PIECES_MAX);
        MPI_TRY(MPI_Ibcast(rows, (int)length, MPI_BYTE, owner, state->comm->mpi->world,
                           &state->pieces[state->count++]));
        rows += length;
        bytes -= length;
    }
}

static bool poll_pieces(void *opaque)
{
    struct state *state = opaque;
    int done;
    MPI_TRY(MPI_Testall(state->count, state->pieces, &done, MPI_STATUSES_IGNORE));
    return done;
}

static void finish(void *opaque)
{
    struct state *state = opaque;
    MPI_TRY(MPI_Waitall(state->count, state->pieces, MPI_STATUSES_IGNORE));
}

const struct transport_ops transport_mpi = {
    .name = "mpi",
    .refuse = refuse,
    .open = open_state,
    .begin = begin,
    .poll = poll_pieces,
    .finish = finish,
    .free = free,
};
