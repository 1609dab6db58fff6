#include "rows/betweenness.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/setting.h"
#include "base/stop.h"
#include "comm/comm.h"
#include "rows/batches.h"
#include "rows/brandes_device.h"
#include "rows/choose.h"
#include "rows/deep.h"
#include "rows/tight_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lane {
    struct tight *tight;
    struct deep *deep;
    struct brandes *brandes;
    void *row;                    /* What a search without rows tells, as a row. */
    uint32_t source[PATHS_WIDTH]; /* Sources that wait for others, */
    size_t waiting;               /* so many. */
};

struct betweenness {
    struct arcs arcs;
    struct tight_task task;
    struct tight_rows rows;
    unsigned char *target;
    bool searched; /* No rows are needed. */
    int64_t unit;  /* The length of every edge if the type is an integer, */
    double real;   /* and if it is floating point. */
    struct brandes_graph graph;
    int gpu;
    struct brandes_device *device; /* NULL: cores search. */
    struct lane *lane[SINK_LANES];
    struct batches batches;
    size_t *sums; /* All sums, of vertices and then of arcs: coarse and fine parts. */
    double *values;
};

struct betweenness_plan betweenness_plan_of(const struct sink_task *task, int lanes)
{
    return (struct betweenness_plan){
        .certificate = task->certificate, .dtype = task->dtype, .gpu = task->gpu, .lanes = lanes};
}

static size_t searched_need(size_t n, size_t m, const struct betweenness_plan *plan)
{
    const size_t lane = brandes_is_shallow(plan->certificate.edges)
                            ? brandes_need(n, m, plan->between.edges)
                            : deep_need(n, m, plan->between.edges);
    size_t bytes = mem_bytes(lane, (size_t)plan->lanes);
    mem_add(&bytes, bytes, brandes_graph_need(n, m, plan->between.edges));
    return bytes;
}

/* Searches side by side take 600 bytes a vertex and worker: larger graphs have rows. */
bool betweenness_has_no_rows(const struct betweenness_plan *plan)
{
    enum { VERTICES = 1 << 22 };
    const struct csr *edges = plan->certificate.edges;
    return edges && !plan->between.stress && !plan->between.load && csr_is_equal(edges) &&
           (edges->n <= VERTICES || !brandes_is_shallow(edges));
}

size_t betweenness_need(size_t n, size_t m, const struct betweenness_plan *plan)
{
    const enum dtype dtype = plan->dtype;
    const size_t sums = mem_bytes(n, 3 * sizeof(double)),
                 arcs = plan->between.edges ? mem_bytes(m, 2 * sizeof(double)) : 0;
    size_t work =
               betweenness_has_no_rows(plan)
                   ? searched_need(n, m, plan)
                   : mem_bytes(tight_need(n, m, dtype, plan->between.edges), (size_t)plan->lanes),
           making = arcs_making(n, m), bytes;
    mem_add(&bytes, arcs_need(n, m, tight_measure(dtype)), sizeof(struct betweenness));
    mem_add(&bytes, bytes, sums);
    mem_add(&bytes, bytes, arcs);
    if (betweenness_on_device(plan)) /* lists on their way there */
        mem_add(&work, work, mem_bytes(n + m, 2 * sizeof(int64_t)));
    mem_add(&bytes, bytes, size_max(work, making));
    return bytes;
}

/* Its parts that need no edges. */
static struct tight_task task_of(const struct betweenness_plan *plan)
{
    return (struct tight_task){.dtype = plan->dtype,
                               .measure = tight_measure(plan->dtype),
                               .edges = plan->between.edges,
                               .load = plan->between.load,
                               .path = plan->between.stress ? 1 : 0};
}

bool betweenness_on_device(const struct betweenness_plan *plan)
{
    const struct tight_task task = task_of(plan);
    return plan->gpu > 0 && tight_rows_on_device(&task);
}

size_t betweenness_device_need(size_t n, size_t m, const struct betweenness_plan *plan, size_t rows)
{
    const struct tight_task task = task_of(plan);
    return betweenness_on_device(plan) ? tight_device()->need(n, m, &task, rows, plan->lanes) : 0;
}

