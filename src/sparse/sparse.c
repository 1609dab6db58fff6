/*
 * The sparse engine: order, tree, elimination, and rows when they are asked for, with no matrix. Every rank
 * has all panels, which it makes itself; the sources are shared out in groups, by turns.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "rows/convert.h"
#include "sparse/closure.h"
#include "sparse/expand.h"
#include "sparse/front.h"
#include "sparse/order.h"
#include "sparse/prune.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Of ordering, for each vertex and edge; and relaxations a second of a thread, for each value of a row of
 * operands. Both are rough, and measured by bench/sparse. */
#define ORDER_SECONDS 1e-6
#define LANE_RATE     0.8e9

enum { SEED = 1, ALIGN = 64 };

struct lane {
    struct expand *expand;
    struct relax_counts *relaxed;
    struct row_counts *counts;
    char *rows, *given; /* as computed; converted, where that changes anything */
};

struct sparse {
    struct engine base;
    const struct relax_kernels *kernels;
    struct tree tree;
    struct panels panels;
    struct closure closure;
    union value *weight; /* of the edges, reweighted; NULL: they are as they were */
    double ordering, eliminating, closing, exposed;
    size_t parallel;
    struct making {
        bool counts;            /* alone, not rows */
        const uint32_t *source; /* all that are wanted, in the order of the tree: its own list, or this: */
        uint32_t *some;
        size_t sources;
        atomic_size_t next; /* group of this rank */
        struct lane lane[SINK_LANES];
    } making;
};

extern const struct engine_ops engine_sparse;

static size_t groups_of(const struct sparse *sparse, size_t sources)
{
    return (sources + sparse->kernels->nr - 1) / sparse->kernels->nr;
}

/* Rows of this rank, of so many. The last group may be short. */
static size_t share_of(const struct sparse *sparse, size_t sources)
{
    size_t width = sparse->kernels->nr, groups = groups_of(sparse, sources);
    size_t rank = (size_t)sparse->base.task->comm->rank, ranks = (size_t)sparse->base.task->comm->ranks;
    size_t own = groups > rank ? (groups - rank - 1) / ranks + 1 : 0;
    bool last = groups > 0 && (groups - 1) % ranks == rank;
    return own * width - (last ? groups * width - sources : 0);
}

/* The counts of the walk are those of whole distances without potentials. */
static bool counts_do(const struct engine_task *task, const struct rows_wish *wish)
{
    return wish->counts && !task->shifted && !dtype_info[task->output].real;
}

static bool converts(const struct engine_task *task)
{
    return convert_changes(task->dtype, task->output, task->shifted);
}

static size_t stride_of(const struct engine_task *task)
{
    return task->n < SIZE_MAX - ALIGN ? (task->n + ALIGN - 1) / ALIGN * ALIGN : task->n;
}

/* What a lane has beside the walk's own. */
static size_t place_lane(struct lane *lane, const struct sparse *sparse, bool counts, void *base)
{
    const struct engine_task *task = sparse->base.task;
    struct mem_layout layout = {.base = base};
    size_t width = sparse->kernels->nr, values = counts ? 0 : mem_bytes(width, stride_of(task));
    lane->rows = mem_place(&layout, values, dtype_info[task->dtype].bytes);
    lane->given = mem_place(&layout, converts(task) ? values : 0, dtype_info[task->output].bytes);
    lane->relaxed = mem_place(&layout, 1, sizeof *lane->relaxed);
    lane->counts = mem_place(&layout, width, sizeof *lane->counts);
    return layout.bytes;
}

static int lanes_of(const struct engine_task *task, int working)
{
    int lanes = working > 0 ? working : task->threads; /* making rows is work, whoever takes them */
    return lanes < SINK_LANES ? lanes : SINK_LANES;
}

