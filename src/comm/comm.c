#include "comm/comm.h"

#include "base/clock.h"
#include "base/fault.h"
#include "comm/ops.h"
#include "comm/ways.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

/* Set by comm_init. */
static const struct comm_module *module;

/* An environment variable as a number; 0 when unset. */
static long environment_number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

bool comm_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

int comm_load_mpi(struct apsp_error *error)
{
    module = module_load(error);
    return error->code;
}

/*
 * Ranks without MPI cannot agree on who speaks: the first does so at once, and its end is that of
 * all. The others speak only if they are still there then.
 */
static void let_first_speak(void)
{
    if (environment_number("OMPI_COMM_WORLD_RANK") + environment_number("PMIX_RANK") +
            environment_number("PMI_RANK") >
        0)
        sleep(3); /* mpirun takes a second to end them */
}

static int start(struct comm **out, const void *communicator, int ranks_per_node,
                 struct apsp_error *error)
{
    static const struct comm_host host = {error_set, fault, fault_place};
    const bool exits = fault_on_exit(false); /* mpirun tells why MPI does not start */
    module->init(out, &host, communicator, ranks_per_node, error);
    fault_on_exit(exits);
    return error->code;
}

/*
 * Open MPI's ranks notice by themselves that mpirun has gone, and call _exit(), which cleans up
 * nothing. Those of Slurm may have been started by a thread that has ended since: the signal would
 * come at once.
 */
static void follow_launcher(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static bool join_mpi(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    if (!comm_launched() && environment_number("SLURM_NTASKS") > 1)
        error_set(error, APSP_PEER,
                  "SLURM_NTASKS is %ld, but this process is alone: start with srun --mpi=pmix",
                  environment_number("SLURM_NTASKS"));
    if (error->code || !comm_launched())
        return error->code;
    follow_launcher();
    if (comm_load_mpi(error))
        let_first_speak();
    else
        start(out, NULL, ranks_per_node, error);
    return true;
}

const struct comm_way comm_way_mpi = {"mpi", join_mpi};

int comm_init(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    *out = NULL;
    for (size_t k = 0; comm_ways[k]; k++)
        if (comm_ways[k]->join(out, ranks_per_node, error))
            return error->code;
    return error_set(error, APSP_PEER, "this build has no way to start ranks");
}

int comm_init_mpi(struct comm **out, const void *communicator, int ranks_per_node,
                  struct apsp_error *error)
{
    *out = NULL;
    return comm_load_mpi(error) ? error->code : start(out, communicator, ranks_per_node, error);
}

void comm_free(struct comm *comm)
{
    if (comm)
        comm->ops->free(comm);
}

void comm_finish(void)
{
    fault_on_exit(false);
    if (module)
        module->finish();
}

int comm_agree(struct comm *comm, struct apsp_error *error)
{
    size_t ranks = (size_t)comm->ranks, before_end = error->code ? ranks - (size_t)comm->rank : 0;
    before_end = comm_most(comm, before_end);
    if (before_end > 0)
        comm->ops->broadcast(comm, error, sizeof *error, (int)(ranks - before_end));
    return error->code;
}

uint64_t comm_seed(struct comm *comm)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) /* an old system */
        seed = (uint64_t)(clock_seconds() * 1e9);
    seed = (seed >> 16) + 1;
    comm_broadcast(comm, &seed, sizeof seed, 0);
    return seed;
}

void comm_barrier(struct comm *comm)
{
    comm->ops->barrier(comm);
}

double comm_max(struct comm *comm, double value)
{
    comm->ops->reduce(comm, COMM_NEAR_ALL, COMM_MAX_REAL, &value, 1);
    return value;
}

size_t comm_sum(struct comm *comm, size_t value)
{
    comm->ops->reduce(comm, COMM_NEAR_ALL, COMM_SUM, &value, 1);
    return value;
}

size_t comm_most(struct comm *comm, size_t value)
{
    comm->ops->reduce(comm, COMM_NEAR_ALL, COMM_MOST, &value, 1);
    return value;
}

size_t comm_machine_sum(struct comm *comm, size_t value)
{
    comm->ops->reduce(comm, COMM_NEAR_MACHINE, COMM_SUM, &value, 1);
    return value;
}

/* Of values of 8 bytes. */
static void reduce_pieces(struct comm *comm, enum comm_reduction how, void *values, size_t count)
{
    enum { EACH = 8 };
    for (char *piece = values; count > 0;) {
        size_t length = count < COMM_PIECE / EACH ? count : COMM_PIECE / EACH;
        comm->ops->reduce(comm, COMM_NEAR_ALL, how, piece, length);
        piece += length * EACH;
        count -= length;
    }
}

void comm_sum_all(struct comm *comm, size_t *values, size_t count)
{
    reduce_pieces(comm, COMM_SUM, values, count);
}

void comm_most_all(struct comm *comm, size_t *values, size_t count)
{
    reduce_pieces(comm, COMM_MOST, values, count);
}

void comm_broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    for (char *piece = data; bytes > 0;) {
        size_t length = bytes < COMM_PIECE ? bytes : COMM_PIECE;
        comm->ops->broadcast(comm, piece, length, root);
        piece += length;
        bytes -= length;
    }
}

void comm_allgather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    comm->ops->allgather(comm, COMM_NEAR_ALL, mine, bytes, all);
}

void comm_node_allgather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    comm->ops->allgather(comm, COMM_NEAR_NODE, mine, bytes, all);
}

void comm_machine_allgather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    comm->ops->allgather(comm, COMM_NEAR_MACHINE, mine, bytes, all);
}

void comm_gather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    comm->ops->gather(comm, mine, bytes, all);
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

size_t comm_exchange(struct comm *comm, const void *send, const int *counts, size_t bytes,
                     void **receive, size_t *room)
{
    int ranks = comm->ranks;
    int *from = comm->counts, *send_at = from + ranks, *receive_at = send_at + ranks;
    const struct comm_items items = {counts, send_at, from, receive_at};
    comm->ops->swap(comm, counts, from);
    offsets(counts, send_at, ranks);
    size_t count = offsets(from, receive_at, ranks);
    if (!make_room(comm, count, bytes, receive, room))
        return SIZE_MAX;
    comm->ops->exchange(comm, &items, bytes, send, *receive);
    return count;
}

void comm_start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                          int root, struct comm_request *request)
{
    comm->ops->start_broadcast(comm, group, data, bytes, root, request);
}

void comm_start_most(struct comm *comm, size_t *values, size_t count, struct comm_request *request)
{
    comm->ops->start_most(comm, values, count, request);
}

bool comm_test(struct comm *comm, struct comm_request *requests, int count)
{
    bool over = true;
    for (int i = 0; i < count; i++)
        over &= comm->ops->test(&requests[i]);
    return over;
}

void comm_wait(struct comm *comm, struct comm_request *requests, int count)
{
    for (int i = 0; i < count; i++)
        comm->ops->wait(&requests[i]);
}

bool comm_takes_device_memory(const struct comm *comm)
{
    return comm->ops->takes_device_memory();
}

struct comm_window *comm_window_open(struct comm *comm, size_t bytes)
{
    return comm->ops->window_open(comm, bytes);
}

void *comm_window_memory(struct comm_window *window)
{
    return window->memory;
}

void comm_window_free(struct comm_window *window)
{
    window->comm->ops->window_free(window);
}
