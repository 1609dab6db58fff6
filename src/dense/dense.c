/*
 * The dense engine: the whole matrix in strips of rows, one per rank, and the rounds of the blocked
 * Floyd-Warshall algorithm over them (rounds.c).
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/setting.h"
#include "base/size.h"
#include "base/stop.h"
#include "dense/check.h"
#include "dense/load.h"
#include "dense/rounds.h"
#include "dense/schedule.h"
#include "dense/state.h"
#include "dense/strip.h"
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Rows are handed out by about so many bytes; where they are only passed on, by as many workers as
 * keep both a device's copies and a file busy. */
enum { CHUNK = SIZE_OF(16 << 20, 1 << 12), PASSING_LANES = 4, BLOCKS_OF_LANE = 8 };

/* The rows on their way out. */
struct making {
    struct range rows;  /* to make; places in the list where there is one */
    size_t *list;       /* A copy of those of this rank. */
    bool on_host;       /* not in the device's memory alone */
    size_t step;        /* rows of a block, at most */
    atomic_size_t next; /* of `rows` */
    void *buffer[BACKEND_LANES];
};

extern const struct engine_ops engine_dense;

struct dense {
    struct engine base;
    const struct backend_ops *ops;
    const struct transport_ops *moving; /* how pivot rows travel; NULL with one rank */
    struct backend_plan plan;
    struct schedule schedule;
    struct schedule left; /* of its rounds, what is to be done */
    void *state;          /* by way of which checkpoints go; NULL: there is no need */
    struct backend *backend;
    struct transport transport;
    double opening; /* seconds */
    struct load_result loaded;
    struct rounds_times times;
    struct making making;
};

static bool copies(const struct dense *dense)
{
    return dense->ops->strip->fetch_copies(&dense->plan);
}

/* File systems let one writer into a file at a time, so rows that are passed on without a copy go
 * through one worker. If the CPU itself converts rows, there are no more workers than threads. */
static int lanes_of(const struct dense *dense, int working)
{
    int threads = dense->plan.threads;
    if (!copies(dense))
        return working > 0 ? working : 1;
    if (working == 0)
        return dense->ops->panel->on_host && threads < PASSING_LANES ? threads : PASSING_LANES;
    return working < BACKEND_LANES ? working : BACKEND_LANES;
}

/* Rows of a block, so that every worker gets some, and one that works on them several blocks. */
static size_t step_of(const struct dense *dense, const struct rows_request *request)
{
    const int working = request->lanes;
    const struct backend_plan *plan = &dense->plan;
    size_t step = CHUNK / dtype_info[plan->output].bytes / plan->n, rows = range_length(plan->rows);
    size_t blocks = (size_t)lanes_of(dense, working) * (working > 0 ? BLOCKS_OF_LANE : 1);
    size_t share = (rows + blocks - 1) / blocks;
    step = step < share ? step : share;
    if (request->on_device && step > dense->ops->strip->fetch_rows(plan))
        step = dense->ops->strip->fetch_rows(plan);
    return step > 0 ? step : 1;
}

static size_t buffer_bytes(const struct dense *dense, size_t step)
{
    size_t bytes;
    mem_mul(&bytes, step * dtype_info[dense->plan.output].bytes, dense->plan.n);
    return bytes;
}

static void settle_plan(struct dense *dense, const struct engine_task *task)
{
    struct backend_plan *plan = &dense->plan;
    *plan = (struct backend_plan){.n = task->n,
                                  .rows = strip_rows(task->n, task->comm->ranks, task->comm->rank),
                                  .tile = task->request->tile,
                                  .dtype = task->dtype,
                                  .combine = task->combine,
                                  .output = task->output,
                                  .shifted = task->shifted,
                                  .threads = task->threads,
                                  .ranks = task->comm->ranks,
                                  .device = task->device->number,
                                  .sums = task->request->paranoid};
    if (plan->tile == 0)
        plan->tile = dense->ops->strip->tile(plan->n, plan->ranks, plan->dtype);
    if (plan->tile > plan->n)
        plan->tile = plan->n;
    plan->lanes = lanes_of(dense, task->rows_request.lanes);
}

