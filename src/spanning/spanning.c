/*
 * The engine of undirected graphs whose keys combine by the maximum: a minimum spanning tree gives
 * each row in O(n).
 *
 * Prim's algorithm attaches vertices one by one, each by the least edge that leads out of those
 * that are there. Vertex number j of this order is attached by an edge of key a(j); the first
 * vertex of a component has a(j) = infinity. The best path between number i and number j > i has
 * the key max a(i + 1) .. a(j), for which M stands:
 *
 *   - No path is better. Let M = a(t). The vertices before number t contain i and not j, and no
 * edge out of them is lighter than a(t).
 *   - Some path has M. Take the component of i in the graph of all edges up to M. Prim's algorithm
 *     leaves no such component before all of its vertices are there, because an edge out of it is
 *     heavier than M and some edge inside is not. The edges a(i + 1) .. a(j) are no heavier than M,
 *     so number j is in the component of i.
 *
 * So a row is two running maxima along the order, away from its source. (R. Prim, Shortest
 * connection networks and some generalizations, Bell System Technical Journal 36, 1957; T. Hu, The
 * maximum capacity route problem, Operations Research 9, 1961.)
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/setting.h"
#include "base/typed.h"
#include "engine/engine.h"
#include "engine/groups.h"
#include "proof/heap.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern const struct engine_ops engine_spanning;

enum { GROUP = 16 }; /* rows of a block */
/* Seconds of the look for each vertex and edge, and values of rows a second and thread, about. */
#define LOOK_SECONDS 6e-8
#define VALUES_RATE  6e8

struct spanning {
    struct engine base;
    bool looked;      /* The order is there. */
    double seconds;   /* of the look */
    uint32_t *vertex; /* Vertices in Prim's order, */
    uint32_t *number; /* and their numbers there. */
    int64_t *key;     /* The keys by which they are attached; floating-point keys by their bits. */
    void *gap;        /* The same in the type of the rows. */
    uint32_t *source; /* The sources of all ranks. */
    size_t sources;
    atomic_size_t next; /* The next group of this rank. */
    void *rows[SINK_LANES];
};

static size_t tree_place(struct spanning *spanning, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    spanning->vertex = mem_place(&layout, n, sizeof *spanning->vertex);
    spanning->number = mem_place(&layout, n, sizeof *spanning->number);
    spanning->key = mem_place(&layout, n, sizeof *spanning->key);
    spanning->gap = mem_place(&layout, n, sizeof(union value));
    spanning->source = mem_place(&layout, n, sizeof *spanning->source);
    return layout.bytes;
}

/* The edges of one vertex by their other ends: the least key of each, if `mark` is at its end. */
struct ends {
    size_t *mark;
    int64_t *key;
};

static size_t ends_place(struct ends ends[2], struct heap *heap, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    for (int side = 0; side < 2; side++) {
        ends[side].mark = mem_place(&layout, n, sizeof *ends[side].mark);
        ends[side].key = mem_place(&layout, n, sizeof *ends[side].key);
    }
    heap_place(heap, &layout, n);
    return layout.bytes;
}

static void take_ends(const struct ends *ends, const struct csr *csr, size_t u)
{
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const size_t v = csr->to[e];
        const int64_t key = csr->weight[e].whole;
        if (ends->mark[v] != u + 1 || key < ends->key[v])
            ends->key[v] = key;
        ends->mark[v] = u + 1;
    }
}

static bool has_ends(const struct ends ends[2], const struct csr *csr, size_t u)
{
    bool same = true;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const size_t v = csr->to[e];
        same &= ends[0].mark[v] == u + 1 && ends[1].mark[v] == u + 1 &&
                ends[0].key[v] == ends[1].key[v];
    }
    return same;
}

/* Whether every edge leads back with the same key; of parallel edges the least counts. */
static bool is_undirected(const struct ends ends[2], const struct csr *csr,
                          const struct csr *transposed)
{
    bool same = true;
    for (size_t u = 0; same && u < csr->n; u++) {
        take_ends(&ends[0], csr, u);
        take_ends(&ends[1], transposed, u);
        same = has_ends(ends, csr, u) && has_ends(ends, transposed, u);
    }
    return same;
}

static void attach(struct spanning *spanning, const struct csr *csr, struct heap *heap,
                   size_t *count, struct heap_entry entry)
{
    const size_t u = entry.vertex;
    spanning->vertex[*count] = entry.vertex;
    spanning->number[u] = (uint32_t)*count;
    spanning->key[(*count)++] = entry.key;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const uint32_t v = csr->to[e];
        if (spanning->number[v] == UINT32_MAX)
            heap_lower(heap, v, csr->weight[e].whole);
    }
}