/* Paths have at most so many arcs, where all are of one length. */
static size_t most_levels(const struct betweenness *betweenness)
{
    const struct tight_task *task = &betweenness->task;
    if (!task->limited)
        return SIZE_MAX;
    if (!dtype_info[task->dtype].real)
        return (size_t)(task->within.whole / betweenness->unit);
    const double levels = floor(task->within.real / betweenness->real * (1 + 0x1p-50));
    return levels < 0x1p62 ? (size_t)levels : SIZE_MAX;
}

static int make_searched(struct betweenness *betweenness, bool deep, struct apsp_error *error)
{
    const struct arcs *arcs = &betweenness->arcs;
    betweenness->searched = arcs->m > 0;
    if (!betweenness->searched)
        return APSP_OK;
    betweenness->unit = arcs_length(arcs, betweenness->task.measure, 0).whole;
    betweenness->real = arcs_length(arcs, betweenness->task.measure, 0).real;
    const struct brandes_paths paths = {.target = betweenness->target,
                                        .levels = most_levels(betweenness),
                                        .ends = betweenness->task.ends,
                                        .edges = betweenness->task.edges};
    return brandes_graph_make(&betweenness->graph, arcs, deep, &paths, error);
}

static int mark_targets(struct betweenness *betweenness, const struct betweenness_plan *plan,
                        struct apsp_error *error)
{
    if (!plan->target)
        return APSP_OK;
    betweenness->task.target = betweenness->target = calloc(plan->certificate.edges->n, 1);
    if (!betweenness->target)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    for (size_t k = 0; k < plan->targets; k++)
        betweenness->target[plan->target[k]] = 1;
    return APSP_OK;
}

int betweenness_new(struct betweenness **out, const struct betweenness_plan *plan,
                    struct apsp_error *error)
{
    *out = NULL;
    struct betweenness *betweenness = calloc(1, sizeof *betweenness);
    if (!betweenness)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    betweenness->gpu = plan->gpu;
    struct tight_task *task = &betweenness->task;
    betweenness->rows.task = task;
    if (tight_task_make(task, &betweenness->arcs, &plan->certificate, plan->dtype,
                        SETTING_BETWEENNESS, error) == APSP_OK)
        mark_targets(betweenness, plan, error);
    task->limited = plan->between.limited;
    task->within = choose_most(plan->dtype, plan->certificate.scale, plan->between.within);
    task->ends = plan->between.ends;
    task->edges = plan->between.edges;
    task->load = plan->between.load;
    if (plan->between.stress) /* the last digit of sums */
        task->path = 1 / task->fixed.fine_factor;
    if (!error->code && betweenness_has_no_rows(plan))
        make_searched(betweenness, !brandes_is_shallow(plan->certificate.edges), error);
    if (error->code)
        betweenness_free(betweenness);
    else
        *out = betweenness;
    return error->code;
}

static void lane_free(struct lane *lane)
{
    if (!lane)
        return;
    tight_free(lane->tight);
    deep_free(lane->deep);
    brandes_free(lane->brandes);
    mem_free(lane->row);
    free(lane);
}

void betweenness_free(struct betweenness *betweenness)
{
    if (!betweenness)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        lane_free(betweenness->lane[i]);
    if (betweenness->device)
        brandes_device()->free(betweenness->device);
    tight_rows_free(&betweenness->rows);
    arcs_free(&betweenness->arcs);
    brandes_graph_free(&betweenness->graph);
    free(betweenness->target);
    batches_free(&betweenness->batches);
    mem_free(betweenness->sums);
    mem_free(betweenness->values);
    free(betweenness);
}

static int open_lane(struct betweenness *betweenness, int number, struct apsp_error *error)
{
    if (betweenness->lane[number])
        return APSP_OK;
    struct lane *lane = betweenness->lane[number] = calloc(1, sizeof *lane);
    if (!lane)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    if (betweenness->graph.deep)
        deep_open(&lane->deep, &betweenness->graph, error);
    return error->code;
}

/* The row of a search, in its type. */
static void put_row(const struct betweenness *betweenness, const int64_t *levels, void *row)
{
    const enum dtype dtype = betweenness->task.dtype;
    for (size_t v = 0; v < betweenness->arcs.n; v++) {
        const int64_t whole =
            levels[v] < 0 ? dtype_info[dtype].unreachable : levels[v] * betweenness->unit;
        if (dtype == DTYPE_U16)
            ((uint16_t *)row)[v] = (uint16_t)whole;
        else if (dtype == DTYPE_I32)
            ((int32_t *)row)[v] = (int32_t)whole;
        else if (dtype == DTYPE_I64)
            ((int64_t *)row)[v] = whole;
        else
            ((double *)row)[v] = levels[v] < 0 ? INFINITY : (double)levels[v] * betweenness->real;
    }
}

