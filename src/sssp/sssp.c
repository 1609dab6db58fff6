/*
 * The sssp engine: each row by a search from its source, when it is asked for, with no matrix and
 * no elimination. Sources go in batches: bits where all weights are equal (waves.h), labels where
 * they are not (corrector.h). Every rank has the whole network and takes every so many-th batch.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/setting.h"
#include "engine/engine.h"
#include "engine/groups.h"
#include "kernels/cpu/bits.h"
#include "rows/counted.h"
#include "sssp/depth.h"
#include "sssp/folding.h"
#include "sssp/probe.h"
#include "sssp/searcher.h"
#include "sssp/wanted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of the look at a graph, for each vertex and edge; rough. */
#define LOOK_SECONDS 50e-9

/* Where sources are searched alone: what is then known of the time. */
#define ALONE_RISK 1.5
#define ALONE_ODDS 0.9

/* A launch takes a device these seconds at least where levels are narrow; rough. A level of bits
 * has two of them, a pass of labels one. An H100 took 44e-6 for those of usroads48. */
#define LAUNCH_SECONDS 10e-6

/* Labels take so much less than a model's time at best, but not where levels are narrow. */
#define LABELS_LUCK 8

/* The part of a graph that a search for near vertices sees, where it is unknown; rough. */
#define NEAR_PART 1e-3

struct sssp {
    struct engine base;
    const struct searcher_ops *ops;
    struct searcher *searcher;
    bool looked; /* The rest of these is known, of a task with all edges. */
    bool alone;  /* Each source is searched alone. */
    struct network_weights weights;
    struct network network;
    size_t levels;    /* Levels of a search in a network of equal weights; 0: not known. */
    double seconds;   /* The probe's, of one source and thread; 0: there was none. */
    size_t group;     /* Sources of a batch, on all ranks alike. */
    double preparing; /* Seconds of making the network. */
    struct wanted wanted;
};

extern const struct engine_ops engine_sssp;

static size_t all_sources(const struct engine_task *task)
{
    return task->sources ? task->sources : task->n;
}

/* Only whole distances without potentials are counted while searches are under way. */
static unsigned countable(const struct engine_task *task, const struct rows_request *request)
{
    bool others = request->counts & ~(unsigned)COUNTED;
    return others || task->shifted || dtype_info[task->output].real ? 0 : request->counts;
}

static struct searcher_case sssp_case(const struct sssp *sssp)
{
    const struct engine_task *task = sssp->base.task;
    struct searcher_case its = {.task = task,
                                .weights = &sssp->weights,
                                .sources = all_sources(task),
                                .counts = countable(task, &task->rows_request),
                                .alone = sssp->alone,
                                .on_host = task->rows_request.on_host,
                                .levels = sssp->levels};
    its.counts = searcher_of(&its)->counts(&its);
    return its;
}

/* Batches of equal size, so many that all ranks have the same number of them at any time. */
static size_t find_group(const struct sssp *sssp)
{
    const struct searcher_case its = sssp_case(sssp);
    const size_t width = sssp->ops->width(&its),
                 parallel = sssp->ops->parallel(&its) * (size_t)its.task->comm->ranks,
                 batches = (its.sources + width - 1) / width,
                 rounds = (batches + parallel - 1) / parallel,
                 group = (its.sources + rounds * parallel - 1) / (rounds * parallel);
    return group > 0 ? group : 1;
}

static int lanes_of(const struct sssp *sssp, size_t sources, int working)
{
    const struct searcher_case its = sssp_case(sssp);
    const size_t batches = groups_count(its.task->comm, sources, sssp->group);
    int lanes = sssp->ops->lanes(&its, working, sssp->group);
    lanes = lanes < SINK_LANES ? lanes : SINK_LANES;
    return batches < (size_t)lanes ? (int)(batches > 0 ? batches : 1) : lanes;
}

static void describe(struct engine_plan *plan, const struct sssp *sssp)
{
    const char *kind = sssp->weights.equal ? "bits" : "labels";
    if (sssp->alone)
        snprintf(plan->text, sizeof plan->text, "one source at a time");
    else
        snprintf(plan->text, sizeof plan->text, "%s, %zu sources a batch", kind, sssp->group);
}

/* Fewer sources do not fill a batch. */
static bool is_few(const struct engine_task *task, bool equal)
{
    return all_sources(task) <= (equal ? 16 : 8);
}

