/* The steps of a run, each collective and each ending in agreement. */
#include "job/job.h"

#include "base/clock.h"
#include "base/ending.h"
#include "base/fault.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/threads.h"
#include "files/space.h"
#include "graph/same.h"
#include "rows/stats.h"
#include "rows/sums.h"

#include <stdlib.h>
#include <string.h>

static int agree(struct job *job)
{
    return comm_agree(job->comm, &job->error);
}

double job_since(struct job *job, double start)
{
    comm_barrier(job->comm);
    return comm_max(job->comm, clock_seconds() - start);
}

const char *job_path(const struct job *job, int file)
{
    const struct run_options *options = &job->options;
    const char *const paths[JOB_FILES] = {
        [JOB_PLOT] = options->results.plot, [JOB_ORDER] = options->save_order,
        [JOB_NAMES] = options->names,       [JOB_SCALE] = job->scale_path,
        [JOB_REPORT] = options->json,
    };
    return job->comm->rank == 0 ? paths[file] : NULL;
}

/* The run that is resumed has left its report. */
bool job_may_replace(const struct job *job, int file)
{
    return job->options.results.force || (file == JOB_REPORT && job->options.checkpoint.resume);
}

/* The same graph on every rank? */
static int open_graph(struct job *job)
{
    struct graph *graph = &job->graph;
    struct apsp_error *error = &job->error;
    const struct run_options *options = &job->options;
    if (!job->lent &&
        graph_open_together(graph, options->graph, &options->input, job->comm, error) == APSP_IO &&
        job->comm->nodes > 1) {
        const struct apsp_error cause = *error;
        *error = (struct apsp_error){0};
        error_set(error, cause.code, "%s on host %s", cause.text, job->comm->host);
    }
    if (agree(job))
        return job->error.code;
    const size_t mine[] = {graph->bytes, graph->n, graph->m, graph->real};
    size_t first[sizeof mine / sizeof *mine];
    memcpy(first, mine, sizeof first);
    comm_broadcast(job->comm, first, sizeof first, 0);
    if (memcmp(first, mine, sizeof first) != 0)
        error_set(
            error, job->lent ? APSP_INPUT : APSP_IO,
            "%s on host %s (%zu bytes, %s weights) is not the %s of rank 0 (%zu bytes, %s weights)",
            graph->path, job->comm->host, graph->bytes, graph->real ? "real" : "whole",
            job->lent ? "graph" : "file", first[0], first[3] ? "real" : "whole");
    return agree(job) ? error->code : graph_check_same(graph, job->comm, error);
}

/* Rank 0 may be killed: others remove its files too when the job ends. Where they cannot see them
 * they need not.
 */
static void watch_files(struct job *job)
{
    enum { ROOM = 1 << 14 };
    char names[ROOM];
    size_t bytes = job->comm->rank == 0 ? staged_names(names, ROOM) : 0;
    comm_broadcast(job->comm, &bytes, sizeof bytes, 0);
    comm_broadcast(job->comm, names, bytes, 0);
    const char *name = names, *end = names + bytes;
    for (int i = 0; job->comm->rank > 0 && name < end && i < JOB_WATCHED;
         i++, name += strlen(name) + 1) {
        struct apsp_error ignored = {0};
        staged_join(&job->watched[i], name, name, false, &ignored);
    }
}

static void check_files(struct job *job)
{
    for (int i = 0; i < JOB_FILES && !job->error.code; i++)
        if (job_path(job, i))
            staged_check(job_path(job, i), options_inputs(&job->options).path,
                         job_may_replace(job, i), &job->error);
}

/* Of an engine that makes them when they are asked for. */
static bool rows_are_saved(const struct job *job)
{
    return job->sink_task.folder != NULL;
}

static int open_outputs(struct job *job)
{
    checkpoint_rows_name(&job->saved, &job->sinks);
    if (sinks_open(&job->sinks, &job->error))
        return job->error.code;
    check_files(job);
    for (int i = 0; i < JOB_FILES && !job->error.code; i++)
        if (job_path(job, i))
            staged_create(&job->file[i], job_path(job, i), job_may_replace(job, i), &job->error);
    if (agree(job) == APSP_OK && job->comm->ranks > 1 && !job->comm->threads)
        watch_files(job);
    if (!job->error.code && rows_are_saved(job))
        checkpoint_rows_load(&job->saved, &job->sinks, &job->error);
    return job->error.code;
}

static bool is_small(const struct job *job)
{
    enum { SMALL = 64 };
    return job->graph.n <= SMALL && job->graph.m <= SMALL * SMALL;
}