/* Without edges there are only bounds: no tree has less work. */
static void plan_roughly(const struct engine_task *task, struct engine_plan *plan)
{
    double n = (double)task->n, m = (double)task->m;
    plan->setup = ORDER_SECONDS * (n + m);
    plan->row_work = m / 2 > n ? m / 2 : n;
    mem_add(&plan->loading, csr_need(task->n, task->m), pattern_need(task->n, task->m));
}

/* For tests. */
static size_t kappa_of_tests(void)
{
    const char *kappa = getenv("APSP_KAPPA");
    return kappa ? (size_t)strtoull(kappa, NULL, 10) : SIZE_MAX;
}

/* The order is rank 0's, and what the core depends on, so that all have the same tree. */
static int make_tree(struct sparse *sparse, struct apsp_error *error)
{
    const struct engine_task *task = sparse->base.task;
    struct csr turned = {0};
    struct pattern pattern = {0};
    uint32_t *order = mem_alloc(mem_bytes(task->n, sizeof *order));
    struct core_wish wish = {task->sources ? task->sources : task->n, sparse->kernels->nr,
                             (size_t)task->comm->ranks, kappa_of_tests()};
    double begun = clock_seconds();
    if (!order)
        error_set(error, APSP_MEMORY, "no memory for an order of %zu vertices", task->n);
    else if (csr_transpose(&turned, task->csr, error) == APSP_OK &&
             pattern_make(&pattern, task->csr, &turned, error) == APSP_OK && task->comm->rank == 0)
        order_make(order, &pattern, SEED, task->threads, error);
    if (comm_agree(task->comm, error) == APSP_OK) {
        comm_broadcast(task->comm, order, task->n * sizeof *order, 0);
        comm_broadcast(task->comm, &wish, sizeof wish, 0);
        tree_make(&sparse->tree, &pattern, order, &wish, error);
    }
    comm_agree(task->comm, error);
    sparse->ordering = clock_seconds() - begun;
    pattern_free(&pattern);
    csr_free(&turned);
    mem_free(order);
    return error->code;
}

static size_t tree_bytes(const struct tree *tree)
{
    return (tree->nodes + 1) * sizeof *tree->node +
           (tree->node[tree->nodes].boundary + 3 * tree->n) * sizeof(uint32_t);
}

/* While the core is closed, and then panels are pruned, there is its front, but not yet what is made of it.
 */
static size_t core_need(const struct sparse *sparse)
{
    const struct engine_task *task = sparse->base.task;
    size_t size = sparse->tree.core.size, bytes = closure_need(&sparse->closure);
    size_t pruning = panels_prune_need(&sparse->tree, task->dtype, task->threads);
    mem_add(&bytes, bytes > pruning ? bytes : pruning, front_bytes(size, sparse->kernels, task->dtype));
    size_t through = mem_bytes(mem_bytes(size, size), sparse->kernels->a_bytes);
    return bytes > through ? bytes - through : 0;
}