static void make_order(struct spanning *spanning, const struct csr *csr, struct heap *heap)
{
    size_t count = 0;
    memset(spanning->number, 0xff, csr->n * sizeof *spanning->number);
    for (size_t root = 0; root < csr->n; root++) {
        if (spanning->number[root] != UINT32_MAX)
            continue;
        attach(spanning, csr, heap, &count, (struct heap_entry){INT64_MAX, (uint32_t)root});
        while (heap->count > 0)
            attach(spanning, csr, heap, &count, heap_take(heap));
    }
}

#define GAPS(name, T, FIELD, UNREACHABLE)                                                          \
    for (size_t i = 0; i < n; i++) {                                                               \
        const union value key = {.whole = spanning->key[i]};                                       \
        ((T *)spanning->gap)[i] = key.whole == INT64_MAX ? (UNREACHABLE)                           \
                                  : real                 ? (T)key.real                             \
                                                         : (T)key.whole;                                           \
    }

static void make_gaps(struct spanning *spanning, bool real)
{
    const size_t n = spanning->base.task->n;
    TYPED_CASE(spanning->base.task->output, GAPS)
}

/* The order, once all edges are there. Ends in agreement: ranks have the same edges. */
static int look(struct spanning *spanning, struct apsp_error *error)
{
    const struct engine_task *task = spanning->base.task;
    const struct csr *csr = task->csr;
    const double begun = clock_seconds();
    struct ends ends[2];
    struct heap heap = {0};
    struct csr transposed = {0};
    void *memory = mem_alloc(tree_place(spanning, csr->n, NULL)),
         *room = mem_alloc(ends_place(ends, &heap, csr->n, NULL));
    tree_place(spanning, csr->n, memory);
    ends_place(ends, &heap, csr->n, room);
    if (!memory || !room)
        error_set(error, APSP_MEMORY, "no memory for a spanning tree of %zu vertices", csr->n);
    else if (csr_transpose(&transposed, csr, error) == APSP_OK &&
             !is_undirected(ends, csr, &transposed))
        error_set(error, APSP_INPUT, "%s spanning: the graph is directed; %s adds reverse edges",
                  SETTING(METHOD), SETTING(UNDIRECTED));
    if (!error->code) {
        make_order(spanning, csr, &heap);
        make_gaps(spanning, csr->real);
        spanning->looked = true;
    }
    csr_free(&transposed);
    mem_free(room);
    spanning->seconds = comm_max(task->comm, clock_seconds() - begun);
    return comm_agree(task->comm, error);
}

static size_t row_bytes(const struct engine_task *task)
{
    return mem_bytes(task->n, dtype_info[task->output].bytes);
}

static int lanes_of(const struct spanning *spanning, size_t sources, int working)
{
    const struct engine_task *task = spanning->base.task;
    const size_t groups = groups_count(task->comm, sources, GROUP);
    int lanes = working > 0 ? working : task->threads;
    lanes = lanes < SINK_LANES ? lanes : SINK_LANES;
    return groups < (size_t)lanes ? (int)(groups > 0 ? groups : 1) : lanes;
}

static int spanning_plan(struct engine **engine, const struct engine_task *task,
                         struct engine_plan *plan, struct apsp_error *error)
{
    struct spanning *spanning = (struct spanning *)*engine;
    const size_t sources = task->sources ? task->sources : task->n;
    struct ends ends[2];
    struct heap heap = {0};
    if (!spanning && !(spanning = calloc(1, sizeof *spanning)))
        error_set(error, APSP_MEMORY, "no memory for the engine");
    if (comm_agree(task->comm, error)) {
        if (!*engine)
            free(spanning);
        return error->code;
    }
    *engine = &spanning->base;
    spanning->base = (struct engine){&engine_spanning, task};
    if (task->csr && !spanning->looked && look(spanning, error))
        return error->code;
    *plan = (struct engine_plan){.bound = !task->csr,
                                 .look = task->csr ? 0 : LOOK_SECONDS * (double)(task->n + task->m),
                                 .risk = 2,
                                 .odds = 0.9, /* The graph is directed where it is wrong. */
                                 .spent = spanning->seconds,
                                 .row_work = (double)task->n,
                                 .row_step = "row",
                                 .lanes = lanes_of(spanning, sources, task->rows_request.lanes),
                                 .rows = groups_sources(task->comm, sources, GROUP),
                                 .text = "minimum spanning tree"};
    plan->rate = plan->row_rate = VALUES_RATE * plan->lanes;
    plan->host = tree_place(&(struct spanning){0}, task->n, NULL);
    mem_add(&plan->loading, ends_place(ends, &heap, task->n, NULL), csr_need(task->n, task->m));
    plan->making = mem_bytes(mem_bytes((size_t)plan->lanes, GROUP), row_bytes(task));
    engine_place_rows(plan, task);
    return APSP_OK;
}

