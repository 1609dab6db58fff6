/* The steps of a run, each collective and each ending in agreement. */
#include "job/job.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/mem.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

static int agree(struct apsp_job *job)
{
    return comm_agree(job->comm, &job->error);
}

double job_since(struct apsp_job *job, double start)
{
    comm_barrier(job->comm);
    return comm_max(job->comm, clock_seconds() - start);
}

/* The same graph on every rank? */
static int open_graph(struct apsp_job *job)
{
    struct graph *graph = &job->graph;
    struct apsp_error *error = &job->error;
    if (graph_open(graph, job->options.graph, job->options.format, job->comm->ranks == 1, error) == APSP_IO &&
        job->comm->nodes > 1) {
        size_t used = strlen(error->text);
        snprintf(error->text + used, sizeof error->text - used, " on host %s", job->comm->host);
    }
    if (agree(job))
        return job->error.code;
    size_t size[3] = {graph->bytes, graph->n, graph->m};
    comm_broadcast(job->comm, size, sizeof size, 0);
    if (size[0] != graph->bytes || size[1] != graph->n || size[2] != graph->m)
        error_set(error, APSP_IO, "%s on host %s (%zu bytes) is not the file of rank 0 (%zu bytes)",
                  graph->path, job->comm->host, graph->bytes, size[0]);
    return agree(job);
}

static int open_outputs(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    if (sinks_open(&job->sinks, &job->error))
        return job->error.code;
    if (options->json && job->comm->rank == 0)
        staged_create(&job->json, options->json, options->force, &job->error);
    return agree(job);
}

/* A graph so small is solved before other threads have started; 0: let the topology choose. */
static int threads_wanted(const struct apsp_job *job)
{
    enum { SMALL = 64 };
    if (job->options.threads > 0 || job->graph.n > SMALL || job->graph.m > SMALL * SMALL)
        return job->options.threads;
    return 1;
}

static int start(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    const struct device_request request = {options->device, options->share_gpus};
    int wanted = options->ranks > 0 ? options->ranks : options->gpus;
    fault_cleanup(staged_abandon);
    if (wanted > 0 && job->comm->ranks != wanted)
        error_set(&job->error, APSP_USAGE, "%d ranks are asked for, but the launcher started %d", wanted,
                  job->comm->ranks);
    if (job->comm->rank == 0 && options->json)
        staged_check(options->json, options->graph, options->force, &job->error);
    if (agree(job) || open_graph(job) || device_choose(&job->device, job->comm, &request, &job->error))
        return job->error.code;
    topology_bind(&job->topology, job->comm, job->device.place, threads_wanted(job));
    job->resident = mem_resident();
    if (plan_make(job) || options->estimate)
        return job->error.code;
    return open_outputs(job);
}

int apsp_job_init(struct apsp_job **out, const struct apsp_options *options, struct apsp_error *error)
{
    struct apsp_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (!job)
        return error_set(error, APSP_MEMORY, "no memory for the job");
    job->options = *options;
    job->started = clock_seconds();
    job->json.fd = -1;
    if (comm_init(&job->comm, options->ranks_per_node, error)) {
        free(job);
        return error->code;
    }
    job->error = *error; /* of the command line */
    *out = job;
    return start(job);
}

/* What the engine tells, the most of any rank. */
static void take_report(struct apsp_job *job)
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

int apsp_job_read(struct apsp_job *job)
{
    struct report *report = &job->report;
    double begun = clock_seconds();
    if (job->engine->ops->load(job->engine, &job->edges, &job->error))
        return job->error.code;
    edges_free(&job->edges);
    double whole = job_since(job, begun);
    take_report(job);
    report->build.seconds = report->engine.build;
    report->read.seconds += whole - report->build.seconds;
    return sinks_check(&job->sinks, false, &job->error);
}

int apsp_job_solve(struct apsp_job *job)
{
    struct progress progress = {.shown = job->options.progress && job->comm->rank == 0,
                                .steps = job->plan.steps,
                                .work = job->plan.work,
                                .step = job->plan.step,
                                .unit = "relaxations/s"};
    comm_barrier(job->comm);
    double begun = clock_seconds();
    progress_start(&progress);
    if (job->engine->ops->solve)
        job->engine->ops->solve(job->engine, &progress);
    job->report.solve.seconds = job_since(job, begun);
    progress_end(&progress);
    take_report(job);
    return APSP_OK;
}

int apsp_job_rows(struct apsp_job *job)
{
    struct rows_wish wish = job->task.wish;
    struct rows_maker maker;
    size_t *list;
    if (job->sinks.count == 0)
        return APSP_OK;
    if (rows_list(&wish, &list, &job->sinks, &job->error) == APSP_OK)
        job->engine->ops->rows(job->engine, &wish, &maker, &job->error);
    if (agree(job) == APSP_OK) {
        double edges = (double)job->graph.n + (double)job->graph.m;
        struct progress progress = {.shown = job->options.progress && job->comm->rank == 0 && wish.lanes > 0,
                                    .steps = maker.rows,
                                    .work = (double)maker.rows * edges,
                                    .step = "row",
                                    .unit = "edges/s"};
        progress_start(&progress);
        rows_pass(&maker, &job->sinks, &progress, &job->error);
        progress_end(&progress);
    }
    free(list);
    return job->error.code;
}

