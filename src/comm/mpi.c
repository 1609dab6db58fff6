/* The ranks of MPI: the module libapsp_mpi.so, and all that knows MPI (ops.h). */
#include "base/backoff.h"
#include "comm/ops.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { LINE = 64 };

struct mpi {
    struct comm base;
    MPI_Comm near[3]; /* by enum comm_near */
    MPI_Comm leaders; /* the first rank of every node; MPI_COMM_NULL elsewhere */
};

struct window {
    struct comm_window base;
    MPI_Win handle;
};

static const struct comm_host *host;
static bool started; /* by this module, which then ends it */

static bool is_running(void)
{
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

static void end_job(int code)
{
    if (is_running())
        MPI_Abort(MPI_COMM_WORLD, code);
}

static void check(int status, const char *call, int line)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (status == MPI_SUCCESS)
        return;
    MPI_Error_string(status, text, &length);
    host->fault(APSP_PEER, "%s failed at %s:%d: %s", call, __FILE__, line, text);
}

#define TRY(call) check((call), #call, __LINE__)

static struct mpi *mpi_of(struct comm *comm)
{
    return (struct mpi *)comm;
}

static MPI_Comm mpi_handle(struct comm *comm)
{
    return mpi_of(comm)->near[COMM_NEAR_ALL];
}

/* The results are there: what cannot be given back is no reason to abort. */
static void free_mpi(struct comm *comm)
{
    struct mpi *mpi = mpi_of(comm);
    if (mpi->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->leaders);
    for (int i = COMM_NEAR_NODE; i >= COMM_NEAR_ALL; i--)
        MPI_Comm_free(&mpi->near[i]);
    free(comm->counts);
    free(mpi);
}

/*
 * MPI's own collectives look for messages all the time: a rank that comes early takes the core from
 * those that it waits for, wherever there are fewer cores than work. Here all ranks of the group
 * meet first.
 */
static void group_meet(MPI_Comm group)
{
    struct backoff backoff = {0};
    MPI_Request request;
    int over;
    TRY(MPI_Ibarrier(group, &request));
    for (TRY(MPI_Test(&request, &over, MPI_STATUS_IGNORE)); !over;
         TRY(MPI_Test(&request, &over, MPI_STATUS_IGNORE)))
        backoff_pause(&backoff);
}

static void barrier(struct comm *comm)
{
    group_meet(mpi_handle(comm));
}

static void reduce(struct comm *comm, enum comm_near among, enum comm_reduction how, void *values,
                   size_t count)
{
    const struct {
        MPI_Datatype type;
        MPI_Op op;
    } way[] = {[COMM_SUM] = {MPI_UINT64_T, MPI_SUM},
               [COMM_MOST] = {MPI_UINT64_T, MPI_MAX},
               [COMM_MAX_REAL] = {MPI_DOUBLE, MPI_MAX}};
    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "sizes travel as 64 bits");
    group_meet(mpi_of(comm)->near[among]);
    TRY(MPI_Allreduce(MPI_IN_PLACE, values, (int)count, way[how].type, way[how].op,
                      mpi_of(comm)->near[among]));
}

static void broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    group_meet(mpi_handle(comm));
    TRY(MPI_Bcast(data, (int)bytes, MPI_BYTE, root, mpi_handle(comm)));
}

static void allgather(struct comm *comm, enum comm_near among, const void *mine, size_t bytes,
                      void *all)
{
    group_meet(mpi_of(comm)->near[among]);
    TRY(MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE,
                      mpi_of(comm)->near[among]));
}

static void gather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    group_meet(mpi_handle(comm));
    TRY(MPI_Gather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0, mpi_handle(comm)));
}

static void swap(struct comm *comm, const int *mine, int *theirs)
{
    group_meet(mpi_handle(comm));
    TRY(MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, mpi_handle(comm)));
}