static void fill_plan(const struct dense *dense, const struct engine_task *task,
                      struct engine_plan *plan)
{
    const struct backend_plan *own = &dense->plan;
    struct backend_need need = dense->ops->strip->need(own);
    double n = (double)task->n, left = n - (double)checkpoint_eliminated(task->checkpoint);
    *plan = (struct engine_plan){.work = n * n * left,
                                 .steps = schedule_rounds(task->n, task->comm->ranks, own->tile),
                                 .step = "round",
                                 .host = need.host,
                                 .device = need.device,
                                 .loading = load_need(task->comm),
                                 .rows = range_length(own->rows),
                                 .lanes = own->lanes};
    mem_add(&plan->host, plan->host, transport_need(dense->moving, task->comm, own));
    if (task->checkpoint)
        mem_add(&plan->host, plan->host, state_need(dense->ops, own));
    if (copies(dense) && task->rows_request.any)
        mem_mul(&plan->making, buffer_bytes(dense, step_of(dense, &task->rows_request)),
                (size_t)own->lanes);
    if (task->rows_request.any) /* A list of rows. */
        mem_add(&plan->making, plan->making, mem_bytes(plan->rows, sizeof(size_t)));
    plan->rate = dense->ops->strip->rate(own, task->timed);
    snprintf(plan->text, sizeof plan->text, "%zu round%s, tile %zu, transport %s", plan->steps,
             plan->steps == 1 ? "" : "s", own->tile, dense->moving ? dense->moving->name : "none");
    if (range_length(own->rows) > 0)
        snprintf(plan->place, sizeof plan->place, "rows %zu to %zu", own->rows.lo,
                 own->rows.hi - 1);
    else
        snprintf(plan->place, sizeof plan->place, "no rows");
}

/* How the pivot rows will travel is settled with the first plan: it does not depend on the type. */
static int open_engine(struct engine **engine, const struct engine_task *task,
                       struct apsp_error *error)
{
    const struct request *request = task->request;
    struct dense *dense = calloc(1, sizeof *dense);
    if (!dense)
        error_set(error, APSP_MEMORY, "no memory for the dense engine on %s", task->comm->host);
    if (comm_agree(task->comm, error)) {
        free(dense);
        return error->code;
    }
    *engine = &dense->base;
    dense->base = (struct engine){&engine_dense, task};
    dense->ops = backend_of(task->device->ops);
    size_t most = dense->ops->strip->tile_max;
    if (most > 0 && request->tile > most)
        error_set(error, APSP_USAGE, "%s %zu: the %s takes at most %zu", SETTING(TILE),
                  request->tile, dense->ops->name, most);
    settle_plan(dense, task);
    if (comm_agree(task->comm, error) == APSP_OK)
        transport_choose(&dense->moving, request->transport, task->comm, dense->ops, &dense->plan,
                         error);
    return error->code;
}

static int dense_plan(struct engine **engine, const struct engine_task *task,
                      struct engine_plan *plan, struct apsp_error *error)
{
    if (!*engine && open_engine(engine, task, error))
        return error->code;
    struct dense *dense = (struct dense *)*engine;
    settle_plan(dense, task);
    fill_plan(dense, task, plan);
    return APSP_OK;
}

/* Where there are to be checkpoints. */
static void open_state(struct dense *dense, struct apsp_error *error)
{
    size_t bytes =
        dense->backend && dense->base.task->checkpoint ? state_buffer(dense->ops, &dense->plan) : 0;
    if (bytes > 0 && !(dense->state = dense->ops->device->host_alloc(dense->plan.device, bytes)))
        error_set(error, APSP_MEMORY,
                  "no memory for a buffer of %zu bytes for checkpoints on host %s", bytes,
                  dense->base.task->comm->host);
}

/* What is left to be done, after a checkpoint if the run goes on from one. */
static int load_state(struct dense *dense, struct apsp_error *error)
{
    struct checkpoint *checkpoint = dense->base.task->checkpoint;
    if (checkpoint_eliminated(checkpoint) > 0) {
        const struct checkpoint_strip strip = state_strip(dense->backend, dense->state);
        checkpoint_matrix_load(checkpoint, &strip, error);
    }
    dense->left = schedule_rest(&dense->schedule, checkpoint_eliminated(checkpoint));
    dense->left.before = 0;
    return error->code;
}