/*
 * Where levels are narrow they are many, and cores search alone: labels need too many passes, and a
 * batch of bits takes as long as some hundred searches. Known without a probe, since statistics of
 * bits and of rows may differ in their last bits.
 */
static bool is_deep(const struct sssp *sssp)
{
    enum { SOURCES = 128 };
    const struct engine_task *task = sssp->base.task;
    const struct searcher_case its = sssp_case(sssp);
    return task->narrow.levels && !searcher_of(&its)->attempt &&
           (!sssp->weights.equal || all_sources(task) <= SOURCES);
}

static void free_searcher(struct sssp *sssp)
{
    if (sssp->searcher)
        sssp->searcher->ops->free(sssp->searcher);
    sssp->searcher = NULL;
}

/* On a device the searcher is open from here on. APSP_PROBE=none: sources are searched side by
 * side, for tests and measurements. */
static int make_probe(struct sssp *sssp, struct probe *probe, const struct network *forward,
                      struct apsp_error *error)
{
    const struct searcher_case its = sssp_case(sssp);
    const struct searcher_ops *ops = searcher_of(&its);
    const char *asked = getenv("APSP_PROBE");
    if (asked && strcmp(asked, "none") == 0)
        return APSP_OK;
    if (!ops->attempt)
        return probe_run(probe, &its, ops->rate(&its, its.task->threads), &sssp->network, forward,
                         error);
    return ops->open(&sssp->searcher, its.task, &sssp->network, &sssp->weights, error) ||
                   probe_device(probe, &its, sssp->searcher, forward, error)
               ? error->code
               : APSP_OK;
}

/* The network of sources that are searched alone. Where they are many, a probe tells their time. */
static int make_forward(struct sssp *sssp, struct apsp_error *error)
{
    const struct engine_task *task = sssp->base.task;
    const struct searcher_case its = sssp_case(sssp);
    if (network_forward(&sssp->network, task, &sssp->weights, error) == APSP_OK && task->timed &&
        !is_few(task, sssp->weights.equal))
        probe_alone(&sssp->seconds, &its, &sssp->network, error);
    return error->code;
}

/* Makes the networks that come into question, and leaves the one that is taken. */
static int make_network(struct sssp *sssp, struct apsp_error *error)
{
    const struct engine_task *task = sssp->base.task;
    struct network forward = {0};
    struct probe probe = {0};
    if (sssp->alone)
        return make_forward(sssp, error);
    const bool either = !sssp->weights.equal || task->rows_request.near.asked;
    if (network_make(&sssp->network, task, &sssp->weights, error) == APSP_OK &&
        (!either || network_forward(&forward, task, &sssp->weights, error) == APSP_OK) &&
        (either || task->timed))
        make_probe(sssp, &probe, &forward, error);
    sssp->alone = probe.alone;
    sssp->seconds = probe.seconds;
    if (probe.alone) {
        free_searcher(sssp);
        network_free(&sssp->network);
        sssp->network = forward;
    } else {
        network_free(&forward);
    }
    return error->code;
}

/* Planes of levels take most of the memory where rows are made of them. Few sources do not need
 * much. */
static size_t find_levels(const struct sssp *sssp)
{
    const struct engine_task *task = sssp->base.task;
    const struct searcher_case its = sssp_case(sssp);
    const bool kept = sssp->weights.equal && !sssp->alone && its.counts == 0;
    return kept && task->rows_request.any && its.sources > BITS_LEAST
               ? depth_look(&sssp->network, task->csr)
               : 0;
}

/* Once there are all edges: the weights, the network, and how sources are searched. All ranks
 * search alike. */
static int look(struct sssp *sssp, struct apsp_error *error)
{
    const struct engine_task *task = sssp->base.task;
    const double begun = clock_seconds();
    if (sssp->looked)
        return APSP_OK;
    sssp->weights = network_weights(task);
    sssp->weights.lent =
        is_few(task, sssp->weights.equal) && network_may_lend(task, &sssp->weights);
    sssp->alone = is_few(task, sssp->weights.equal) || is_deep(sssp);
    make_network(sssp, error);
    if (comm_agree(task->comm, error))
        return error->code;
    sssp->seconds = comm_max(task->comm, sssp->seconds);
    if (comm_most(task->comm, sssp->alone) > 0 && !sssp->alone) {
        sssp->alone = true;
        free_searcher(sssp);
        network_free(&sssp->network);
        network_forward(&sssp->network, task, &sssp->weights, error);
    }
    if (comm_agree(task->comm, error))
        return error->code;
    sssp->levels = (size_t)comm_max(task->comm, (double)find_levels(sssp));
    sssp->looked = true;
    sssp->preparing = clock_seconds() - begun;
    return APSP_OK;
}

