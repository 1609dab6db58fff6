#include "dense/load.h"

#include "base/clock.h"
#include "base/dtype.h"
#include "base/mem.h"
#include <stdlib.h>

enum { CHUNK = 1 << 17 }; /* edges that a rank reads between two exchanges */

struct load {
    const struct graph *graph;
    const struct potential *potential;
    struct comm *comm;
    struct backend *backend;
    struct edges *source;
    struct edge *edges, *routed; /* CHUNK each: as read, and by owner */
    int *counts;                 /* per rank */
    struct edge *received;
    size_t room;
    size_t parallel;
    double build_seconds;
};

size_t load_need(void)
{
    return 3 * CHUNK * sizeof(struct edge);
}

/* The weight as the backend is to have it. */
static void fit_weight(const struct load *load, struct edge *edge)
{
    const struct potential *potential = load->potential;
    bool real = dtype_info[load->backend->plan.dtype].real;
    if (real && !load->graph->real)
        edge->weight.real = (double)edge->weight.whole;
    if (potential->h && !potential->real)
        edge->weight.whole = potential_whole(potential, edge->from, edge->to, edge->weight.whole);
    else if (potential->h)
        edge->weight.real = potential_real(potential, edge->from, edge->to, edge->weight.real);
    else if (real)
        edge->weight.real += 0.0; /* makes -0.0 into 0 */
}

/* Drops loops, fits weights, counts the edges of each owner; compacts edges[] and returns how many are left.
 */
static size_t sift(struct load *load, size_t count)
{
    size_t kept = 0;
    for (int r = 0; r < load->comm->ranks; r++)
        load->counts[r] = 0;
    for (size_t i = 0; i < count; i++) {
        struct edge edge = load->edges[i];
        if (edge.from == edge.to)
            continue;
        fit_weight(load, &edge);
        load->counts[strip_owner(load->graph->n, load->comm->ranks, edge.from)]++;
        load->edges[kept++] = edge;
    }
    return kept;
}

/* Counting sort by owner. */
static void route(struct load *load, size_t count)
{
    int ranks = load->comm->ranks;
    size_t at = 0;
    for (int r = 0; r < ranks; r++) {
        size_t length = (size_t)load->counts[r];
        load->counts[r] = (int)at;
        at += length;
    }
    for (size_t i = 0; i < count; i++)
        load->routed[load->counts[strip_owner(load->graph->n, ranks, load->edges[i].from)]++] =
            load->edges[i];
    for (int r = ranks - 1; r > 0; r--) /* ends back to counts */
        load->counts[r] -= load->counts[r - 1];
}

/* Reads up to CHUNK edges and hands every rank its own. *more: this part has not ended. */
static int load_chunk(struct load *load, bool *more, struct apsp_error *error)
{
    size_t count = 0, got = *more;
    const struct edge *list;
    while (!error->code && got > 0 && count + EDGES_BATCH <= CHUNK) {
        edges_next(load->source, &list, &got, error);
        for (size_t e = 0; e < got; e++)
            load->edges[count++] = list[e];
    }
    *more = count > 0 && !error->code;
    route(load, sift(load, error->code ? 0 : count));
    size_t received = comm_exchange(load->comm, load->routed, load->counts, sizeof *load->routed,
                                    (void **)&load->received, &load->room);
    if (received == SIZE_MAX)
        return error_set(error, APSP_MEMORY, "no memory to receive edges on %s", load->comm->host);
    double start = clock_seconds();
    if (!error->code)
        load->backend->ops->build(load->backend, load->received, received, &load->parallel);
    load->build_seconds += clock_seconds() - start;
    return error->code;
}

static int load_all(struct load *load, struct apsp_error *error)
{
    enum { DONE, MORE, FAILED };
    bool more = true;
    size_t state;
    do {
        load_chunk(load, &more, error);
        state = comm_most(load->comm, error->code ? FAILED : more ? MORE : DONE);
    } while (state == MORE);
    return comm_agree(load->comm, error);
}

static int open_load(struct load *load, struct apsp_error *error)
{
    edges_begin(load->source);
    load->edges = mem_alloc(CHUNK * sizeof *load->edges);
    load->routed = mem_alloc(CHUNK * sizeof *load->routed);
    load->counts = calloc((size_t)load->comm->ranks, sizeof *load->counts);
    if (!load->edges || !load->routed || !load->counts)
        error_set(error, APSP_MEMORY, "no memory to read %s on %s", load->graph->path, load->comm->host);
    return comm_agree(load->comm, error);
}

static void close_load(struct load *load)
{
    free(load->received);
    free(load->counts);
    mem_free(load->routed);
    mem_free(load->edges);
}

int load_edges(struct edges *edges, const struct potential *potential, struct comm *comm,
               struct backend *backend, size_t *parallel, double *build_seconds, struct apsp_error *error)
{
    struct load load = {
        .graph = edges->graph, .source = edges, .potential = potential, .comm = comm, .backend = backend};
    if (open_load(&load, error) == APSP_OK && load_all(&load, error) == APSP_OK) {
        double start = clock_seconds();
        backend->ops->build_done(backend, &load.parallel);
        *build_seconds = load.build_seconds + clock_seconds() - start;
        *parallel = comm_sum(comm, load.parallel);
    }
    close_load(&load);
    return error->code;
}