/* The sources of a batch whose numbers of paths are beyond its kernels: one by one, by their
 * rows. */
static int take_rows(struct betweenness *betweenness, struct lane *lane, size_t count,
                     struct apsp_error *error)
{
    const size_t n = betweenness->arcs.n;
    if (!lane->row)
        lane->row = mem_alloc(mem_bytes(n, 2 * sizeof(int64_t)));
    if (!lane->row)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    if (!lane->tight && tight_open(&lane->tight, &betweenness->task, error))
        return error->code;
    int64_t *levels = lane->row;
    for (size_t i = 0; i < count && !error->code; i++) {
        brandes_row(lane->brandes, i, levels);
        put_row(betweenness, levels, levels + n);
        tight_take(&betweenness->task, lane->tight, lane->source[i], levels + n, error);
    }
    return error->code;
}

/* The device has as many workers as the maker of its blocks. */
static bool is_taken_by_device(struct betweenness *betweenness, int number, size_t count,
                               struct apsp_error *error)
{
    struct brandes_device *device = betweenness->device;
    return device && number < brandes_device()->lanes(device) &&
           brandes_device()->take(device, number, betweenness->lane[number]->source, count, error);
}

static int take_batch(struct betweenness *betweenness, int number, struct apsp_error *error)
{
    struct lane *lane = betweenness->lane[number];
    const size_t count = lane->waiting;
    lane->waiting = 0;
    if (count == 0 || is_taken_by_device(betweenness, number, count, error) || error->code)
        return error->code;
    if (!lane->brandes && brandes_open(&lane->brandes, &betweenness->graph, error))
        return error->code;
    if (!brandes_take(lane->brandes, lane->source, count, error))
        take_rows(betweenness, lane, count, error);
    return error->code;
}

int betweenness_take(struct betweenness *betweenness, int number, const struct block *block,
                     struct apsp_error *error)
{
    if (open_lane(betweenness, number, error))
        return error->code;
    struct lane *lane = betweenness->lane[number];
    if (!betweenness->searched)
        return tight_rows_take(&betweenness->rows, number, &lane->tight, block, error);
    for (size_t k = 0; k < block->count && !error->code; k++) {
        const size_t s = block_source(block, k);
        if (lane->deep) {
            deep_take(lane->deep, (uint32_t)s);
            stop_check(error);
        } else {
            lane->source[lane->waiting++] = (uint32_t)s;
            if (lane->waiting == PATHS_WIDTH)
                take_batch(betweenness, number, error);
        }
    }
    return error->code;
}

/* For so many sources. Returns the workers that can take blocks at once; without a device, as many
 * as cores can. */
static int open_device(struct betweenness *betweenness, size_t sources, int cores)
{
    const struct brandes_device_ops *ops = brandes_device();
    const size_t batches = (sources + PATHS_WIDTH - 1) / PATHS_WIDTH;
    if (ops && betweenness->gpu > 0 && !betweenness->graph.deep && batches > 0 &&
        !betweenness->device)
        betweenness->device = ops->open(&betweenness->graph, betweenness->gpu - 1, batches);
    return betweenness->device ? ops->lanes(betweenness->device) : cores;
}

int betweenness_maker(struct betweenness *betweenness, struct comm *comm, const size_t *list,
                      size_t count, struct rows_maker *maker, struct apsp_error *error)
{
    const struct brandes_graph *graph = &betweenness->graph;
    const struct batches_list sources = {graph->rank, graph->n, list, count,
                                         graph->deep ? maker->lanes : 0};
    if (!betweenness->searched || batches_make(&betweenness->batches, comm, &sources, error))
        return error->code;
    const size_t rows = batches_rows(&betweenness->batches);
    *maker = (struct rows_maker){.self = &betweenness->batches,
                                 .lanes = open_device(betweenness, rows, maker->lanes),
                                 .rows = rows,
                                 .next = batches_next};
    return APSP_OK;
}