/* The plan of a task with all its edges, or of one with as many where all weights are equal. */
static int fill_plan(struct sssp *sssp, struct engine_plan *plan, struct apsp_error *error)
{
    const struct engine_task *task = sssp->base.task;
    const struct searcher_case its = sssp_case(sssp);
    struct searcher_need need = {0};
    plan->rows = groups_sources(task->comm, its.sources, sssp->group);
    plan->lanes = lanes_of(sssp, its.sources, task->rows_request.lanes);
    plan->row_work = (double)(task->n + sssp->weights.arcs);
    if (task->rows_request.near.asked && !task->csr)
        plan->row_work *= task->near_part > 0 ? task->near_part : NEAR_PART;
    const int at_once = sssp->ops->attempt ? 1 : plan->lanes; /* of what has been probed */
    plan->row_rate = sssp->seconds > 0 ? plan->row_work * at_once / sssp->seconds
                                       : sssp->ops->rate(&its, plan->lanes);
    mem_add(&plan->host, network_bytes(task, &sssp->weights),
            mem_bytes(task->n, 2 * sizeof(uint32_t)));
    if (sssp->alone && folding_serves(task, &sssp->weights))
        mem_add(&plan->host, plan->host, folding_bytes(task->n, sssp->weights.arcs));
    plan->loading = network_making(task, &sssp->weights);
    if (task->rows_request.any && sssp->ops->need(&need, &its, sssp->group, plan->lanes, error))
        return error->code;
    plan->making = need.host;
    plan->device = need.device;
    engine_place_rows(plan, task);
    describe(plan, sssp);
    return APSP_OK;
}

static int sssp_plan(struct engine **engine, const struct engine_task *task,
                     struct engine_plan *plan, struct apsp_error *error)
{
    struct sssp *sssp = (struct sssp *)*engine;
    const char *transport = task->request->transport;
    if (task->request->tile > 0 || (transport && strcmp(transport, "auto") != 0))
        error_set(error, APSP_USAGE, "%s sssp: has no %s", SETTING(METHOD),
                  task->request->tile > 0 ? "tile" : "transport");
    else if (!sssp && !(sssp = calloc(1, sizeof *sssp)))
        error_set(error, APSP_MEMORY, "no memory for the engine");
    if (sssp) {
        sssp->base = (struct engine){&engine_sssp, task};
        *engine = &sssp->base;
    }
    if (comm_agree(task->comm, error) || (task->csr && look(sssp, error)))
        return error->code;
    if (!task->csr) {
        sssp->weights = (struct network_weights){.arcs = task->m / 2, .equal = !task->uneven};
        sssp->alone = sssp->weights.lent = is_few(task, sssp->weights.equal);
    }
    const struct searcher_case its = sssp_case(sssp);
    sssp->ops = searcher_of(&its);
    sssp->group = (size_t)comm_min(task->comm, (double)find_group(sssp));
    *plan = (struct engine_plan){.bound = !task->csr,
                                 .look = task->csr ? 0 : LOOK_SECONDS * (double)(task->n + task->m),
                                 .risk = ENGINE_RISK,
                                 .odds = ENGINE_ODDS,
                                 .spent = task->csr ? sssp->preparing : 0,
                                 .rate = 1,
                                 .near = true,
                                 .takes_csr = sssp->weights.lent,
                                 .row_step = "search"};
    fill_plan(sssp, plan, error);
    return comm_agree(task->comm, error);
}

/* Arcs a second of a device for a group of sources, at most, where levels are narrow: there are
 * twice as many as lead to half of the vertices. */
static double narrow_rate(const struct sssp *sssp, double row_work)
{
    const double levels = 2 * (double)sssp->base.task->narrow.levels,
                 launches = levels * (sssp->weights.equal ? 2 : 1);
    return row_work * (double)find_group(sssp) / (launches * LAUNCH_SECONDS);
}

