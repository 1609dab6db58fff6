/*
 * The sparse engine: order, tree, elimination, and rows when they are asked for, with no matrix.
 * Every rank has all panels, which it makes itself, and gives them to an expander on its device.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/setting.h"
#include "engine/engine.h"
#include "engine/groups.h"
#include "sparse/closure.h"
#include "sparse/expander.h"
#include "sparse/front.h"
#include "sparse/order.h"
#include "sparse/order_file.h"
#include "sparse/ordering.h"
#include "sparse/prune.h"
#include "sparse/rough.h"

#include <stdlib.h>
#include <string.h>

/* Rows by halves take this part of the work of whole ones, measured on roads and grids. */
#define HALF_WORK 0.7

struct sparse {
    struct engine base;
    const struct expander_ops *ops;
    struct expander *expander;
    size_t group; /* sources of one, on all ranks */
    struct tree tree;
    bool mutual; /* Distances are the same both ways, and rows may be counted by halves. */
    struct expander_shape shape; /* of the request that the task will make */
    size_t neighbours;           /* of all vertices, in the pattern */
    void *kept; /* the content of a file of the order, or of a checkpoint; of rank 0 */
    struct panels panels;
    struct closure closure;
    union value *weight; /* of the edges, reweighted; NULL: they are as they were */
    double ordering, eliminating, closing, exposed;
    size_t parallel;
    double filling; /* seconds of giving the panels to the expander */
};

extern const struct engine_ops engine_sparse;

static size_t all_sources(const struct engine_task *task)
{
    return task->sources ? task->sources : task->n;
}

static int lanes_of(const struct sparse *sparse, unsigned counts, int working, size_t sources)
{
    const struct engine_task *task = sparse->base.task;
    return sparse->ops->lanes(task, counts, working,
                              groups_count(task->comm, sources, sparse->group));
}

/* That of the checkpoint's core, or for tests; SIZE_MAX: to be chosen. */
static size_t find_kappa(const struct engine_task *task)
{
    const char *kappa = getenv("APSP_KAPPA");
    if (checkpoint_core_kappa(task->checkpoint) < SIZE_MAX)
        return checkpoint_core_kappa(task->checkpoint);
    return kappa ? (size_t)strtoull(kappa, NULL, 10) : SIZE_MAX;
}

/* The order is rank 0's, and what the core depends on, so that all have the same tree. */
static int make_tree(struct sparse *sparse, struct apsp_error *error)
{
    const struct engine_task *task = sparse->base.task;
    struct pattern pattern = {0};
    uint32_t *order = mem_alloc(mem_bytes(task->n, sizeof *order));
    struct core_request request = {all_sources(task), sparse->group, (size_t)task->comm->ranks,
                                   find_kappa(task), sparse->ops->cost(task)};
    double begun = clock_seconds();
    if (!order)
        error_set(error, APSP_MEMORY, "no memory for an order of %zu vertices", task->n);
    else
        pattern_make(&pattern, task->csr, task->threads, error);
    mem_trim(); /* edges, as they were read */
    /* All ranks have their patterns, so none allocates while rank 0 forks. A child cannot take a
     * lock of the address sanitizer's allocator that another thread holds. */
    if (comm_agree(task->comm, error) == APSP_OK && task->comm->rank == 0)
        ordering_find(order, &sparse->kept, task, &pattern, error);
    if (comm_agree(task->comm, error) == APSP_OK) {
        sparse->neighbours = pattern.start[task->n];
        comm_broadcast(task->comm, order, task->n * sizeof *order, 0);
        comm_broadcast(task->comm, &request, sizeof request, 0);
        tree_make(&sparse->tree, &pattern, order, &request, task->threads, error);
    }
    comm_agree(task->comm, error);
    sparse->ordering = clock_seconds() - begun;
    pattern_free(&pattern);
    mem_free(order);
    mem_trim();
    return error->code;
}

/* The core is closed, then panels are pruned, then the operand is made of it. */
static size_t core_need(const struct sparse *sparse, const struct panels_need *panels)
{
    const struct engine_task *task = sparse->base.task;
    size_t bytes = size_max(closure_need(&sparse->closure),
                            panels_prune_need(&sparse->tree, task->dtype, task->threads));
    mem_add(&bytes, size_max(bytes, panels->through), panels->ways);
    mem_add(&bytes, bytes,
            front_bytes(sparse->tree.core.size, relax_choose(task->dtype, NULL), task->dtype));
    return bytes;
}

