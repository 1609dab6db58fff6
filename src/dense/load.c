#include "dense/load.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/stop.h"
#include "dense/strip.h"

#include <math.h>
#include <stdlib.h>

/* Edges that a rank takes between two exchanges, and of lists that every rank has at a time. */
enum { CHUNK = SIZE_OF(1 << 17, 64), LISTED = SIZE_OF(256, 9) };
_Static_assert((int)LISTED <= EDGES_BATCH && EDGES_BATCH <= (int)CHUNK,
               "they have room where those of a batch have it");

struct load {
    struct edges *source;
    const struct csr *csr;              /* all edges, in place of the source; or NULL */
    const struct engine_matrix *matrix; /* the same */
    bool real;                          /* the weights are */
    const struct potential *potential;
    struct comm *comm;
    struct backend *backend;
    struct load_result *result;
    void *memory;
    struct edge *edges,
        *routed; /* CHUNK each: as they are to be, and by owner; alone there is no owner to find */
    int *counts; /* per rank */
    union value *row; /* of the matrix */
    struct edge *received;
    size_t room;
};

static size_t lay_out(struct load *load, char *base, const struct comm *comm)
{
    struct mem_layout layout = {.base = base};
    bool alone = comm->ranks == 1 || load->matrix;
    load->row = mem_place(&layout, load->matrix ? load->backend->plan.n : 0, sizeof *load->row);
    load->edges = mem_place(&layout, alone ? EDGES_BATCH : CHUNK, sizeof *load->edges);
    load->routed = mem_place(&layout, alone ? 0 : CHUNK, sizeof *load->routed);
    load->counts = mem_place(&layout, alone ? 0 : (size_t)comm->ranks, sizeof *load->counts);
    return layout.bytes;
}

size_t load_need(const struct comm *comm)
{
    struct load load = {0};
    size_t received =
        comm->ranks == 1 ? 0 : CHUNK * sizeof(struct edge); /* as many as were sent, about */
    return lay_out(&load, NULL, comm) + received;
}

/* The weight as the backend is to have it. */
static union value fit_weight(const struct load *load, const struct edge *edge)
{
    union value weight = edge->weight;
    bool real = dtype_info[load->backend->plan.dtype].real;
    if (real && !load->real)
        weight.real = (double)weight.whole;
    if (load->potential)
        weight = potential_value(load->potential, edge->from, edge->to, weight);
    if (real)
        weight.real += 0.0; /* makes -0.0 into 0 */
    return weight;
}

/* Adds the edges to the `kept` ones, without loops and with their weights fitted; returns how many
 * there are.
 */
static size_t sift(struct load *load, size_t kept, const struct edge *list, size_t count)
{
    for (size_t e = 0; e < count; e++)
        if (list[e].from != list[e].to)
            load->edges[kept++] =
                (struct edge){list[e].from, list[e].to, fit_weight(load, &list[e])};
    return kept;
}

static int owner_of(const struct load *load, const struct edge *edge)
{
    return strip_owner(load->backend->plan.n, load->comm->ranks, edge->from);
}

/* Counting sort by owner. */
static void route(struct load *load, size_t count)
{
    int ranks = load->comm->ranks;
    size_t at = 0;
    for (int r = 0; r < ranks; r++)
        load->counts[r] = 0;
    for (size_t i = 0; i < count; i++)
        load->counts[owner_of(load, &load->edges[i])]++;
    for (int r = 0; r < ranks; r++) {
        size_t length = (size_t)load->counts[r];
        load->counts[r] = (int)at;
        at += length;
    }
    for (size_t i = 0; i < count; i++)
        load->routed[load->counts[owner_of(load, &load->edges[i])]++] = load->edges[i];
    for (int r = ranks - 1; r > 0; r--) /* ends back to counts */
        load->counts[r] -= load->counts[r - 1];
}

static void build(struct load *load, const struct edge *edges, size_t count)
{
    double start = clock_seconds();
    load->backend->strip->build(load->backend, edges, count, &load->result->parallel);
    load->result->seconds += clock_seconds() - start;
}

