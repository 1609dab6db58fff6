/* One rank, and no MPI. */
#include "base/fault.h"
#include "comm/ops.h"
#include "comm/ways.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 64 };

struct solo {
    struct comm base;
    int counts[3];
};

static void free_solo(struct comm *comm)
{
    free(comm);
}

static void barrier(struct comm *comm)
{
    (void)comm;
}

static void reduce(struct comm *comm, enum comm_near among, enum comm_reduction how, void *values,
                   size_t count)
{
    (void)comm;
    (void)among;
    (void)how;
    (void)values;
    (void)count;
}

static void broadcast(struct comm *comm, void *data, size_t bytes, int root)
{
    (void)comm;
    (void)data;
    (void)bytes;
    (void)root;
}

static void gather(struct comm *comm, const void *mine, size_t bytes, void *all)
{
    (void)comm;
    memcpy(all, mine, bytes);
}

static void allgather(struct comm *comm, enum comm_near among, const void *mine, size_t bytes,
                      void *all)
{
    (void)among;
    gather(comm, mine, bytes, all);
}

static void swap(struct comm *comm, const int *mine, int *theirs)
{
    (void)comm;
    *theirs = *mine;
}

static void exchange(struct comm *comm, const struct comm_items *items, size_t bytes,
                     const void *send, void *receive)
{
    (void)comm;
    if (items->send[0] > 0)
        memcpy(receive, send, (size_t)items->send[0] * bytes);
}

static void start_broadcast(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                            int root, struct comm_request *request)
{
    (void)group;
    broadcast(comm, data, bytes, root);
    request->handle = NULL;
}

static void start_most(struct comm *comm, size_t *values, size_t count,
                       struct comm_request *request)
{
    (void)comm;
    (void)values;
    (void)count;
    request->handle = NULL;
}

static bool test(struct comm_request *request)
{
    (void)request;
    return true;
}

static void wait_for(struct comm_request *request)
{
    (void)request;
}

/* Nothing is moved. */
static bool takes_device_memory(void)
{
    return true;
}

static struct comm_window *window_open(struct comm *comm, size_t bytes)
{
    struct comm_window *window = calloc(1, sizeof *window);
    size_t whole = (bytes + LINE - 1) / LINE * LINE;
    if (!window || !(window->memory = aligned_alloc(LINE, whole)))
        fault(APSP_MEMORY, "no memory for a window of %zu bytes", bytes);
    memset(window->memory, 0, whole);
    window->comm = comm;
    return window;
}

static void window_free(struct comm_window *window)
{
    free(window->memory);
    free(window);
}

static const struct comm_ops solo_ops = {
    .free = free_solo,
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

int comm_solo(struct comm **out, struct apsp_error *error)
{
    struct solo *solo = calloc(1, sizeof *solo);
    *out = NULL;
    if (!solo)
        return error_set(error, APSP_MEMORY, "no memory for the communicator");
    solo->base = (struct comm){
        .ops = &solo_ops, .ranks = 1, .nodes = 1, .node_ranks = 1, .machine_ranks = 1};
    solo->base.counts = solo->counts;
    fault_place(0, NULL);
    gethostname(solo->base.host, sizeof solo->base.host - 1);
    *out = &solo->base;
    return APSP_OK;
}

static bool join_alone(struct comm **out, int ranks_per_node, struct apsp_error *error)
{
    (void)ranks_per_node;
    comm_solo(out, error);
    return true;
}

const struct comm_way comm_way_solo = {"solo", join_alone};