static void exchange(struct comm *comm, const struct comm_items *items, size_t bytes,
                     const void *send, void *receive)
{
    MPI_Datatype item;
    TRY(MPI_Type_contiguous((int)bytes, MPI_BYTE, &item));
    TRY(MPI_Type_commit(&item));
    TRY(MPI_Alltoallv(send, items->send, items->send_at, item, receive, items->receive,
                      items->receive_at, item, mpi_handle(comm)));
    TRY(MPI_Type_free(&item));
}

/* A request is kept in the pointer, whatever MPI makes of it; a pointer of NULL is none. */
_Static_assert(sizeof(MPI_Request) <= sizeof(void *), "a request fits into a pointer");

static void keep(struct comm_request *request, MPI_Request handle)
{
    *request = (struct comm_request){0};
    memcpy(&request->handle, &handle, sizeof handle);
}

static void start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                            int root, struct comm_request *request)
{
    MPI_Request handle;
    TRY(MPI_Ibcast(data, (int)bytes, MPI_BYTE, root,
                   group == COMM_ALL ? mpi_handle(comm) : mpi_of(comm)->leaders, &handle));
    keep(request, handle);
}

static void start_most(struct comm *comm, size_t *values, size_t count,
                       struct comm_request *request)
{
    MPI_Request handle;
    TRY(MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_MAX, mpi_handle(comm),
                       &handle));
    keep(request, handle);
}

static bool test(struct comm_request *request)
{
    MPI_Request handle;
    int over;
    if (!request->handle)
        return true;
    memcpy(&handle, &request->handle, sizeof handle);
    TRY(MPI_Test(&handle, &over, MPI_STATUS_IGNORE));
    if (over)
        request->handle = NULL;
    return over;
}

static void wait_for(struct comm_request *request)
{
    MPI_Request handle;
    if (!request->handle)
        return;
    memcpy(&handle, &request->handle, sizeof handle);
    TRY(MPI_Wait(&handle, MPI_STATUS_IGNORE));
    request->handle = NULL;
}

static bool takes_device_memory(void)
{
    bool takes = false;
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT && !defined(APSP_HIP)
    takes |= MPIX_Query_cuda_support() != 0;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT) && MPIX_ROCM_AWARE_SUPPORT && defined(APSP_HIP)
    takes |= MPIX_Query_rocm_support() != 0;
#endif
    return takes;
}

/* All processes map it by whole pages: the boundary is at the same place in every one. */
static struct comm_window *window_open(struct comm *comm, size_t bytes)
{
    MPI_Comm node = mpi_of(comm)->near[COMM_NEAR_NODE];
    struct window *window = calloc(1, sizeof *window);
    MPI_Aint size = comm->node_rank == 0 ? (MPI_Aint)bytes + LINE : 0;
    char *start;
    int unit;
    if (!window)
        host->fault(APSP_MEMORY, "no memory for a shared window");
    TRY(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, node, &start, &window->handle));
    TRY(MPI_Win_shared_query(window->handle, 0, &size, &unit, &start));
    window->base.comm = comm;
    window->base.memory = start + (-(uintptr_t)start & (LINE - 1));
    if (comm->node_rank == 0)
        memset(window->base.memory, 0, bytes);
    TRY(MPI_Barrier(node));
    return &window->base;
}

static void window_free(struct comm_window *base)
{
    struct window *window = (struct window *)base;
    TRY(MPI_Win_free(&window->handle));
    free(window);
}