/* Panels while solving, and what that takes beside them: elimination has the edges reversed, too.
 */
static size_t solving_need(const struct sparse *sparse, const struct panels_need *panels)
{
    const struct engine_task *task = sparse->base.task;
    size_t bytes;
    mem_add(&bytes, panels->making, csr_need(task->n, task->m));
    if (task->shifted)
        mem_add(&bytes, bytes, mem_bytes(task->m, sizeof *sparse->weight));
    return sparse->tree.core.size > 0 ? size_max(bytes, core_need(sparse, panels)) : bytes;
}

/* What there is at some time, beyond what there is all the time. */
static size_t beyond(size_t bytes, size_t always)
{
    return bytes > always ? bytes - always : 0;
}

/* The work of all ranks: the dense solve, and the pairs that every rank hands over for it. */
static double closing_work(const struct sparse *sparse)
{
    const struct engine_task *task = sparse->base.task;
    double size = (double)sparse->tree.core.size;
    return sparse->closure.plan.work +
           sparse->ops->cost(task).pair * size * size * task->comm->ranks;
}

static void describe(struct engine_plan *plan, const struct sparse *sparse, size_t panels)
{
    const struct tree *tree = &sparse->tree;
    char core[TEXT_SHORT] = "";
    if (tree->core.size > 0)
        snprintf(core, sizeof core, ", dense core of %zu vertices", tree->core.size);
    plain_print(plan->text, sizeof plan->text,
                "mean front width %.3g, %zu supernodes%s, panels of %.1f MiB%s",
                (tree->expand + tree->core.enter + tree->core.own) / (double)tree->n, tree->nodes,
                core, (double)panels / (1 << 20),
                ordering_is_read(sparse->base.task) ? ", order read" : "");
}

/* Whether the rows of the task are counted by halves. */
static bool has_halves(const struct sparse *sparse)
{
    const struct engine_task *task = sparse->base.task;
    return sparse->mutual && expander_halves(task, &task->rows_request);
}

/* Relaxations of one source on its way down, to the columns that are wanted. */
static int descending_work(double *work, const struct sparse *sparse, struct apsp_error *error)
{
    const struct rows_request *request = &sparse->base.task->rows_request;
    const struct tree *tree = &sparse->tree;
    struct cut cut = {0};
    *work = tree->expand;
    if (request->column && sparse->ops->cuts &&
        cut_make(&cut, tree, tree->node, request->column, request->columns, error) == APSP_OK)
        *work = cut.work;
    else if (has_halves(sparse))
        *work *= HALF_WORK;
    cut_free(&cut);
    return error->code;
}

static int plan_exactly(struct sparse *sparse, struct engine_plan *plan, struct apsp_error *error)
{
    const struct engine_task *task = sparse->base.task;
    const struct tree *tree = &sparse->tree;
    struct expander_need need = {0};
    struct panels_need panels = {0};
    size_t keep, always;
    if (!sparse->tree.node && make_tree(sparse, error))
        return error->code;
    if (tree->core.size > 0) {
        if (closure_plan(&sparse->closure, task, tree->core.size, error))
            return error->code;
        plan->steps = sparse->closure.plan.steps;
        plan->step = sparse->closure.plan.step;
    }
    panels_need(&panels, tree, task->dtype, task->threads, error);
    sparse->mutual = expander_mutual(task, panels.ways, plan->lanes);
    sparse->shape = (struct expander_shape){plan->lanes, has_halves(sparse)};
    if (error->code == APSP_OK)
        sparse->ops->need(&need, task, tree, &sparse->shape, error);
    mem_add(&keep, panels.ways, panels.through);
    plan->spent = sparse->ordering;
    const double eliminate = tree->eliminate * task->comm->ranks, closing = closing_work(sparse);
    plan->work = eliminate + closing;
    if (closing > 0) /* a rate of both together */
        plan->rate = plan->work / (eliminate / plan->rate + closing / sparse->closure.plan.rate);
    descending_work(&plan->row_work, sparse, error);
    plan->row_work += tree->label + tree->core.enter + tree->core.own;
    always = mem_bytes(tree->core.size > 0 ? 3 : 1, tree_bytes(tree)); /* pruned ones, too */
    mem_add(&always, always, sparse->kept ? order_file_bytes(task->n) : 0);
    mem_add(&always, always, task->kept_bytes);
    mem_add(&always, always, need.host);
    mem_add(&plan->host, always, keep);
    mem_add(&plan->device, need.device, sparse->closure.plan.device);
    plan->loading = beyond(ordering_need(task, sparse->neighbours, tree), plan->host);
    plan->solving = beyond(solving_need(sparse, &panels), keep);
    mem_add(&plan->making, need.making, mem_bytes(task->n, sizeof(uint32_t)));
    describe(plan, sparse, keep);
    return comm_agree(task->comm, error);
}