static int plan_exactly(struct sparse *sparse, struct engine_plan *plan, struct apsp_error *error)
{
    const struct engine_task *task = sparse->base.task;
    const struct tree *tree = &sparse->tree;
    struct panels panels = {.tree = tree, .dtype = task->dtype, .kernels = sparse->kernels};
    struct lane lane;
    bool counts = counts_do(task, &task->wish);
    size_t keep, working, each;
    char core[TEXT_SHORT] = "";
    if (!sparse->tree.node && make_tree(sparse, error))
        return error->code;
    if (tree->core.size > 0) {
        if (closure_plan(&sparse->closure, task, tree->core.size, error))
            return error->code;
        plan->steps = sparse->closure.plan.steps;
        plan->step = sparse->closure.plan.step;
    }
    panels_need(&keep, &working, tree, task->dtype, task->threads, error);
    if (tree->core.size > 0)
        working = working > core_need(sparse) ? working : core_need(sparse);
    plan->work = tree->eliminate * task->comm->ranks + sparse->closure.plan.work;
    plan->row_work = tree->expand + tree->label + tree->core.enter;
    plan->host = tree_bytes(tree);
    mem_add(&plan->host, plan->host, keep);
    mem_add(&plan->loading, working, csr_need(task->n, task->m));
    if (task->shifted)
        mem_add(&plan->host, plan->host, mem_bytes(task->m, sizeof *sparse->weight));
    mem_add(&each, expand_need(&panels, !counts), place_lane(&lane, sparse, counts, NULL));
    if (task->wish.any)
        mem_mul(&plan->making, each, (size_t)plan->lanes);
    mem_add(&plan->making, plan->making, mem_bytes(task->n, sizeof(uint32_t)));
    if (tree->core.size > 0)
        snprintf(core, sizeof core, ", core of %zu vertices", tree->core.size);
    snprintf(plan->text, sizeof plan->text, "K %.3g, %zu nodes%s, panels of %.1f MiB",
             (tree->expand + tree->core.enter) / (double)tree->n, tree->nodes, core,
             (double)keep / (1 << 20));
    return comm_agree(task->comm, error);
}

static int sparse_plan(struct engine **engine, const struct engine_task *task, struct engine_plan *plan,
                       struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)*engine;
    const char *transport = task->options->transport;
    if (!order_possible())
        error_set(error, APSP_USAGE, "--method sparse: this program was built without METIS");
    else if (task->options->device == APSP_DEVICE_GPU)
        error_set(error, APSP_USAGE, "--method sparse: works on the CPU alone");
    else if (task->options->tile > 0 || (transport && strcmp(transport, "auto") != 0))
        error_set(error, APSP_USAGE, "--method sparse: has no %s",
                  task->options->tile > 0 ? "tile" : "transport");
    else if (!sparse && !(sparse = calloc(1, sizeof *sparse)))
        error_set(error, APSP_MEMORY, "no memory for the engine");
    if (sparse) {
        sparse->base = (struct engine){&engine_sparse, task};
        sparse->kernels = relax_choose(task->dtype, NULL);
        *engine = &sparse->base;
    }
    if (comm_agree(task->comm, error))
        return error->code;
    *plan = (struct engine_plan){.steps = 1,
                                 .step = "elimination",
                                 .row_step = "expand",
                                 .rate = LANE_RATE * (double)sparse->kernels->nr * task->threads,
                                 .rows = share_of(sparse, task->n),
                                 .lanes = lanes_of(task, task->wish.lanes)};
    snprintf(plan->place, sizeof plan->place, "%zu rows", plan->rows);
    if (task->csr)
        return plan_exactly(sparse, plan, error);
    plan_roughly(task, plan);
    return APSP_OK;
}

/* Edges that go where one before them goes. */
static int count_parallel(struct sparse *sparse, struct apsp_error *error)
{
    const struct csr *csr = sparse->base.task->csr;
    uint32_t *seen = mem_alloc(mem_bytes(csr->n, sizeof *seen)); /* from whose tail, last */
    if (!seen)
        return error_set(error, APSP_MEMORY, "no memory to count %zu edges", csr->m);
    memset(seen, 0xff, csr->n * sizeof *seen);
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            sparse->parallel += seen[csr->to[e]] == u;
            seen[csr->to[e]] = (uint32_t)u;
        }
    mem_free(seen);
    return APSP_OK;
}

static int sparse_load(struct engine *engine, struct edges *edges, struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)engine;
    const struct engine_task *task = engine->task;
    const struct csr *csr = task->csr;
    (void)edges; /* they are all in csr */
    if (task->shifted && !(sparse->weight = mem_alloc(mem_bytes(csr->m, sizeof *sparse->weight))))
        error_set(error, APSP_MEMORY, "no memory for %zu weights", csr->m);
    for (size_t u = 0; sparse->weight && u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            sparse->weight[e] = potential_value(task->potential, u, csr->to[e], csr->weight[e]);
    if (!error->code)
        count_parallel(sparse, error);
    return comm_agree(task->comm, error);
}