static const struct comm_ops mpi_ops = {
    .free = free_mpi,
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

/* The ranks of this machine; and those of this node, which is the machine or every `ranks_per_node`
 * of its ranks. */
static void find_machine(struct comm *comm, MPI_Comm near[3], int ranks_per_node)
{
    MPI_Comm *machine = &near[COMM_NEAR_MACHINE], *node = &near[COMM_NEAR_NODE];
    TRY(MPI_Comm_split_type(near[COMM_NEAR_ALL], MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL,
                            machine));
    TRY(MPI_Comm_rank(*machine, &comm->machine_rank));
    TRY(MPI_Comm_size(*machine, &comm->machine_ranks));
    int part = ranks_per_node > 0 ? comm->machine_rank / ranks_per_node : 0;
    TRY(MPI_Comm_split(*machine, part, comm->rank, node));
    TRY(MPI_Comm_rank(*node, &comm->node_rank));
    TRY(MPI_Comm_size(*node, &comm->node_ranks));
}

static void find_leaders(struct mpi *mpi)
{
    struct comm *comm = &mpi->base;
    int place[2];
    TRY(MPI_Comm_split(mpi_handle(comm), comm->node_rank == 0 ? 0 : MPI_UNDEFINED, comm->rank,
                       &mpi->leaders));
    if (comm->node_rank == 0) {
        TRY(MPI_Comm_rank(mpi->leaders, &place[0]));
        TRY(MPI_Comm_size(mpi->leaders, &place[1]));
    }
    TRY(MPI_Bcast(place, 2, MPI_INT, 0, mpi->near[COMM_NEAR_NODE]));
    comm->node = place[0];
    comm->nodes = place[1];
}

/* Open MPI has handlers of SIGSEGV and its like, which print where it was. They may wait for ever
 * if the signal came while a library was loaded. So a rank that such a signal ends ends the others.
 */
static int start_mpi(struct apsp_error *error)
{
    int begun, provided;
    TRY(MPI_Initialized(&begun));
    if (begun)
        return APSP_OK;
    setenv("OMPI_MCA_opal_signal", "", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return host->error_set(error, APSP_PEER, "MPI cannot start");
    started = true;
    return APSP_OK;
}

/* Up to what it says of its making. */
static void find_library(struct comm *comm)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    TRY(MPI_Get_library_version(text, &length));
    snprintf(comm->library, sizeof comm->library, "%.*s", (int)strcspn(text, ",\n"), text);
}

static int init(struct comm **out, const struct comm_host *caller, const void *communicator,
                int ranks_per_node, struct apsp_error *error)
{
    host = caller;
    if (communicator && !is_running())
        return host->error_set(error, APSP_PEER, "MPI does not run: call MPI_Init first");
    if (communicator && *(const MPI_Comm *)communicator == MPI_COMM_NULL)
        return host->error_set(error, APSP_USAGE, "MPI_COMM_NULL: expected a communicator");
    if (!communicator && start_mpi(error))
        return error->code;
    struct mpi *mpi = calloc(1, sizeof *mpi);
    struct comm *comm = &mpi->base;
    if (!mpi)
        host->fault(APSP_MEMORY, "no memory for the communicator");
    TRY(MPI_Comm_dup(communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD,
                     &mpi->near[COMM_NEAR_ALL]));
    TRY(MPI_Comm_set_errhandler(mpi_handle(comm), MPI_ERRORS_RETURN)); /* its parts inherit it */
    TRY(MPI_Comm_rank(mpi_handle(comm), &comm->rank));
    TRY(MPI_Comm_size(mpi_handle(comm), &comm->ranks));
    host->fault_place(comm->rank, end_job);
    comm->ops = &mpi_ops;
    comm->counts = calloc(3 * (size_t)comm->ranks, sizeof *comm->counts);
    if (!comm->counts)
        host->fault(APSP_MEMORY, "no memory for the communicator");
    gethostname(comm->host, sizeof comm->host - 1);
    find_library(comm);
    find_machine(comm, mpi->near, ranks_per_node);
    find_leaders(mpi);
    *out = comm;
    return APSP_OK;
}

static void finish(void)
{
    if (started && is_running())
        MPI_Finalize();
}

__attribute__((visibility("default"))) const struct comm_module apsp_mpi_module = {
    .version = COMM_MODULE_VERSION,
    .init = init,
    .finish = finish,
};