static int sparse_plan(struct engine **engine, const struct engine_task *task,
                       struct engine_plan *plan, struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)*engine;
    const char *transport = task->request->transport;
    if (!order_possible() && !task->request->order && task->request->held_bytes == 0)
        error_set(error, APSP_USAGE,
                  "%s sparse: this program was built without METIS, and needs %s", SETTING(METHOD),
                  SETTING(ORDER));
    else if (task->request->tile > 0 || (transport && strcmp(transport, "auto") != 0))
        error_set(error, APSP_USAGE, "%s sparse: has no %s", SETTING(METHOD),
                  task->request->tile > 0 ? "tile" : "transport");
    else if (!sparse && !(sparse = calloc(1, sizeof *sparse)))
        error_set(error, APSP_MEMORY, "no memory for the engine");
    if (sparse) {
        sparse->base = (struct engine){&engine_sparse, task};
        sparse->ops = expander_of(task->device->ops);
        *engine = &sparse->base;
    }
    if (comm_agree(task->comm, error))
        return error->code;
    sparse->group = (size_t)comm_min(task->comm, (double)sparse->ops->width(task->dtype));
    *plan =
        (struct engine_plan){.steps = 1,
                             .step = "elimination",
                             .row_step = "expand",
                             .rate = expander_cpu.rate(task), /* of elimination */
                             .row_rate = sparse->ops->rate(task),
                             .rows = groups_sources(task->comm, all_sources(task), sparse->group),
                             .lanes = lanes_of(sparse, expander_counts(task, &task->rows_request),
                                               task->rows_request.lanes, all_sources(task))};
    engine_place_rows(plan, task);
    if (task->csr)
        return plan_exactly(sparse, plan, error);
    rough_plan(plan, task);
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
    if (!error->code && count_parallel(sparse, error) == APSP_OK)
        sparse->ops->open(&sparse->expander, task, &sparse->tree, &sparse->shape, error);
    if (sparse->expander)
        sparse->expander->group = sparse->group;
    return comm_agree(task->comm, error);
}

/* Its distances: those of a checkpoint, or made, and then for the next one. */
static int make_core(struct sparse *sparse, struct progress *progress, struct apsp_error *error)
{
    struct checkpoint *checkpoint = sparse->base.task->checkpoint;
    double begun = clock_seconds();
    if (comm_agree(sparse->base.task->comm, error))
        return error->code;
    bool loaded = closure_load(&sparse->closure, &sparse->panels, checkpoint, error);
    if (!loaded && !error->code &&
        closure_make(&sparse->closure, &sparse->panels, progress, error) == APSP_OK)
        sparse->exposed = closure_exposed(&sparse->closure);
    sparse->closing = clock_seconds() - begun;
    if (!loaded && !error->code)
        closure_save(&sparse->closure, &sparse->panels, checkpoint, sparse->closing);
    return error->code;
}

static int close_core(struct sparse *sparse, struct progress *progress, struct apsp_error *error)
{
    if (make_core(sparse, progress, error))
        return error->code;
    double begun = clock_seconds();
    closure_free(&sparse->closure);
    panels_prune(&sparse->panels, sparse->base.task->threads, error);
    sparse->closing += clock_seconds() - begun;
    return error->code;
}

