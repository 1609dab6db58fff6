#include "comm/comm.h"

#include "base/fault.h"
#include "comm/comm_mpi.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_running(void)
{
    int started = 0, ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started && !ended;
}

static void end_job(int code)
{
    if (is_running())
        MPI_Abort(MPI_COMM_WORLD, code);
}

void comm_mpi_check(int status, const char *call, const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (status == MPI_SUCCESS)
        return;
    MPI_Error_string(status, text, &length);
    fault(APSP_PEER, "%s failed at %s:%d: %s", call, file, line, text);
}

/* An environment variable as a number; 0 when unset. */
static long variable(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static int start_mpi(struct apsp_error *error)
{
    int started, provided;
    MPI_TRY(MPI_Initialized(&started));
    if (started)
        return APSP_OK;
    if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMIX_RANK") && !getenv("PMI_RANK")) {
        /* Under Slurm MPI_Init would not come back: Open MPI ends the process. */
        if (variable("SLURM_NTASKS") > 1)
            return error_set(error, APSP_PEER,
                             "SLURM_NTASKS is %ld, but this process is alone: start with srun --mpi=pmix",
                             variable("SLURM_NTASKS"));
        /* Without a launcher Open MPI would start a daemon of its own, which takes longer than a small graph.
         */
        setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return error_set(error, APSP_PEER, "MPI cannot start");
    MPI_TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int rank;
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    fault_place(rank, end_job);
    return APSP_OK;
}

/* The ranks of this machine; and those of this node, which is the machine or every `ranks_per_node` of its
 * ranks. */
static void find_machine(struct comm *comm, int ranks_per_node)
{
    struct comm_mpi *mpi = comm->mpi;
    MPI_TRY(MPI_Comm_split_type(mpi->world, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &mpi->machine));
    MPI_TRY(MPI_Comm_rank(mpi->machine, &comm->machine_rank));
    MPI_TRY(MPI_Comm_size(mpi->machine, &comm->machine_ranks));
    int part = ranks_per_node > 0 ? comm->machine_rank / ranks_per_node : 0;
    MPI_TRY(MPI_Comm_split(mpi->machine, part, comm->rank, &mpi->node));
    MPI_TRY(MPI_Comm_rank(mpi->node, &comm->node_rank));
    MPI_TRY(MPI_Comm_size(mpi->node, &comm->node_ranks));
}

static void find_leaders(struct comm *comm)
{
    struct comm_mpi *mpi = comm->mpi;
    int place[2];
    MPI_TRY(MPI_Comm_split(mpi->world, comm->node_rank == 0 ? 0 : MPI_UNDEFINED, comm->rank, &mpi->leaders));
    if (comm->node_rank == 0) {
        MPI_TRY(MPI_Comm_rank(mpi->leaders, &place[0]));
        MPI_TRY(MPI_Comm_size(mpi->leaders, &place[1]));
    }
    MPI_TRY(MPI_Bcast(place, 2, MPI_INT, 0, mpi->node));
    comm->node = place[0];
    comm->nodes = place[1];
}

int comm_init(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    *out = NULL;
    if (start_mpi(error))
        return error->code;
    struct comm *comm = calloc(1, sizeof *comm);
    struct comm_mpi *mpi = calloc(1, sizeof *mpi);
    if (!comm || !mpi)
        fault(APSP_MEMORY, "no memory for the communicator");
    comm->mpi = mpi;
    MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &mpi->world));
    MPI_TRY(MPI_Comm_rank(mpi->world, &comm->rank));
    MPI_TRY(MPI_Comm_size(mpi->world, &comm->ranks));
    mpi->counts = calloc(3 * (size_t)comm->ranks, sizeof *mpi->counts);
    if (!mpi->counts)
        fault(APSP_MEMORY, "no memory for the communicator");
    gethostname(comm->host, sizeof comm->host - 1);
    find_machine(comm, ranks_per_node);
    find_leaders(comm);
    *out = comm;
    return APSP_OK;
}

int comm_solo(struct comm **out, struct apsp_error *error)
{
    struct comm *comm = *out = calloc(1, sizeof *comm);
    if (!comm)
        return error_set(error, APSP_MEMORY, "no memory for the communicator");
    comm->ranks = comm->nodes = comm->node_ranks = comm->machine_ranks = 1;
    gethostname(comm->host, sizeof comm->host - 1);
    return APSP_OK;
}

static void free_mpi(struct comm_mpi *mpi)
{
    if (mpi->leaders != MPI_COMM_NULL)
        MPI_TRY(MPI_Comm_free(&mpi->leaders));
    MPI_TRY(MPI_Comm_free(&mpi->node));
    MPI_TRY(MPI_Comm_free(&mpi->machine));
    MPI_TRY(MPI_Comm_free(&mpi->world));
    free(mpi->counts);
    free(mpi);
}