/* A small graph is solved before other threads have started; 0: let the topology choose. */
static int threads_wanted(const struct job *job)
{
    return job->options.request.threads == 0 && is_small(job) ? 1 : job->options.request.threads;
}

/* Cores that the caller has bound its process to are its choice: they are shared, and not changed.
 * OpenMP ends a process that cannot have the threads it asks for: they are no more than the machine
 * can run. */
static void share_cores(struct job *job)
{
    size_t mine = (size_t)threads_default(), all = comm_machine_sum(job->comm, mine),
           machine = (size_t)threads_machine(), quota = (size_t)threads_quota(),
           left = machine < quota ? machine : quota, wanted = (size_t)threads_wanted(job);
    if (wanted > 0)
        mine = wanted < machine ? wanted : machine;
    else if (all > left)
        mine = mine * left / all;
    job->topology = (struct topology){.threads = mine > 0 ? (int)mine : 1};
}

static bool tell(void *self, const char *step, size_t done, size_t steps)
{
    const struct run_options *options = &((const struct job *)self)->options;
    return !stop_wanted() &&
           (!options->request.tell ||
            options->request.tell(options->request.listener, step, done, steps) == 0);
}

/* In steps that all ranks take together they stop together. */
static bool tell_together(void *self, const char *step, size_t done, size_t steps)
{
    struct comm *comm = ((struct job *)self)->comm;
    return comm_sum(comm, !tell(self, step, done, steps)) == 0;
}

/* Before edges are read, after that, and when they are loaded. */
static int tell_reading(struct job *job, size_t done)
{
    enum { STEPS = 2 };
    if (job->told && !tell_together(job, "read", done, STEPS))
        stop_now(&job->error);
    return job->error.code;
}

/* A call of the library that needs little does not look at what the process has: the limit is far,
 * or the process has come to its end anyway. */
static int find_place(struct job *job)
{
    enum { MUCH = 1 << 20 };
    const struct run_options *options = &job->options;
    const struct device_request request = {options->request.device, options->request.share_gpus};
    if (device_choose(&job->device, job->comm, &request, &job->error))
        return job->error.code;
    if (job->lent)
        share_cores(job);
    else
        topology_bind(&job->topology, job->comm, job->device.place, threads_wanted(job));
    if (!job->lent || !is_small(job) || options->request.beside > MUCH)
        job->resident = !job->comm->threads || job->comm->rank == 0 ? mem_resident() : 0;
    return APSP_OK;
}

/* A run that goes on from a checkpoint computes in its type. An estimate makes no folder. */
static int open_checkpoint(struct job *job)
{
    struct run_options *options = &job->options;
    options->checkpoint.force = options->results.force;
    options->checkpoint.write_retry = options->write_retry;
    options->checkpoint.dtype = options->request.dtype;
    options->checkpoint.inputs = options_inputs(options);
    if (!options->estimate)
        checkpoint_open(&job->checkpoint, job->comm, &options->checkpoint, job->graph.n,
                        &job->error);
    if (!job->error.code && checkpoint_type(job->checkpoint))
        job->options.request.dtype = checkpoint_type(job->checkpoint);
    return job->error.code;
}

static int start(struct job *job)
{
    const struct run_options *options = &job->options;
    int wanted = options->ranks > 0 ? options->ranks : options->gpus;
    if (wanted > 0 && job->comm->ranks != wanted)
        error_set(&job->error, APSP_USAGE, "%d ranks are asked for, but the launcher started %d",
                  wanted, job->comm->ranks);
    job->options.lists[0] = job->options.lists[1] = true;
    if (job->options.results.verify > 0 && job->options.results.seed == 0)
        job->options.results.seed = comm_seed(job->comm);
    check_files(job);
    if (job_path(job, JOB_PLOT) && !job->error.code)
        stats_can_plot(&job->error);
    if (agree(job))
        return job->error.code;
    job->begun = true;
    if (open_graph(job) || tell_reading(job, 0) || find_place(job) || open_checkpoint(job) ||
        plan_make(job) || options->estimate)
        return job->error.code;
    return open_outputs(job);
}