/* Single searches take the time of their arcs: that is likely. */
static void sssp_glance(struct engine_plan *plan, const struct engine_task *task)
{
    struct sssp sssp = {.base = {&engine_sssp, task},
                        .weights = {.arcs = task->m, .equal = !task->uneven}};
    const bool near = task->rows_request.near.asked;
    if (near && !(task->narrow.levels && task->near_part > 0))
        return;
    sssp.alone = near || is_few(task, sssp.weights.equal) || is_deep(&sssp);
    const struct searcher_case its = sssp_case(&sssp);
    sssp.ops = searcher_of(&its);
    plan->row_rate = sssp.ops->rate(&its, plan->lanes);
    if (sssp.alone) {
        plan->row_work = (double)(task->n + task->m) * (near ? task->near_part : 1);
        plan->odds = ALONE_ODDS;
        plan->risk = ALONE_RISK;
    } else if (!task->narrow.levels) {
        plan->row_rate *= task->uneven ? LABELS_LUCK : 1;
    } else if (sssp.ops->attempt) {
        plan->row_rate = fmin(plan->row_rate, narrow_rate(&sssp, plan->row_work));
    }
}

static int sssp_load(struct engine *engine, struct edges *edges, struct apsp_error *error)
{
    struct sssp *sssp = (struct sssp *)engine;
    const struct engine_task *task = engine->task;
    (void)edges; /* the network has them */
    if (!sssp->searcher)
        sssp->ops->open(&sssp->searcher, task, &sssp->network, &sssp->weights, error);
    if (sssp->searcher) {
        sssp->searcher->group = sssp->group;
        sssp->searcher->alone = sssp->alone;
    }
    return comm_agree(task->comm, error);
}

static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct sssp *sssp = self;
    return sssp->ops->next(sssp->searcher, lane, block, error);
}

static int sssp_rows(struct engine *engine, const struct rows_request *request,
                     struct rows_maker *maker, struct apsp_error *error)
{
    struct sssp *sssp = (struct sssp *)engine;
    const struct network *network = &sssp->network;
    struct wanted *wanted = &sssp->wanted;
    if (wanted_sources(wanted, network, request, error) ||
        wanted_columns(wanted, network, request, error))
        return error->code;
    *maker = (struct rows_maker){
        .self = sssp,
        .lanes = lanes_of(sssp, wanted->sources, request->lanes),
        .rows = groups_sources(engine->task->comm, wanted->sources, sssp->group),
        .work = (double)(network->n + network->arcs),
        .next = next_block};
    struct searcher_case its = sssp_case(sssp);
    its.counts = countable(engine->task, request);
    const struct searcher_request search = {
        .source = wanted->source,
        .sources = wanted->sources,
        .counts = sssp->ops->counts(&its),
        .histogram = request->histogram,
        .column = request->column ? wanted->column : network->number,
        .vertex = wanted->vertex,
        .columns = request->column ? request->columns : network->n,
        .near = request->near,
        .on_host = request->on_host,
        .lanes = maker->lanes};
    return sssp->ops->start(sssp->searcher, &search, error);
}

static void sssp_report(const struct engine *engine, struct engine_report *report)
{
    const struct sssp *sssp = (const struct sssp *)engine;
    *report = (struct engine_report){.device = sssp->ops->describe(sssp->searcher),
                                     .on_cores = sssp->ops == &searcher_cpu,
                                     .parallel = sssp->network.parallel,
                                     .ahead = sssp->preparing,
                                     .phases = 1,
                                     .phase = {{"prepare", sssp->preparing}},
                                     .facts = 2,
                                     .fact = {{"search",
                                               sssp->alone           ? "alone"
                                               : sssp->weights.equal ? "bits"
                                                                     : "labels",
                                               0},
                                              {"batch", NULL, sssp->group}}};
}

static void sssp_free(struct engine *engine)
{
    struct sssp *sssp = (struct sssp *)engine;
    if (!sssp)
        return;
    free_searcher(sssp);
    network_free(&sssp->network);
    wanted_free(&sssp->wanted);
    free(sssp);
}

const struct engine_ops engine_sssp = {
    .name = "sssp",
    .on_device = true,
    .wants_edges = true,
    .unit = "edges/s",
    .relaxations = 10,
    .plan = sssp_plan,
    .glance = sssp_glance,
    .load = sssp_load,
    .rows = sssp_rows,
    .report = sssp_report,
    .free = sssp_free,
};