static int dense_load(struct engine *engine, struct edges *edges, struct apsp_error *error)
{
    struct dense *dense = (struct dense *)engine;
    const struct engine_task *task = engine->task;
    double begun = clock_seconds();
    dense->ops->strip->open(&dense->backend, &dense->plan, error);
    dense->opening = clock_seconds() - begun;
    if (!schedule_dense(&dense->schedule, task->n, task->comm->ranks, dense->plan.tile))
        error_set(error, APSP_MEMORY, "no memory for the schedule on %s", task->comm->host);
    open_state(dense, error);
    if (comm_agree(task->comm, error) ||
        load_edges(&dense->loaded, task, edges, dense->backend, error) || load_state(dense, error))
        return error->code;
    return transport_open(&dense->transport, dense->moving, task->comm, dense->backend, error);
}

static size_t eliminated(const struct dense *dense)
{
    return dense->left.count > 0 ? dense->left.rounds->pivot.lo : dense->plan.n;
}

static int dense_save(struct engine *engine, struct apsp_error *error)
{
    struct dense *dense = (struct dense *)engine;
    const struct checkpoint_strip strip = state_strip(dense->backend, dense->state);
    return checkpoint_matrix_save(engine->task->checkpoint, &strip, eliminated(dense), error);
}

static bool is_due(void *checkpoint, size_t done)
{
    return checkpoint_due(checkpoint, done);
}

static void add_times(struct rounds_times *all, const struct rounds_times *some)
{
    all->exposed += some->exposed;
    all->device.close += some->device.close;
    all->device.panels += some->device.panels;
    all->device.bulk += some->device.bulk;
    all->device.idle += some->device.idle;
    all->device.total += some->device.total;
}

/* Rounds until all are done or a checkpoint is due. A state with wrong sums gets into none. Once
 * the work is to stop, parts of a round are left out, and sums say nothing. */
static int solve_part(struct dense *dense, struct progress *progress, struct apsp_error *error)
{
    struct rounds_times times;
    struct comm *comm = dense->base.task->comm;
    size_t done = rounds_run(&dense->left, dense->backend, dense->moving ? &dense->transport : NULL,
                             comm->rank, progress, &times);
    add_times(&dense->times, &times);
    if (dense->plan.sums && !progress->stopped && !stop_wanted())
        check_sums(dense->backend, &dense->left, comm, error);
    if (!progress->stopped && done > 0)
        dense->left = schedule_rest(&dense->left, dense->left.rounds[done - 1].pivot.hi);
    return comm_agree(comm, error);
}

static int dense_solve(struct engine *engine, struct progress *progress, struct apsp_error *error)
{
    struct dense *dense = (struct dense *)engine;
    const struct engine_task *task = engine->task;
    progress->steps = dense->left.count;
    progress->pause = task->checkpoint ? is_due : NULL;
    progress->pauser = task->checkpoint;
    while (dense->left.count > 0 && !progress->stopped &&
           solve_part(dense, progress, error) == APSP_OK)
        if (dense->left.count > 0 && !progress->stopped)
            dense_save(engine, error);
    progress->pause = NULL;
    if (task->shifted)
        dense->ops->strip->potentials(dense->backend, task->potential->h);
    return error->code;
}

static void free_buffers(struct dense *dense)
{
    for (int lane = 0; lane < BACKEND_LANES; lane++) {
        dense->ops->device->host_free(dense->making.buffer[lane]);
        dense->making.buffer[lane] = NULL;
    }
}

/* Memory that a device copies to takes time to get: all workers get theirs at the same time. */
static bool open_buffer(struct dense *dense, int lane, struct apsp_error *error)
{
    size_t bytes = buffer_bytes(dense, dense->making.step);
    void **buffer = &dense->making.buffer[lane];
    if (!*buffer)
        *buffer = dense->ops->device->host_alloc(dense->plan.device, bytes);
    if (!*buffer)
        error_set(error, APSP_MEMORY, "no memory for a buffer of %zu bytes for rows on host %s",
                  bytes, dense->base.task->comm->host);
    return *buffer != NULL;
}