int job_make(struct job **out, const struct run_options *options, struct comm *comm,
             const struct graph *graph, struct apsp_error *error)
{
    struct job *job = *out = calloc(1, sizeof *job);
    if (!job && comm->ranks > 1)
        fault(APSP_MEMORY, "no memory for the job");
    if (!job) {
        comm_free(comm);
        return error_set(error, APSP_MEMORY, "no memory for the job");
    }
    *job = (struct job){
        .options = *options, .error = *error, .comm = comm, .started = clock_seconds()};
    for (int i = 0; i < JOB_FILES; i++)
        job->file[i].fd = -1;
    trace_start(&job->report.trace, comm, options->json != NULL);
    job->options.input.hash = options->json && comm->rank == 0;
    job->lent = graph != NULL;
    if (graph)
        job->graph = *graph;
    job->told = comm->ranks == 1 || comm_most(comm, options->request.tell != NULL) > 0;
    return start(job);
}

int job_init(struct job **out, const struct run_options *options, struct apsp_error *error)
{
    struct apsp_error own = {0}; /* that of the command line travels with the job */
    struct comm *comm;
    *out = NULL;
    space_patience(options->write_retry);
    if (comm_init(&comm, options->ranks_per_node, &own))
        return error_set(error, (enum apsp_status)own.code, "%s", own.text);
    return job_make(out, options, comm, NULL, error);
}

/* What the engine tells, the most of any rank. */
static void take_report(struct job *job)
{
    struct engine_report *report = &job->report.engine;
    *report = (struct engine_report){.device = ""};
    if (job->engine->ops->report)
        job->engine->ops->report(job->engine, report);
    report->build = comm_max(job->comm, report->build);
    report->exposed = comm_max(job->comm, report->exposed);
    for (int i = 0; i < report->phases; i++)
        report->phase[i].seconds = comm_max(job->comm, report->phase[i].seconds);
}

int job_read(struct job *job)
{
    struct report *report = &job->report;
    double begun = clock_seconds();
    if (tell_reading(job, 1) || job->engine->ops->load(job->engine, &job->edges, &job->error))
        return job->error.code;
    edges_free(&job->edges);
    double whole = job_since(job, begun);
    take_report(job);
    report->build.seconds = report->engine.build;
    report->read.seconds += whole - report->build.seconds;
    return sinks_check(&job->sinks, false, &job->error) ? job->error.code : tell_reading(job, 2);
}

static int save_rows(struct job *job, struct apsp_error *error)
{
    const struct engine_report *engine = &job->report.engine;
    return checkpoint_rows_save(&job->saved, engine->kept, engine->kept_bytes, error);
}

/* A signal does not wait for the core's end. */
static bool tell_solving(void *self, const char *step, size_t done, size_t steps)
{
    struct job *job = self;
    return tell_together(job, step, done, steps) &&
           !(rows_are_saved(job) && comm_sum(job->comm, ending_asked()) > 0);
}

int job_solve(struct job *job)
{
    struct progress progress = {.shown = job->options.request.progress && job->comm->rank == 0,
                                .steps = job->plan.steps,
                                .work = job->plan.work,
                                .step = job->plan.step,
                                .unit = job->engine->ops->unit,
                                .tell = job->told || rows_are_saved(job) ? tell_solving : NULL,
                                .self = job};
    if (rows_are_saved(job) && comm_sum(job->comm, checkpoint_wanted(job->checkpoint)) > 0 &&
        save_rows(job, &job->error))
        return job->error.code;
    comm_barrier(job->comm);
    const double begun = clock_seconds(), before = checkpoint_figures(job->checkpoint).seconds;
    progress_start(&progress);
    if (job->engine->ops->solve)
        job->engine->ops->solve(job->engine, &progress, &job->error);
    job->report.solve.seconds =
        job_since(job, begun) - (checkpoint_figures(job->checkpoint).seconds - before);
    progress_end(&progress);
    if (progress.stopped || stop_wanted()) {
        job->error = (struct apsp_error){0}; /* of work that was left as it was */
        if (!rows_are_saved(job) || stop_wanted())
            stop_now(&job->error);
        else
            save_rows(job, &job->error);
    }
    if (agree(job))
        return job->error.code;
    take_report(job);
    job->report.solve.seconds += job->report.engine.ahead;
    if (!rows_want_edges(job))
        csr_free(&job->csr);
    return APSP_OK;
}

/* Of making rows, with so much work for the engine's own. */
static void take_times(struct job *job, const struct rows_maker *maker, double work,
                       const struct sums *sums)
{
    struct report *report = &job->report;
    const double rows = (double)comm_sum(job->comm, maker->rows),
                 share = sums ? sums_share(sums) : 0;
    const double summing = comm_max(job->comm, maker->seconds * (work > 0 || !sums ? share : 1));
    report->sums.seconds += summing;
    report->sums.amount += sums ? rows * (maker->work - work) : 0;
    report->rows.seconds += maker->seconds - summing;
    report->rows.amount += rows * work;
}