/* Sums become parts of others, at their places there; NULL: the same ones. */
static void move_sums(struct fixed_sum *to, struct fixed_sum *from, size_t count,
                      const uint32_t *vertex, const size_t *arc)
{
    for (size_t k = 0; from && k < count; k++) {
        struct fixed_sum *at = to + (vertex ? vertex[k] : arc ? arc[k] : k);
        at->coarse += from[k].coarse;
        at->fine += from[k].fine;
        from[k] = (struct fixed_sum){0};
    }
}

/* Sums of one worker to those of all. */
static void add_lane(struct betweenness *betweenness, const struct lane *lane)
{
    const struct brandes_graph *graph = &betweenness->graph;
    const size_t n = betweenness->arcs.n, m = betweenness->arcs.m;
    struct fixed_sum *vertex = (struct fixed_sum *)betweenness->sums, *arc = vertex + n;
    if (lane->tight) {
        move_sums(vertex, lane->tight->sum, n, NULL, NULL);
        move_sums(arc, lane->tight->arc, m, NULL, NULL);
    }
    if (lane->deep) {
        move_sums(vertex, lane->deep->sum, n, graph->vertex, NULL);
        move_sums(arc, lane->deep->arc, m, NULL, graph->arc);
    }
    if (lane->brandes) {
        move_sums(vertex, lane->brandes->state.sum, n, graph->vertex, NULL);
        move_sums(arc, lane->brandes->state.arc, m, NULL, graph->arc);
    }
}

/* Sources that have waited in vain for others meet in new batches. */
static void take_waiting(struct betweenness *betweenness, struct apsp_error *error)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < SINK_LANES; i++) {
        struct lane *lane = betweenness->lane[i];
        struct apsp_error own = {0};
        if (lane && lane->waiting > 0 && take_batch(betweenness, i, &own)) {
#pragma omp critical(betweenness)
            *error = own;
        }
    }
}

size_t *betweenness_sums(struct betweenness *betweenness, size_t *words, struct apsp_error *error)
{
    const size_t n = betweenness->arcs.n, m = betweenness->task.edges ? betweenness->arcs.m : 0;
    *words = 2 * (n + m);
    if (!betweenness->sums)
        betweenness->sums = mem_alloc(mem_bytes(n + m, sizeof(struct fixed_sum)));
    struct fixed_sum *vertex = (struct fixed_sum *)betweenness->sums;
    if (!vertex) {
        error_set(error, APSP_MEMORY, "no memory for the betweenness");
        return NULL;
    }
    if (tight_rows_end(&betweenness->rows, vertex, vertex + n, error) == APSP_OK)
        take_waiting(betweenness, error);
    for (int i = 0; i < SINK_LANES; i++)
        if (betweenness->lane[i])
            add_lane(betweenness, betweenness->lane[i]);
    if (betweenness->device && !error->code)
        brandes_device()->end(betweenness->device, vertex, vertex + n, error);
    return error->code ? NULL : betweenness->sums;
}

double *betweenness_merge(struct betweenness *betweenness, struct comm *comm,
                          struct apsp_error *error)
{
    const double share = betweenness->arcs.directed ? 1 : 0.5, path = betweenness->task.path,
                 unit = path > 0 ? share / path : share;
    size_t words, *sums = betweenness_sums(betweenness, &words, error);
    betweenness->values = mem_alloc(mem_bytes(words / 2, sizeof *betweenness->values));
    if (!betweenness->values)
        error_set(error, APSP_MEMORY, "no memory for the betweenness");
    if (comm_agree(comm, error))
        return NULL;
    comm_sum_all(comm, sums, words);
    for (size_t k = 0; k < words / 2; k++)
        betweenness->values[k] =
            unit * fixed_value(&betweenness->task.fixed, ((const struct fixed_sum *)sums)[k]);
    return betweenness->values;
}

struct apsp_edge_value *betweenness_edges(const struct betweenness *betweenness, size_t *count,
                                          struct apsp_error *error)
{
    const struct arcs *arcs = &betweenness->arcs;
    return arcs_list(arcs, betweenness->values + arcs->n, count, error);
}

bool betweenness_is_directed(const struct betweenness *betweenness)
{
    return betweenness->arcs.directed;
}

double betweenness_share(const struct betweenness *betweenness, bool edge)
{
    const double n = (double)betweenness->arcs.n,
                 pairs = edge || betweenness->task.ends ? n * (n - 1) : (n - 1) * (n - 2);
    return pairs > 0 ? (betweenness->arcs.directed ? 1 : 2) / pairs : 0;
}