static int close_core(struct sparse *sparse, struct progress *progress, struct apsp_error *error)
{
    double begun = clock_seconds();
    if (comm_agree(sparse->base.task->comm, error) == APSP_OK &&
        closure_make(&sparse->closure, &sparse->panels, progress, error) == APSP_OK) {
        sparse->exposed = closure_exposed(&sparse->closure);
        closure_free(&sparse->closure);
        if (panels_prune(&sparse->panels, sparse->base.task->threads, error) == APSP_OK)
            panels_close(&sparse->panels, error);
    }
    sparse->closing = clock_seconds() - begun;
    return error->code;
}

static int sparse_solve(struct engine *engine, struct progress *progress, struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)engine;
    const struct engine_task *task = engine->task;
    struct csr csr = *task->csr, turned;
    const struct panels_edges edges = {&csr, &turned};
    double begun = clock_seconds();
    if (sparse->weight)
        csr.weight = sparse->weight;
    if (csr_transpose(&turned, &csr, error) == APSP_OK)
        panels_make(&sparse->panels, &sparse->tree, &edges, task->dtype, task->threads, error);
    csr_free(&turned);
    mem_free(sparse->weight);
    sparse->weight = NULL;
    sparse->eliminating = clock_seconds() - begun;
    if (sparse->tree.core.size > 0)
        return close_core(sparse, progress, error);
    progress_step(progress, 1);
    return error->code;
}

static void free_making(struct sparse *sparse)
{
    struct making *making = &sparse->making;
    for (int lane = 0; lane < SINK_LANES; lane++) {
        expand_free(making->lane[lane].expand);
        mem_free(making->lane[lane].rows); /* the first of what place_lane places */
    }
    mem_free(making->some);
    *making = (struct making){0};
}

/* By the thread that will use it. */
static bool open_lane(struct sparse *sparse, struct lane *lane, struct apsp_error *error)
{
    if (lane->expand)
        return true;
    bool counts = sparse->making.counts;
    void *memory = mem_alloc(place_lane(lane, sparse, counts, NULL));
    place_lane(lane, sparse, counts, memory);
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory for rows on host %s", sparse->base.task->comm->host),
               false;
    return expand_open(&lane->expand, &sparse->panels, !counts, error) == APSP_OK;
}

/* Of this rank's next group: how many, and where they stand in the list. */
static size_t take_group(struct sparse *sparse, const uint32_t **source)
{
    struct making *making = &sparse->making;
    const struct comm *comm = sparse->base.task->comm;
    size_t width = sparse->kernels->nr;
    size_t group = atomic_fetch_add(&making->next, 1) * (size_t)comm->ranks + (size_t)comm->rank;
    if (group >= groups_of(sparse, making->sources))
        return 0;
    size_t at = group * width, left = making->sources - at;
    *source = making->source + at;
    return left < width ? left : width;
}

static void count_group(struct lane *lane, const uint32_t *source, size_t count)
{
    struct relax_counts *relaxed = lane->relaxed;
    expand_counts(lane->expand, source, count, relaxed);
    for (size_t r = 0; r < count; r++)
        lane->counts[r] = (struct row_counts){relaxed->count[r], relaxed->most[r], relaxed->sum[r]};
}

static const char *make_rows(struct sparse *sparse, struct lane *lane, const uint32_t *source, size_t count)
{
    const struct engine_task *task = sparse->base.task;
    size_t stride = stride_of(task);
    const struct conversion conversion = {task->dtype, task->output, task->n,
                                          task->shifted ? task->potential->h : NULL};
    expand_rows(lane->expand, source, count, lane->rows, stride);
    for (size_t r = 0; r < count && converts(task); r++)
        convert_row(&conversion, source[r], lane->rows + r * stride * dtype_info[task->dtype].bytes,
                    lane->given + r * stride * dtype_info[task->output].bytes);
    return converts(task) ? lane->given : lane->rows;
}