static int sparse_solve(struct engine *engine, struct progress *progress, struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)engine;
    const struct engine_task *task = engine->task;
    struct csr csr = *task->csr, transposed;
    const struct panels_edges edges = {&csr, &transposed};
    double begun = clock_seconds();
    if (sparse->weight)
        csr.weight = sparse->weight;
    if (csr_transpose(&transposed, &csr, error) == APSP_OK)
        panels_make(&sparse->panels, &sparse->tree, &edges, task->dtype, task->threads, error);
    csr_free(&transposed);
    mem_free(sparse->weight);
    sparse->weight = NULL;
    sparse->eliminating = clock_seconds() - begun;
    if (sparse->tree.core.size > 0)
        close_core(sparse, progress, error);
    else
        progress_step(progress, 1);
    begun = clock_seconds();
    if (error->code == APSP_OK)
        sparse->ops->fill(sparse->expander, &sparse->panels, error);
    *(sparse->ops == &expander_cpu ? &sparse->closing : &sparse->filling) +=
        clock_seconds() - begun;
    return error->code;
}

static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct sparse *sparse = self;
    return sparse->ops->next(sparse->expander, lane, block, error);
}

static void end_lane(void *self, int lane)
{
    struct sparse *sparse = self;
    sparse->ops->end(sparse->expander, lane);
}

static int sparse_rows(struct engine *engine, const struct rows_request *request,
                       struct rows_maker *maker, struct apsp_error *error)
{
    struct sparse *sparse = (struct sparse *)engine;
    const struct tree *tree = &sparse->tree;
    struct panels_work work = panels_work(&sparse->panels);
    struct expander_request own = {.counts = expander_counts(engine->task, request),
                                   .histogram = request->histogram,
                                   .halves =
                                       sparse->mutual && expander_halves(engine->task, request),
                                   .half = request->half,
                                   .sides = expander_sides(engine->task, request),
                                   .beside = request->beside,
                                   .on_host = request->on_host,
                                   .places = request->places};
    expander_request_free(&sparse->expander->request);
    if (expander_sources(&own, sparse->expander, tree, request, error) == APSP_OK &&
        request->column && sparse->ops->cuts &&
        cut_make(&own.cut, tree, sparse->panels.down.node, request->column, request->columns,
                 error) == APSP_OK)
        work.expand = own.cut.work;
    if (error->code) {
        expander_request_free(&own);
        return error->code;
    }
    own.lanes = lanes_of(sparse, own.counts, request->lanes, own.sources);
    *maker =
        (struct rows_maker){.self = sparse,
                            .lanes = own.lanes,
                            .rows = groups_sources(engine->task->comm, own.sources, sparse->group),
                            .work = work.expand * (own.halves ? HALF_WORK : 1) + work.label,
                            .next = next_block,
                            .end = sparse->ops->end ? end_lane : NULL};
    return expander_start(sparse->expander, &own, error);
}

static void sparse_report(const struct engine *engine, struct engine_report *report)
{
    const struct sparse *sparse = (const struct sparse *)engine;
    const struct engine_task *task = engine->task;
    *report =
        (struct engine_report){.device = sparse->ops->describe(sparse->expander),
                               .parallel = sparse->parallel,
                               .ahead = sparse->ordering,
                               .exposed = sparse->exposed,
                               .phases = 4,
                               .phase = {{"order", sparse->ordering},
                                         {"eliminate", sparse->eliminating},
                                         {"core", sparse->tree.core.size ? sparse->closing : 0},
                                         {"upload", sparse->filling}},
                               .facts = 3,
                               .fact = {{"supernodes", NULL, sparse->tree.nodes},
                                        {"core", NULL, sparse->tree.core.size},
                                        {"order", ordering_is_read(task) ? "read" : "made", 0}},
                               .kept = sparse->kept,
                               .kept_bytes = sparse->kept ? order_file_bytes(task->n) : 0};
}

static void sparse_free(struct engine *engine)
{
    struct sparse *sparse = (struct sparse *)engine;
    if (!sparse)
        return;
    expander_free(sparse->expander);
    closure_free(&sparse->closure);
    panels_free(&sparse->panels);
    tree_free(&sparse->tree);
    mem_free(sparse->kept);
    mem_free(sparse->weight);
    free(sparse);
}

const struct engine_ops engine_sparse = {
    .name = "sparse",
    .on_device = true,
    .wants_edges = true,
    .for_narrow = true,
    .unit = "relaxations/s",
    .relaxations = 1,
    .has_order = true,
    .order = ordering_make,
    .plan = sparse_plan,
    .glance = rough_glance,
    .load = sparse_load,
    .solve = sparse_solve,
    .rows = sparse_rows,
    .report = sparse_report,
    .free = sparse_free,
};
