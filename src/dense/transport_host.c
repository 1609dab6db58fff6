/*
 * Pivot rows through host memory. The ranks of a node share one window, pinned for their devices;
 * the first of them, the leader, is the only one on the network. The rows travel in segments, so
 * that the copy out of the owner's device, the network and the copies into the devices overlap.
 *
 * The window holds two panels, used alternately, and counters. On each node one rank fills the
 * panel of a round: the owner of the rows, or, where the owner is elsewhere, the leader from the
 * network. It may do so once every rank of the node has drained the panel's last round.
 */
#include "dense/transport_host.h"

#include "base/fault.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"
#include <stdatomic.h>
#include <stdlib.h>

enum {
    SEGMENT = SIZE_OF(4 << 20, 1 << 10),
    SEGMENTS = BACKEND_TRANSPORT_MARKS - 1,
    DRAIN_MARK = SEGMENTS,
    LINE = 64
};

struct counter {
    _Alignas(LINE) _Atomic size_t value;
};

struct window {
    struct counter filled;    /* segments that may be read, of all rounds so far */
    struct counter drained[]; /* per rank of the node: rounds whose panel it needs no more */
};

/* What lies in the window. */
struct parts {
    struct window *window;
    char *panels[2];
    size_t bytes;
};

struct transport_host {
    struct comm *comm;
    struct backend *backend;
    bool leaders_only;
    struct comm_window *memory;
    struct parts parts;
    bool pinned;
    int *node_of; /* rank -> node */

    size_t round;  /* rounds begun before this one */
    size_t before; /* segments of those */
    int slot;
    bool fills, reads, sends; /* this rank's part in the round: fills the window, copies from it,
                                 sends it to the other leaders */
    bool from_device;         /* it fills from its device, not from the network */
    int root;                 /* the owner's node */
    size_t length, segment, segments;
    size_t started, filled, posted, sent, copied; /* segments, of this round */
    struct comm_request requests[SEGMENTS];
    bool draining; /* copies of the last round may still read the window */
};

static size_t offset_of(const struct transport_host *host, size_t s)
{
    return s * host->segment;
}

static size_t length_of(const struct transport_host *host, size_t s)
{
    size_t left = host->length - offset_of(host, s);
    return size_min(left, host->segment);
}

static char *panel(const struct transport_host *host, size_t s)
{
    return host->parts.panels[host->round % 2] + offset_of(host, s);
}

static char *raw(const struct transport_host *host, size_t s)
{
    return (char *)host->backend->panel->raw(host->backend, host->slot) + offset_of(host, s);
}

static void publish_drained(struct transport_host *host, size_t rounds)
{
    atomic_store_explicit(&host->parts.window->drained[host->comm->node_rank].value, rounds,
                          memory_order_release);
}

static void publish_filled(struct transport_host *host)
{
    host->filled++;
    atomic_store_explicit(&host->parts.window->filled.value, host->before + host->filled,
                          memory_order_release);
}

/* Segments of this round that may be read. */
static size_t readable(struct transport_host *host)
{
    size_t all = atomic_load_explicit(&host->parts.window->filled.value, memory_order_acquire);
    size_t count = all > host->before ? all - host->before : 0;
    return size_min(count, host->segments);
}

/*
 * May this round's panel be filled? Not before the round before is all there: another rank may be
 * filling it still, and `filled` counts for both. And not before every rank of the node has drained
 * the round that used this panel last.
 */
static bool is_free(struct transport_host *host)
{
    if (atomic_load_explicit(&host->parts.window->filled.value, memory_order_acquire) <
        host->before)
        return false;
    for (int i = 0; i < host->comm->node_ranks; i++)
        if (atomic_load_explicit(&host->parts.window->drained[i].value, memory_order_acquire) + 1 <
            host->round)
            return false;
    return true;
}

/* Between the leaders, to or from the window. */
static void start_sending(struct transport_host *host, size_t s)
{
    comm_start_broadcast(host->comm, COMM_LEADERS, panel(host, s), length_of(host, s), host->root,
                         &host->requests[s]);
}

static void start_filling(struct transport_host *host)
{
    const struct panel_ops *ops = host->backend->panel;
    for (; host->started < host->segments; host->started++) {
        size_t s = host->started;
        if (host->from_device) {
            ops->copy(host->backend, BACKEND_COPY, panel(host, s), raw(host, s),
                      length_of(host, s));
            ops->mark(host->backend, BACKEND_COPY, (int)s);
        } else {
            start_sending(host, s);
        }
    }
}

static bool has_filled(struct transport_host *host, size_t s)
{
    if (host->from_device)
        return host->backend->panel->reached(host->backend, (int)s);
    return comm_test(host->comm, &host->requests[s], 1);
}

/* The owner's leader passes on what the owner has filled. */
static void send_on(struct transport_host *host)
{
    for (size_t ready = readable(host); host->posted < ready; host->posted++)
        start_sending(host, host->posted);
    while (host->sent < host->posted && comm_test(host->comm, &host->requests[host->sent], 1))
        host->sent++;
}

