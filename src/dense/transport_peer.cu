/*
 * Pivot rows by copies between the GPUs of a node. Every rank gives its raw panels and events to
 * the others once: as they are between threads of a process, else by IPC. In a round the ranks of
 * the node pull the panel from its source: the owner, or, where the owner is on another node, the
 * node's leader, which gets it by the host transport.
 *
 * Events order the devices. Waiting for an event of another process captures only what that process
 * has recorded already, so counters in a shared window order the hosts: `ready` rounds whose panel
 * the source has recorded, `pulled` rounds whose pull a rank has enqueued. A host waits for hosts,
 * never for a device.
 *
 * A source's panel is written again two rounds later. Before that its look-ahead queue waits for
 * the pulls of all its node-mates; so events and panels of a slot are reused only when no GPU can
 * mean their earlier use.
 */
#include "dense/backend_gpu.h"

#include <cstdlib>
#include <sched.h>

extern "C" {
#include "base/fault.h"
#include "comm/comm.h"
#include "dense/transport_host.h"
}

enum { PCI_ID = 32 };

struct exported {
    gpuIpcMemHandle_t panels;
    gpuIpcEventHandle_t ready[2], pulled[2];
};

struct mate { /* a rank of this node, as this rank sees it */
    char *panels;
    gpuEvent_t ready[2], pulled[2];
    int device; /* its number in its process */
};

/* One per rank of the node, in a window that all of them share. */
struct alignas(64) rounds {
    size_t ready, pulled;
};

struct peer {
    struct comm *comm;
    struct gpu *gpu;
    struct comm_window *window;
    struct rounds *rounds;
    struct mate *mates;          /* by rank within the node; the own one has the own events */
    int *place;                  /* rank -> rank within this node, or -1 */
    struct transport_host *host; /* between the leaders; NULL with one node */
    size_t round, bytes;
    int slot, owner;
    bool was_source; /* in the round before */
};