static int spanning_load(struct engine *engine, struct edges *edges, struct apsp_error *error)
{
    (void)edges; /* the order has been made of them */
    return comm_agree(engine->task->comm, error);
}

/* Two running maxima, away from number `at`. */
#define FILL(name, T, FIELD, UNREACHABLE)                                                          \
    {                                                                                              \
        const T *gap = spanning->gap;                                                              \
        T *to = row, most = 0;                                                                     \
        to[vertex[at]] = 0;                                                                        \
        for (size_t i = at + 1; i < n; i++)                                                        \
            to[vertex[i]] = most = most > gap[i] ? most : gap[i];                                  \
        most = 0;                                                                                  \
        for (size_t i = at; i-- > 0;)                                                              \
            to[vertex[i]] = most = most > gap[i + 1] ? most : gap[i + 1];                          \
    }

static void fill_row(const struct spanning *spanning, size_t source, void *row)
{
    const size_t n = spanning->base.task->n, at = spanning->number[source];
    const uint32_t *vertex = spanning->vertex;
    TYPED_CASE(spanning->base.task->output, FILL)
}

static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct spanning *spanning = self;
    const struct engine_task *task = spanning->base.task;
    const size_t bytes = row_bytes(task);
    size_t first, count = groups_at(task->comm, spanning->sources, GROUP,
                                    atomic_fetch_add(&spanning->next, 1), &first);
    if (count == 0)
        return false;
    if (!spanning->rows[lane] && !(spanning->rows[lane] = mem_alloc(mem_bytes(GROUP, bytes))))
        return error_set(error, APSP_MEMORY, "no memory for rows on %s", task->comm->host), false;
    *block = (struct block){.n = task->n,
                            .count = count,
                            .source = spanning->source + first,
                            .dtype = task->output,
                            .values = spanning->rows[lane],
                            .stride = task->n};
    for (size_t k = 0; k < count; k++)
        fill_row(spanning, block->source[k], (char *)spanning->rows[lane] + k * bytes);
    return true;
}

static int spanning_rows(struct engine *engine, const struct rows_request *request,
                         struct rows_maker *maker, struct apsp_error *error)
{
    struct spanning *spanning = (struct spanning *)engine;
    spanning->sources = request->list ? request->count : engine->task->n;
    for (size_t k = 0; k < spanning->sources; k++)
        spanning->source[k] = (uint32_t)(request->list ? request->list[k] : k);
    atomic_store(&spanning->next, 0);
    *maker =
        (struct rows_maker){.self = spanning,
                            .lanes = lanes_of(spanning, spanning->sources, request->lanes),
                            .rows = groups_sources(engine->task->comm, spanning->sources, GROUP),
                            .work = (double)engine->task->n,
                            .next = next_block};
    return error->code;
}

static void spanning_report(const struct engine *engine, struct engine_report *report)
{
    const struct spanning *spanning = (const struct spanning *)engine;
    *report = (struct engine_report){.device = "a running maximum",
                                     .on_cores = true,
                                     .ahead = spanning->seconds,
                                     .phases = 1,
                                     .phase = {{"tree", spanning->seconds}}};
}

static void spanning_free(struct engine *engine)
{
    struct spanning *spanning = (struct spanning *)engine;
    for (int lane = 0; spanning && lane < SINK_LANES; lane++)
        mem_free(spanning->rows[lane]);
    if (spanning)
        mem_free(spanning->vertex); /* the first of what is placed */
    free(spanning);
}

const struct engine_ops engine_spanning = {.name = "spanning",
                                           .maxima = true,
                                           .wants_edges = true,
                                           .unit = "values/s",
                                           .relaxations = 4,
                                           .plan = spanning_plan,
                                           .load = spanning_load,
                                           .rows = spanning_rows,
                                           .report = spanning_report,
                                           .free = spanning_free};