bool transport_host_poll(struct transport_host *host)
{
    const struct panel_ops *ops = host->backend->panel;
    if (host->draining && ops->reached(host->backend, DRAIN_MARK)) {
        publish_drained(host, host->round);
        host->draining = false;
    }
    if (host->fills) {
        if (host->started == 0 && is_free(host))
            start_filling(host);
        while (host->filled < host->started && has_filled(host, host->filled))
            publish_filled(host);
    }
    if (host->sends)
        send_on(host);
    if (host->reads)
        for (size_t ready = readable(host); host->copied < ready; host->copied++)
            ops->copy(host->backend, BACKEND_COPY, raw(host, host->copied),
                      panel(host, host->copied), length_of(host, host->copied));
    return (!host->fills || host->filled == host->segments) &&
           (!host->sends || host->sent == host->segments) &&
           (!host->reads || host->copied == host->segments);
}

void transport_host_begin(struct transport_host *host, int owner, int slot, size_t bytes)
{
    bool owner_here = host->node_of[owner] == host->comm->node, leader = host->comm->node_rank == 0;
    host->root = host->node_of[owner];
    host->slot = slot;
    host->length = bytes;
    host->segment = bytes / SEGMENTS + 1 > SEGMENT ? bytes / SEGMENTS + 1 : SEGMENT;
    host->segments = (bytes + host->segment - 1) / host->segment;
    host->from_device = host->comm->rank == owner;
    host->fills = host->from_device || (leader && !owner_here);
    host->sends = leader && owner_here && host->comm->nodes > 1;
    host->reads = host->comm->rank != owner && (host->leaders_only ? leader && !owner_here : true);
    host->started = host->filled = host->posted = host->sent = host->copied = 0;
    host->backend->round->after(host->backend, BACKEND_COPY, BACKEND_AHEAD);
    transport_host_poll(host);
}

void transport_host_finish(struct transport_host *host)
{
    struct backoff backoff = {0};
    while (!transport_host_poll(host))
        transport_pause(host->backend, &backoff);
    host->round++;
    host->before += host->segments;
    if (host->reads) {
        host->backend->round->after(host->backend, BACKEND_AHEAD, BACKEND_COPY);
        host->backend->panel->mark(host->backend, BACKEND_COPY, DRAIN_MARK);
        host->draining = true;
    } else if (!host->draining) {
        publish_drained(host, host->round);
    }
}

static struct parts place_parts(char *base, const struct comm *comm,
                                const struct backend_plan *plan)
{
    struct mem_layout layout = {.base = base};
    struct parts parts;
    size_t counters = sizeof(struct window) + (size_t)comm->node_ranks * sizeof(struct counter);
    parts.window = mem_place(&layout, 1, counters);
    for (int p = 0; p < 2; p++)
        parts.panels[p] = mem_place(&layout, 1, backend_raw_bytes(plan, plan->tile));
    parts.bytes = layout.bytes;
    return parts;
}

size_t transport_host_need(const struct comm *comm, const struct backend_plan *plan)
{
    return comm->node_rank == 0 ? place_parts(NULL, comm, plan).bytes : 0;
}

static void open_window(struct transport_host *host)
{
    struct backend *backend = host->backend;
    size_t bytes = place_parts(NULL, host->comm, &backend->plan).bytes;
    host->memory = comm_window_open(host->comm, bytes);
    host->parts = place_parts(comm_window_memory(host->memory), host->comm, &backend->plan);
    host->pinned = backend->panel->pin(backend, host->parts.window, bytes); /* else only slower */
}

struct transport_host *transport_host_open(struct comm *comm, struct backend *backend,
                                           bool leaders_only)
{
    struct transport_host *host = calloc(1, sizeof *host);
    int *node_of = calloc((size_t)comm->ranks, sizeof *node_of);
    if (!host || !node_of)
        fault(APSP_MEMORY, "no memory for the host transport");
    host->comm = comm;
    host->backend = backend;
    host->leaders_only = leaders_only;
    host->node_of = node_of;
    comm_allgather(comm, &comm->node, sizeof comm->node, node_of);
    open_window(host);
    return host;
}

void transport_host_free(struct transport_host *host)
{
    if (!host)
        return;
    if (host->pinned)
        host->backend->panel->unpin(host->backend, host->parts.window);
    mem_unguard(host->parts.window, host->parts.bytes);
    comm_window_free(host->memory);
    free(host->node_of);
    free(host);
}

static const char *refuse(struct comm *comm, const struct backend_ops *backend,
                          const struct backend_plan *plan)
{
    (void)comm;
    (void)backend;
    (void)plan;
    return NULL;
}

static void *open_all(struct comm *comm, struct backend *backend)
{
    return transport_host_open(comm, backend, false);
}

static void begin(void *state, int owner, int slot, size_t bytes)
{
    transport_host_begin(state, owner, slot, bytes);
}

static bool poll_round(void *state)
{
    return transport_host_poll(state);
}

static void finish(void *state)
{
    transport_host_finish(state);
}

static void free_state(void *state)
{
    transport_host_free(state);
}

const struct transport_ops transport_host = {
    .name = "host",
    .refuse = refuse,
    .need = transport_host_need,
    .open = open_all,
    .begin = begin,
    .poll = poll_round,
    .finish = finish,
    .free = free_state,
};