static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct dense *dense = self;
    struct making *making = &dense->making;
    size_t lo = atomic_fetch_add(&making->next, making->step), end = making->rows.hi;
    const bool buffered = copies(dense) && making->on_host;
    if (lo >= end || (buffered && !open_buffer(dense, lane, error)))
        return false;
    struct range rows = {lo, end - lo < making->step ? end : lo + making->step};
    if (making->list)
        rows = (struct range){making->list[lo], making->list[lo] + 1};
    dense->ops->strip->fetch(dense->backend, lane, rows, buffered ? making->buffer[lane] : NULL,
                             block);
    return true;
}

/* The places in the list of rows that lie in this rank's strip. */
static struct range dense_places(const struct rows_request *request, struct range strip)
{
    struct range places = {0, 0};
    while (places.lo < request->count && request->list[places.lo] < strip.lo)
        places.lo++;
    for (places.hi = places.lo; places.hi < request->count && request->list[places.hi] < strip.hi;)
        places.hi++;
    return places;
}

/* Rows of a list need not be neighbours: each is a block. */
static void take_list(struct dense *dense, const struct rows_request *request,
                      struct apsp_error *error)
{
    struct making *making = &dense->making;
    const struct range places = dense_places(request, dense->plan.rows);
    const size_t count = range_length(places);
    making->rows = (struct range){0, count};
    making->step = 1;
    making->list = mem_alloc(mem_bytes(count, sizeof *making->list));
    if (making->list)
        memcpy(making->list, request->list + places.lo, count * sizeof *making->list);
    else
        error_set(error, APSP_MEMORY, "no memory for a list of %zu rows on host %s", count,
                  dense->base.task->comm->host);
}

static void free_making(struct dense *dense)
{
    free_buffers(dense);
    mem_free(dense->making.list);
    dense->making.list = NULL;
}

static int dense_rows(struct engine *engine, const struct rows_request *request,
                      struct rows_maker *maker, struct apsp_error *error)
{
    struct dense *dense = (struct dense *)engine;
    struct making *making = &dense->making;
    free_making(dense);
    making->rows = dense->plan.rows;
    making->on_host = request->on_host || dense->ops->panel->on_host;
    making->step = step_of(dense, request);
    if (request->list)
        take_list(dense, request, error);
    making->next = making->rows.lo;
    *maker = (struct rows_maker){.self = dense,
                                 .lanes = lanes_of(dense, request->lanes),
                                 .rows = range_length(making->rows),
                                 .next = next_block};
    return error->code;
}

static void dense_report(const struct engine *engine, struct engine_report *report)
{
    const struct dense *dense = (const struct dense *)engine;
    const struct backend_times *times = &dense->times.device;
    *report = (struct engine_report){
        .device = dense->ops->strip->describe(dense->backend),
        .parallel = dense->loaded.parallel,
        .build = dense->opening + dense->loaded.seconds,
        .exposed = dense->times.exposed + times->idle,
        .phases = 3,
        .phase = {{"close", times->close}, {"panels", times->panels}, {"bulk", times->bulk}},
        .facts = 3,
        .fact = {{"tile", NULL, dense->plan.tile},
                 {"rounds", NULL, dense->schedule.count},
                 {"transport", dense->moving ? dense->moving->name : "none", 0}}};
}

static void dense_free(struct engine *engine)
{
    struct dense *dense = (struct dense *)engine;
    if (!dense)
        return;
    free_making(dense);
    dense->ops->device->host_free(dense->state);
    transport_free(&dense->transport);
    if (dense->backend)
        dense->ops->strip->free(dense->backend);
    schedule_free(&dense->schedule);
    free(dense);
}

const struct engine_ops engine_dense = {
    .name = "dense",
    .on_device = true,
    .takes_matrix = true,
    .unit = "relaxations/s",
    .relaxations = 1,
    .plan = dense_plan,
    .load = dense_load,
    .solve = dense_solve,
    .save = dense_save,
    .rows = dense_rows,
    .report = dense_report,
    .free = dense_free,
};