/* One line per rank: where it runs. Only rank 0 gets them; the caller frees. NULL: see the job's error. */
static char *gather_places(struct apsp_job *job)
{
    enum { LINE = 320 };
    char mine[LINE];
    char *text = NULL, *end;
    const char *gpu = job->device.place;
    snprintf(mine, sizeof mine, "rank %d: %s, %s%s%scores %s, %d thread%s%s%s\n", job->comm->rank,
             job->comm->host, *gpu ? "GPU " : "", gpu, *gpu ? ", " : "", job->topology.cores,
             job->topology.threads, job->topology.threads == 1 ? "" : "s", *job->plan.place ? ", " : "",
             job->plan.place);
    if (job->comm->rank == 0 && !(text = calloc((size_t)job->comm->ranks, LINE)))
        error_set(&job->error, APSP_MEMORY, "no memory for the report");
    if (agree(job))
        return NULL;
    comm_gather(job->comm, mine, LINE, text);
    end = text;
    for (int r = 0; text && r < job->comm->ranks; r++) { /* closes the gaps */
        size_t length = strlen(text + (size_t)r * LINE);
        memmove(end, text + (size_t)r * LINE, length);
        end += length;
        *end = '\0';
    }
    return text;
}

/* A line for each sink that there is, of no time where the run has none. */
static void complete_phases(struct apsp_job *job)
{
    struct report *report = &job->report;
    double edges = (double)job->graph.m;
    report->read = (struct report_phase){"read", report->read.seconds, edges, "edges/s"};
    report->build = (struct report_phase){"build", report->build.seconds, edges, "edges/s"};
    report->solve = (struct report_phase){"solve", report->solve.seconds, job->plan.work, "relaxations/s"};
    for (int i = 0; sink_table[i] && report->sinks < SINKS_MAX; i++) {
        const struct sink *sink = sinks_find(&job->sinks, sink_table[i]->name);
        struct report_phase *phase = &report->sink[report->sinks++];
        *phase = (struct report_phase){.name = sink_table[i]->name};
        if (sink)
            *phase = (struct report_phase){sink->ops->name, sink->seconds, sink->amount, sink->unit};
    }
}

static void complete_report(struct apsp_job *job)
{
    struct report *report = &job->report;
    const struct sink *certificate = sinks_find(&job->sinks, "verify");
    report->graph = job->graph.path;
    report->vertices = job->graph.n;
    report->edges = job->graph.m;
    report->parallel = report->engine.parallel;
    report->loops = job->census.loops;
    report->dtype = job->proof.dtype;
    report->real = job->proof.real;
    report->bound = job->proof.bound;
    report->reach = job->proof.reach;
    report->proof = job->proof.seconds;
    report->device = job->device.ops->name;
    report->method = job->engine->ops->name;
    report->solver = job->plan.text;
    report->ranks = job->comm->ranks;
    report->nodes = job->comm->nodes;
    report->threads = (int)comm_most(job->comm, (size_t)job->topology.threads);
    report->verified = certificate ? certificate->rows : 0;
    complete_phases(job);
    report->places = gather_places(job);
    report->total = comm_max(job->comm, clock_seconds() - job->started);
}

static void write_json(struct apsp_job *job)
{
    char *text = report_json(&job->report);
    if (text)
        output_text(&job->json, text, &job->error);
    else
        error_set(&job->error, APSP_MEMORY, "no memory for the JSON report");
    free(text);
}

/* A name that somebody has taken during the run is noticed before any result has its own. The JSON report is
 * written first, since that may fail, and named last: it never stands without results. */
int apsp_job_commit(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    complete_report(job);
    if (job->json.made && !job->error.code)
        write_json(job);
    if (job->json.made && !job->error.code)
        staged_check(options->json, options->graph, options->force, &job->error);
    if (agree(job) == APSP_OK && sinks_confirm(&job->sinks, &job->error) == APSP_OK &&
        sinks_publish(&job->sinks, &job->error) == APSP_OK) {
        if (job->json.made)
            staged_publish(&job->json, &job->error);
        agree(job);
    }
    if (job->comm->rank == 0 && !options->quiet && !job->error.code)
        report_print(&job->report, stdout);
    return job->error.code;
}

const struct apsp_error *apsp_job_error(const struct apsp_job *job)
{
    return &job->error;
}

const char *apsp_job_detail(const struct apsp_job *job)
{
    return job->error.code == APSP_CYCLE && job->proof.cycle ? job->proof.cycle : "";
}

bool apsp_job_speaks(const struct apsp_job *job)
{
    return job->comm->rank == 0;
}

void apsp_job_free(struct apsp_job *job)
{
    if (!job)
        return;
    staged_free(&job->json);
    sinks_close(&job->sinks);
    if (job->engine)
        job->engine->ops->free(job->engine);
    proof_free(&job->proof);
    csr_free(&job->csr);
    edges_free(&job->edges);
    free(job->report.places);
    graph_close(&job->graph);
    comm_free(job->comm);
    free(job);
}

void apsp_finish(void)
{
    comm_finish();
}