/* Hands every rank its own of up to CHUNK edges of this one's. *more: this part has not ended. */
static int load_chunk(struct load *load, bool *more, struct apsp_error *error)
{
    const struct edge *list = NULL;
    size_t kept = 0, count = 0;
    while (*more && !error->code && kept + EDGES_BATCH <= CHUNK) {
        edges_next(load->source, &list, &count, error);
        *more = count > 0 && !error->code;
        kept = sift(load, kept, list, *more ? count : 0);
    }
    route(load, error->code ? 0 : kept);
    size_t received = comm_exchange(load->comm, load->routed, load->counts, sizeof *load->routed,
                                    (void **)&load->received, &load->room);
    if (received == SIZE_MAX)
        return error_set(error, APSP_MEMORY, "no memory to receive edges on %s", load->comm->host);
    if (!error->code)
        build(load, load->received, received);
    return error->code;
}

static void load_among(struct load *load, struct apsp_error *error)
{
    enum { DONE, MORE, FAILED };
    bool more = true;
    size_t state;
    edges_begin(load->source);
    do {
        load_chunk(load, &more, error);
        state = comm_most(load->comm, error->code ? FAILED : more ? MORE : DONE);
    } while (state == MORE);
}

/* Edges on their way from lists that every rank has. */
struct batch {
    size_t count;
    struct edge edge[LISTED];
};

static void flush(struct load *load, struct batch *batch)
{
    build(load, load->edges, sift(load, 0, batch->edge, batch->count));
    batch->count = 0;
}

static void put(struct load *load, struct batch *batch, size_t from, size_t to, union value weight)
{
    batch->edge[batch->count++] = (struct edge){(uint32_t)from, (uint32_t)to, weight};
    if (batch->count == LISTED)
        flush(load, batch);
}

/* Every rank has all edges, and takes those of its rows. */
static void load_rows(struct load *load)
{
    const struct csr *csr = load->csr;
    struct range rows = load->backend->plan.rows;
    struct batch batch = {0};
    for (size_t u = rows.lo; u < rows.hi && !stop_wanted(); u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            put(load, &batch, u, csr->to[e], csr->weight[e]);
    flush(load, &batch);
}

/* The same, of a matrix. */
static void load_matrix(struct load *load)
{
    const struct backend_plan *plan = &load->backend->plan;
    struct batch batch = {0};
    for (size_t u = plan->rows.lo; u < plan->rows.hi && !stop_wanted(); u++) {
        load->matrix->row(load->matrix->self, u, load->row);
        for (size_t v = 0; v < plan->n; v++)
            if (load->real ? load->row[v].real < (double)INFINITY : load->row[v].whole < INF_I64)
                put(load, &batch, u, v, load->row[v]);
    }
    flush(load, &batch);
}

static void load_alone(struct load *load, struct apsp_error *error)
{
    edges_begin(load->source);
    const struct edge *list;
    size_t count;
    while (edges_next(load->source, &list, &count, error) == APSP_OK && count > 0)
        build(load, load->edges, sift(load, 0, list, count));
}

int load_edges(struct load_result *result, const struct engine_task *task, struct edges *edges,
               struct backend *backend, struct apsp_error *error)
{
    const struct csr *csr = task->csr;
    struct load load = {.source = edges,
                        .csr = csr,
                        .matrix = task->matrix,
                        .real = task->matrix ? dtype_info[task->dtype].real
                                : csr        ? csr->real
                                             : edges->graph->real,
                        .potential = task->potential,
                        .comm = task->comm,
                        .backend = backend,
                        .result = result};
    *result = (struct load_result){0};
    load.memory = mem_alloc(lay_out(&load, NULL, load.comm));
    lay_out(&load, load.memory, load.comm);
    if (!load.memory)
        error_set(error, APSP_MEMORY, "no memory to load edges on %s", load.comm->host);
    if (comm_agree(load.comm, error) == APSP_OK) {
        if (load.matrix)
            load_matrix(&load);
        else if (csr)
            load_rows(&load);
        else
            (load.comm->ranks == 1 ? load_alone : load_among)(&load, error);
        if (comm_agree(load.comm, error) == APSP_OK) {
            double start = clock_seconds();
            backend->strip->build_done(backend, &result->parallel);
            result->seconds += clock_seconds() - start;
            result->parallel = comm_sum(load.comm, result->parallel);
        }
    }
    free(load.received);
    mem_free(load.memory);
    return error->code;
}