/* Rows can wait for another run where a checkpoint has what they are made of, or those that are
 * done. */
static bool is_time(void *self, size_t done)
{
    const struct job *job = self;
    (void)done;
    return rows_are_saved(job) ? checkpoint_wanted(job->checkpoint)
                               : checkpoint_asked(job->checkpoint);
}

/* Whether it has paused. */
static bool pass_once(struct job *job, struct sinks *sinks, int threads, struct apsp_error *error)
{
    bool paused = false;
    struct rows_wish wish = rows_wish(sinks, threads);
    struct rows_maker maker;
    struct sums *sums = NULL;
    size_t *list;
    if (job->summed)
        sums_wish(&wish, threads);
    if (rows_list(&wish, &list, sinks, error) == APSP_OK)
        job->engine->ops->rows(job->engine, &wish, &maker, error);
    const double work = error->code ? 0 : maker.work;
    if (job->summed && !error->code)
        sums_open(&sums, &maker, &job->sink_task, error);
    if (comm_agree(job->comm, error) == APSP_OK) {
        double edges = (double)job->graph.n + (double)job->graph.m;
        struct progress progress = {
            .shown = job->options.request.progress && job->comm->rank == 0 &&
                     (wish.lanes > 0 || maker.work > 0),
            .steps = maker.rows,
            .work = (double)maker.rows * (maker.work > 0 ? maker.work : edges),
            .step = "row",
            .unit = maker.work > 0 ? job->engine->ops->unit : "edges/s",
            .tell = tell,
            .self = job,
            .pause = job->checkpoint ? is_time : NULL,
            .pauser = job};
        progress_start(&progress);
        rows_pass(&maker, sinks, &progress, error);
        progress_end(&progress);
        take_times(job, &maker, work, sums);
        paused = progress.paused && !error->code;
    }
    sums_free(sums);
    free(list);
    return paused;
}

/* With checkpoints between parts of it. */
static int pass_all(struct job *job, struct sinks *sinks, int threads, struct apsp_error *error)
{
    while (pass_once(job, sinks, threads, error))
        if (rows_are_saved(job) ? save_rows(job, error)
                                : job->engine->ops->save(job->engine, error))
            return error->code;
    return error->code;
}

int job_pass(struct job *job, struct sinks *sinks, int threads, struct apsp_error *error)
{
    pass_all(job, sinks, threads, error);
    for (struct sinks some = sinks_again(sinks); some.count > 0 && !error->code;
         some = sinks_again(sinks)) {
        pass_all(job, &some, threads, error);
        sinks_return(sinks, &some);
    }
    return error->code;
}

/* Rows that nobody else wants are not made to be certified. */
static void settle_early(struct job *job)
{
    bool made = job->plan.row_work == 0 || job->task.sources == job->sources.count;
    if (!job->options.results.read_back && made)
        check_settle(job, job->report.solve.seconds);
}

int job_rows(struct job *job)
{
    settle_early(job);
    if (job->sinks.count > 0 && job_pass(job, &job->sinks, job->task.threads, &job->error))
        return job->error.code;
    if (job->options.results.read_back)
        check_settle(job, job->report.solve.seconds + job->report.rows.seconds);
    return check_file(job);
}

const char *job_detail(const struct job *job)
{
    if (!job->error.code)
        return "";
    if (job->error.code == APSP_CYCLE && job->proof.cycle && !job->detail)
        return job->proof.cycle;
    return job->detail ? job->detail : "";
}

void job_free(struct job *job)
{
    if (!job)
        return;
    const bool done = job->reported && !job->error.code;
    checkpoint_free(job->checkpoint, done && !job->options.checkpoint.keep);
    if (done)
        checkpoint_rows_end(&job->saved);
    for (int i = 0; i < JOB_FILES; i++)
        staged_free(&job->file[i]);
    for (int i = 0; i < JOB_WATCHED; i++)
        staged_free(&job->watched[i]);
    free(job->scale_path);
    free(job->detail);
    sinks_close(&job->sinks);
    methods_free(&job->methods);
    sources_free(&job->targets);
    sources_free(&job->sources);
    proof_free(&job->proof);
    csr_free(&job->csr);
    edges_free(&job->edges);
    free(job->report.places);
    trace_free(&job->report.trace);
    if (!job->lent)
        graph_close(&job->graph);
    checkpoint_rows_free(&job->saved);
    comm_free(job->comm);
    free(job);
}