void comm_free(struct comm *comm)
{
    if (comm && comm->mpi)
        free_mpi(comm->mpi);
    free(comm);
}

void comm_finish(void)
{
    if (is_running())
        MPI_Finalize();
}

int comm_agree(struct comm *comm, struct apsp_error *error)
{
    int mine = error->code ? comm->rank : INT_MAX, first;
    if (!comm->mpi)
        return error->code;
    MPI_TRY(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm->mpi->world));
    if (first == INT_MAX)
        return APSP_OK;
    MPI_TRY(MPI_Bcast(error, sizeof *error, MPI_BYTE, first, comm->mpi->world));
    return error->code;
}

void comm_barrier(struct comm *comm)
{
    if (comm->mpi)
        MPI_TRY(MPI_Barrier(comm->mpi->world));
}

double comm_max(struct comm *comm, double value)
{
    if (comm->mpi)
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm->mpi->world));
    return value;
}

static size_t reduce(size_t value, MPI_Op op, MPI_Comm among)
{
    uint64_t all = value;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, op, among));
    return (size_t)all;
}

size_t comm_sum(struct comm *comm, size_t value)
{
    return comm->mpi ? reduce(value, MPI_SUM, comm->mpi->world) : value;
}

size_t comm_most(struct comm *comm, size_t value)
{
    return comm->mpi ? reduce(value, MPI_MAX, comm->mpi->world) : value;
}

size_t comm_machine_sum(struct comm *comm, size_t value)
{
    return comm->mpi ? reduce(value, MPI_SUM, comm->mpi->machine) : value;
}

void comm_sum_all(struct comm *comm, size_t *values, size_t count)
{
    for (size_t most = COMM_PIECE / sizeof *values; comm->mpi && count > 0;) {
        size_t length = count < most ? count : most;
        MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, values, (int)length, MPI_UINT64_T, MPI_SUM, comm->mpi->world));
        values += length;
        count -= length;
    }
}

void comm_broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    for (char *piece = data; comm->mpi && bytes > 0;) {
        size_t length = bytes < COMM_PIECE ? bytes : COMM_PIECE;
        MPI_TRY(MPI_Bcast(piece, (int)length, MPI_BYTE, root, comm->mpi->world));
        piece += length;
        bytes -= length;
    }
}

void comm_node_allgather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    if (comm->mpi)
        MPI_TRY(MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm->mpi->node));
    else
        memcpy(all, mine, bytes);
}

void comm_machine_allgather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    if (comm->mpi)
        MPI_TRY(MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm->mpi->machine));
    else
        memcpy(all, mine, bytes);
}

void comm_gather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    if (comm->mpi)
        MPI_TRY(MPI_Gather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0, comm->mpi->world));
    else
        memcpy(all, mine, bytes);
}

/* Offsets of each rank's items; returns their sum. */
static size_t offsets(const int *counts, int *starts, int ranks)
{
    size_t sum = 0;
    for (int r = 0; r < ranks; r++) {
        starts[r] = (int)sum;
        sum += (size_t)counts[r];
    }
    return sum;
}

/* Makes room for `count` items; false on any rank makes it false on all. */
static bool make_room(struct comm *comm, size_t count, size_t bytes, void **receive, size_t *room)
{
    size_t failed = 0;
    if (count > *room) {
        void *larger = realloc(*receive, count * bytes);
        if (larger) {
            *receive = larger;
            *room = count;
        }
        failed = larger == NULL;
    }
    return comm_sum(comm, failed) == 0;
}

static size_t exchange_solo(struct comm *comm, const void *send, size_t count, size_t bytes, void **receive,
                            size_t *room)
{
    if (!make_room(comm, count, bytes, receive, room))
        return SIZE_MAX;
    if (count > 0)
        memcpy(*receive, send, count * bytes);
    return count;
}

size_t comm_exchange(struct comm *comm, const void *send, const int *counts, size_t bytes, void **receive,
                     size_t *room)
{
    if (!comm->mpi)
        return exchange_solo(comm, send, (size_t)counts[0], bytes, receive, room);
    int ranks = comm->ranks;
    int *from = comm->mpi->counts, *send_at = from + ranks, *receive_at = send_at + ranks;
    MPI_TRY(MPI_Alltoall(counts, 1, MPI_INT, from, 1, MPI_INT, comm->mpi->world));
    offsets(counts, send_at, ranks);
    size_t count = offsets(from, receive_at, ranks);
    if (make_room(comm, count, bytes, receive, room)) {
        MPI_Datatype item;
        MPI_TRY(MPI_Type_contiguous((int)bytes, MPI_BYTE, &item));
        MPI_TRY(MPI_Type_commit(&item));
        MPI_TRY(
            MPI_Alltoallv(send, counts, send_at, item, *receive, from, receive_at, item, comm->mpi->world));
        MPI_TRY(MPI_Type_free(&item));
    } else {
        count = SIZE_MAX;
    }
    return count;
}