static size_t load(const size_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

static void publish(size_t *counter, size_t value)
{
    __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

static void await(const size_t *counter, size_t value)
{
    while (load(counter) < value)
        sched_yield();
}

#ifdef __HIP__ /* ROCm's interprocess events do not order devices: distances would be wrong */
static const bool events_order_devices = false;
#else
static const bool events_order_devices = true;
#endif

/* Why this rank's GPU cannot be copied from and to by the rank whose GPU is at `place`. */
static const char *refuse_mate(const struct backend_plan *plan, const char *place)
{
    int other = 0, reachable = 1;
    if (gpuDeviceGetByPCIBusId(&other, place) != gpuSuccess) {
        (void)gpuGetLastError();
        return "a GPU of the node is not visible to all of its ranks (CUDA_VISIBLE_DEVICES, or a "
               "--gpu-bind of Slurm)";
    }
    if (other != plan->device)
        GPU_CHECK(gpuDeviceCanAccessPeer(&reachable, plan->device, other));
    return reachable ? NULL : "two GPUs of the node do not reach each other";
}

/* Every GPU of the node must be visible and within reach. Collective. */
static const char *refuse(struct comm *comm, const struct backend_ops *backend,
                          const struct backend_plan *plan)
{
    char mine[PCI_ID] = "", *all = (char *)calloc((size_t)comm->node_ranks, PCI_ID);
    const char *reason = NULL;
    bool mates = comm_most(comm, (size_t)comm->node_ranks) > 1;
    if (!all)
        fault(APSP_MEMORY, "no memory for the map of GPUs");
    if (!backend->device->locate(plan->device, mine, PCI_ID))
        reason = "the GPU does not answer";
    comm_node_allgather(comm, mine, PCI_ID, all);
    if (backend->panel->on_host)
        reason = "the distances are in host memory";
    else if (!mates)
        reason = "no node has more than one rank";
    else if (!events_order_devices && !comm->threads)
        reason = "ROCm's interprocess events do not order devices";
    for (int i = 0; !reason && i < comm->node_ranks; i++)
        reason = refuse_mate(plan, all + (size_t)i * PCI_ID);
    free(all);
    return reason;
}

static size_t window_bytes(const struct comm *comm)
{
    return (size_t)comm->node_ranks * sizeof(struct rounds);
}

static size_t need(const struct comm *comm, const struct backend_plan *plan)
{
    size_t bytes = comm->node_rank == 0 ? window_bytes(comm) : 0;
    if (comm->nodes > 1)
        mem_add(&bytes, bytes, transport_host_need(comm, plan));
    return bytes;
}

static struct mate make_own(const struct peer *peer)
{
    const unsigned flags =
        gpuEventDisableTiming | (peer->comm->threads ? 0U : (unsigned)gpuEventInterprocess);
    struct mate me = {};
    me.panels = peer->gpu->panels;
    me.device = peer->gpu->base.plan.device;
    for (int s = 0; s < 2; s++) {
        GPU_CHECK(gpuEventCreateWithFlags(&me.ready[s], flags));
        GPU_CHECK(gpuEventCreateWithFlags(&me.pulled[s], flags));
    }
    return me;
}

static void export_own(const struct mate *me, struct exported *out)
{
    GPU_CHECK(gpuIpcGetMemHandle(&out->panels, me->panels));
    for (int s = 0; s < 2; s++) {
        GPU_CHECK(gpuIpcGetEventHandle(&out->ready[s], me->ready[s]));
        GPU_CHECK(gpuIpcGetEventHandle(&out->pulled[s], me->pulled[s]));
    }
}

/* Between threads: this rank may name all that the others have. */
static void share_mates(struct peer *peer)
{
    const struct mate me = make_own(peer);
    comm_node_allgather(peer->comm, &me, sizeof me, peer->mates);
    for (int i = 0; i < peer->comm->node_ranks; i++) {
        if (peer->mates[i].device == me.device)
            continue;
        const gpuError_t status = gpuDeviceEnablePeerAccess(peer->mates[i].device, 0);
        if (status == gpuErrorPeerAccessAlready)
            (void)gpuGetLastError();
        else
            GPU_CHECK(status);
    }
}

static void import_mates(struct peer *peer)
{
    size_t count = (size_t)peer->comm->node_ranks;
    struct exported mine = {}, *all = (struct exported *)calloc(count, sizeof *all);
    if (!all)
        fault(APSP_MEMORY, "no memory for the handles of %zu GPUs", count);
    peer->mates[peer->comm->node_rank] = make_own(peer);
    export_own(&peer->mates[peer->comm->node_rank], &mine);
    comm_node_allgather(peer->comm, &mine, sizeof mine, all);
    for (int i = 0; i < peer->comm->node_ranks; i++) {
        struct mate *mate = &peer->mates[i];
        if (i == peer->comm->node_rank)
            continue;
        GPU_CHECK(gpuIpcOpenMemHandle((void **)&mate->panels, all[i].panels,
                                      gpuIpcMemLazyEnablePeerAccess));
        for (int s = 0; s < 2; s++) {
            GPU_CHECK(gpuIpcOpenEventHandle(&mate->ready[s], all[i].ready[s]));
            GPU_CHECK(gpuIpcOpenEventHandle(&mate->pulled[s], all[i].pulled[s]));
        }
    }
    free(all);
}

static void find_places(struct peer *peer)
{
    struct comm *comm = peer->comm;
    int *ranks = (int *)calloc((size_t)comm->node_ranks, sizeof *ranks);
    if (!ranks)
        fault(APSP_MEMORY, "no memory for the map of ranks");
    comm_node_allgather(comm, &comm->rank, sizeof comm->rank, ranks);
    for (int r = 0; r < comm->ranks; r++)
        peer->place[r] = -1;
    for (int i = 0; i < comm->node_ranks; i++)
        peer->place[ranks[i]] = i;
    free(ranks);
}

static void *open_peer(struct comm *comm, struct backend *backend)
{
    struct peer *peer = (struct peer *)calloc(1, sizeof *peer);
    if (!peer)
        fault(APSP_MEMORY, "no memory for peer copies");
    peer->comm = comm;
    peer->gpu = (struct gpu *)backend;
    peer->mates = (struct mate *)calloc((size_t)comm->node_ranks, sizeof *peer->mates);
    peer->place = (int *)calloc((size_t)comm->ranks, sizeof *peer->place);
    if (!peer->mates || !peer->place)
        fault(APSP_MEMORY, "no memory for peer copies");
    peer->window = comm_window_open(comm, window_bytes(comm));
    peer->rounds = (struct rounds *)comm_window_memory(peer->window);
    find_places(peer);
    (comm->threads ? share_mates : import_mates)(peer);
    if (comm->nodes > 1)
        peer->host = transport_host_open(comm, backend, true);
    return peer;
}

static int source_of(const struct peer *peer)
{
    return peer->place[peer->owner] >= 0 ? peer->place[peer->owner] : 0;
}

/* The panel is in order on this rank's look-ahead queue: the node-mates may pull it. */
static void offer(struct peer *peer)
{
    int me = peer->comm->node_rank;
    GPU_CHECK(gpuEventRecord(peer->mates[me].ready[peer->slot], peer->gpu->queue[BACKEND_AHEAD]));
    publish(&peer->rounds[me].ready, peer->round + 1);
}

static void pull(struct peer *peer, int source)
{
    struct gpu *gpu = peer->gpu;
    int me = peer->comm->node_rank;
    size_t offset = gpu->layout.raw[peer->slot];
    await(&peer->rounds[source].ready, peer->round + 1);
    GPU_CHECK(
        gpuStreamWaitEvent(gpu->queue[BACKEND_COPY], peer->mates[source].ready[peer->slot], 0));
    GPU_CHECK(gpuMemcpyAsync(gpu->panels + offset, peer->mates[source].panels + offset, peer->bytes,
                             gpuMemcpyDefault, gpu->queue[BACKEND_COPY]));
    GPU_CHECK(gpuEventRecord(peer->mates[me].pulled[peer->slot], gpu->queue[BACKEND_COPY]));
    gpu->base.round->after(&gpu->base, BACKEND_AHEAD, BACKEND_COPY);
}

/* The other slot's panel, which this rank was the source of, is written next: not before everybody
 * has it. */
static void retire_other(struct peer *peer)
{
    for (int i = 0; i < peer->comm->node_ranks; i++) {
        if (i == peer->comm->node_rank)
            continue;
        await(&peer->rounds[i].pulled, peer->round);
        GPU_CHECK(gpuStreamWaitEvent(peer->gpu->queue[BACKEND_AHEAD],
                                     peer->mates[i].pulled[!peer->slot], 0));
    }
}

static void begin(void *state, int owner, int slot, size_t bytes)
{
    struct peer *peer = (struct peer *)state;
    peer->owner = owner;
    peer->slot = slot;
    peer->bytes = bytes;
    peer->gpu->base.round->after(&peer->gpu->base, BACKEND_COPY, BACKEND_AHEAD);
    if (peer->comm->rank == owner)
        offer(peer);
    if (peer->host)
        transport_host_begin(peer->host, owner, slot, bytes);
}

static bool poll_peer(void *state)
{
    struct peer *peer = (struct peer *)state;
    return peer->host ? transport_host_poll(peer->host) : true;
}

static void finish(void *state)
{
    struct peer *peer = (struct peer *)state;
    int source = source_of(peer), me = peer->comm->node_rank;
    if (peer->host)
        transport_host_finish(peer->host);
    if (source != me)
        pull(peer, source);
    else if (peer->comm->rank != peer->owner)
        offer(peer);
    publish(&peer->rounds[me].pulled, peer->round + 1);
    if (peer->was_source)
        retire_other(peer);
    peer->was_source = source == me;
    peer->round++;
}

static void free_peer(void *state)
{
    struct peer *peer = (struct peer *)state;
    transport_host_free(peer->host);
    if (peer->comm->threads)
        comm_barrier(peer->comm); /* all are done with one another's events */
    for (int i = 0; i < peer->comm->node_ranks; i++) {
        struct mate *mate = &peer->mates[i];
        const bool own = i == peer->comm->node_rank;
        if (peer->comm->threads && !own)
            continue;
        if (!own)
            GPU_RELEASE(gpuIpcCloseMemHandle(mate->panels));
        for (int s = 0; s < 2; s++) {
            GPU_RELEASE(gpuEventDestroy(mate->ready[s]));
            GPU_RELEASE(gpuEventDestroy(mate->pulled[s]));
        }
    }
    comm_barrier(peer->comm); /* no rank frees a panel that is mapped elsewhere */
    comm_window_free(peer->window);
    free(peer->place);
    free(peer->mates);
    free(peer);
}

extern "C" const struct transport_ops transport_peer = {
    .name = "peer",
    .refuse = refuse,
    .need = need,
    .open = open_peer,
    .begin = begin,
    .poll = poll_peer,
    .finish = finish,
    .free = free_peer,
};