static bool next_block(void *self, int number, struct block *block, struct apsp_error *error)
{
    struct sparse *sparse = self;
    struct lane *lane = &sparse->making.lane[number];
    const struct engine_task *task = sparse->base.task;
    const uint32_t *source;
    size_t count;
    if (!open_lane(sparse, lane, error) || !(count = take_group(sparse, &source)))
        return false;
    *block = (struct block){
        .n = task->n, .count = count, .source = source, .dtype = task->output, .stride = stride_of(task)};
    if (sparse->making.counts) {
        count_group(lane, source, count);
        block->counts = lane->counts;
    } else {
        block->values = make_rows(sparse, lane, source, count);
    }
    return true;
}

static int by_position(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The list in the order of the tree: of positions first, then of their vertices. */
static int order_sources(struct sparse *sparse, const struct rows_wish *wish, struct apsp_error *error)
{
    struct making *making = &sparse->making;
    const struct tree *tree = &sparse->tree;
    making->source = tree->vertex;
    making->sources = tree->n;
    if (!wish->list)
        return APSP_OK;
    making->source = making->some = mem_alloc(mem_bytes(wish->count + 1, sizeof *making->some));
    making->sources = wish->count;
    if (!making->some)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", wish->count);
    for (size_t k = 0; k < wish->count; k++)
        making->some[k] = tree->position[wish->list[k]];
    qsort(making->some, wish->count, sizeof *making->some, by_position);
    for (size_t k = 0; k < wish->count; k++)
        making->some[k] = tree->vertex[making->some[k]];
    return APSP_OK;
}

/* Of a source, on average: what pruning has left of the plan. */
static double row_work(const struct panels *panels)
{
    const struct tree *tree = panels->tree;
    double up = (double)panels->up.node[tree->nodes].up, all = (double)tree->node[tree->nodes].up;
    return (double)panels->down.node[tree->nodes].down + (tree->label + tree->core.enter) * up / all;
}

static int sparse_rows(struct engine *engine, const struct rows_wish *wish, struct rows_maker *maker,
                       struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)engine;
    free_making(sparse);
    sparse->making.counts = counts_do(engine->task, wish);
    if (order_sources(sparse, wish, error))
        return error->code;
    *maker = (struct rows_maker){.self = sparse,
                                 .lanes = lanes_of(engine->task, wish->lanes),
                                 .rows = share_of(sparse, sparse->making.sources),
                                 .work = row_work(&sparse->panels),
                                 .next = next_block};
    return APSP_OK;
}

static void sparse_report(const struct engine *engine, struct engine_report *report)
{
    const struct sparse *sparse = (const struct sparse *)engine;
    *report = (struct engine_report){
        .device = sparse->kernels->name,
        .parallel = sparse->parallel,
        .ahead = sparse->ordering,
        .exposed = sparse->exposed,
        .phases = 3,
        .phase = {{"order", sparse->ordering}, {"eliminate", sparse->eliminating}, {"core", sparse->closing}},
        .facts = 2,
        .fact = {{"nodes", NULL, sparse->tree.nodes}, {"core", NULL, sparse->tree.core.size}}};
}

static void sparse_free(struct engine *engine)
{
    struct sparse *sparse = (struct sparse *)engine;
    if (!sparse)
        return;
    free_making(sparse);
    closure_free(&sparse->closure);
    panels_free(&sparse->panels);
    tree_free(&sparse->tree);
    mem_free(sparse->weight);
    free(sparse);
}

const struct engine_ops engine_sparse = {
    .name = "sparse",
    .wants_edges = true,
    .plan = sparse_plan,
    .load = sparse_load,
    .solve = sparse_solve,
    .rows = sparse_rows,
    .report = sparse_report,
    .free = sparse_free,
};
