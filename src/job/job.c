/* The steps of a run, each collective and each ending in agreement. */
#include "job/job.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/mem.h"
#include "base/staged.h"
#include "dense/load.h"
#include "proof/certify.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int agree(struct apsp_job *job)
{
    return comm_agree(job->comm, &job->error);
}

/* Wall time since `start`, barrier to barrier. */
static double since(struct apsp_job *job, double start)
{
    comm_barrier(job->comm);
    return comm_max(job->comm, clock_seconds() - start);
}

/* The same file on every rank? */
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

/* The type that the user wants, or -1 for the narrowest. */
static int wanted_type(struct apsp_job *job)
{
    const char *name = job->options.dtype ? job->options.dtype : "auto";
    char names[80] = "auto";
    int type = strcmp(name, "auto") == 0 ? -1 : dtype_find(name);
    for (int i = 0; i < DTYPE_COUNT; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), ", %s", dtype_info[i].name);
    if (type < 0 && strcmp(name, "auto") != 0)
        error_set(&job->error, APSP_USAGE, "--dtype %s: not one of %s", name, names);
    return type;
}

static void make_plan(struct apsp_job *job, enum dtype dtype)
{
    struct backend_plan *plan = &job->plan;
    plan->n = job->graph.n;
    plan->ranks = job->comm->ranks;
    plan->device = job->device.number;
    plan->rows = strip_rows(plan->n, job->comm->ranks, job->comm->rank);
    plan->dtype = dtype;
    plan->shifted = job->proof.potential.n > 0;
    plan->threads = job->topology.threads;
    plan->tile =
        job->options.tile ? job->options.tile : job->ops->tile(plan->n, job->comm->ranks, plan->dtype);
    if (plan->tile > plan->n)
        plan->tile = plan->n;
}

/* Chooses the type of the distances, while the device starts. */
static int prove(struct apsp_job *job, int wanted)
{
    struct census census;
    struct csr csr = {0};
    double begun = clock_seconds();
    job->edges = (struct edges){.graph = &job->graph,
                                .comm = job->comm,
                                .threads = job->topology.threads,
                                .room = mem_node_limit() / 16 / (size_t)job->comm->machine_ranks};
    if (census_take(&census, &job->edges, &job->error))
        return job->error.code;
    const struct proof_task task = {.graph = &job->graph,
                                    .census = &census,
                                    .csr = &csr,
                                    .wanted = wanted,
                                    .comm = job->comm,
                                    .threads = job->topology.threads};
    bool wants = proof_wants_edges(&task, &job->error);
    if (!job->error.code && (!wants || !csr_load(&csr, &job->edges, job->comm->rank == 0, &job->error)))
        proof_make(&job->proof, &task, &job->error);
    csr_free(&csr);
    if (job->error.code)
        return job->error.code;
    job->report.loops = census.loops;
    job->report.seconds.read = since(job, begun);
    return APSP_OK;
}

/* What cannot fit in the narrowest type is refused before the edges are read, the rest when the type is
 * known. */
static int settle_plan(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    int wanted = wanted_type(job);
    transport_check(options->transport, &job->error);
    if (job->ops->tile_max > 0 && options->tile > job->ops->tile_max)
        error_set(&job->error, APSP_USAGE, "--tile %zu: the %s takes at most %zu", options->tile,
                  job->ops->name, job->ops->tile_max);
    if (job->error.code == APSP_OK)
        make_plan(job, wanted >= 0 ? (enum dtype)wanted : job->graph.real ? DTYPE_F64 : DTYPE_U16);
    if (agree(job) || (!job->options.estimate && estimate_check(job)) || prove(job, wanted))
        return job->error.code;
    make_plan(job, job->proof.dtype);
    return job->options.estimate ? APSP_OK : estimate_check(job);
}

static int open_outputs(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    if (options->distances &&
        output_open(&job->output, job->comm, options->distances, options->graph, job->plan.n,
                    dtype_info[job->plan.dtype].output, options->force, &job->error))
        return job->error.code;
    if (options->predecessors &&
        output_open(&job->predecessors, job->comm, options->predecessors, options->graph, job->plan.n,
                    DTYPE_I32, options->force, &job->error))
        return job->error.code;
    if (options->json && job->comm->rank == 0)
        staged_create(&job->json, options->json, options->force, &job->error);
    return agree(job);
}

static int start(struct apsp_job *job)
{
    int wanted = job->options.ranks > 0 ? job->options.ranks : job->options.gpus;
    fault_cleanup(staged_abandon);
    if (wanted > 0 && job->comm->ranks != wanted)
        error_set(&job->error, APSP_USAGE, "%d ranks are asked for, but the launcher started %d", wanted,
                  job->comm->ranks);
    if (job->comm->rank == 0 && job->options.json)
        staged_check(job->options.json, job->options.graph, job->options.force, &job->error);
    if (agree(job) || open_graph(job))
        return job->error.code;
    if (device_choose(&job->device, job->comm, &job->options, &job->error) || agree(job))
        return job->error.code;
    job->ops = job->device.ops;
    topology_bind(&job->topology, job->comm, job->device.place, job->options.threads);
    if (settle_plan(job) || job->options.estimate)
        return job->error.code;
    if (!schedule_dense(&job->schedule, job->plan.n, job->comm->ranks, job->plan.tile))
        error_set(&job->error, APSP_MEMORY, "no memory for the schedule on %s", job->comm->host);
    return agree(job) ? job->error.code : open_outputs(job);
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

int apsp_job_read(struct apsp_job *job)
{
    struct report_seconds *seconds = &job->report.seconds;
    double begun = clock_seconds(), build = 0, opened;
    job->ops->open(&job->backend, &job->plan, &job->error);
    opened = clock_seconds() - begun;
    if (agree(job) || load_edges(&job->edges, &job->proof.potential, job->comm, job->backend,
                                 &job->report.parallel, &build, &job->error))
        return job->error.code;
    double whole = since(job, begun);
    seconds->build = comm_max(job->comm, opened + build);
    seconds->read += whole - seconds->build;
    if (job->comm->ranks > 1)
        transport_open(&job->transport, job->options.transport, job->comm, job->backend, &job->error);
    if (job->output)
        output_check(job->output, &job->error);
    if (job->predecessors)
        output_check(job->predecessors, &job->error);
    return agree(job);
}

int apsp_job_solve(struct apsp_job *job)
{
    struct report_seconds *seconds = &job->report.seconds;
    struct solver_times times = {0};
    struct progress progress;
    double n = (double)job->plan.n;
    progress_start(&progress, job->options.progress && job->comm->rank == 0, job->schedule.count, n * n * n);
    comm_barrier(job->comm);
    double begun = clock_seconds();
    solver_run(&job->schedule, job->backend, job->comm->ranks > 1 ? &job->transport : NULL, job->comm->rank,
               &progress, &times);
    seconds->solve = since(job, begun);
    progress_end(&progress);
    seconds->communication_exposed = comm_max(job->comm, times.exposed + times.device.idle);
    seconds->close = comm_max(job->comm, times.device.close);
    seconds->panels = comm_max(job->comm, times.device.panels);
    seconds->bulk = comm_max(job->comm, times.device.bulk);
    if (job->plan.shifted)
        job->ops->potentials(job->backend, job->proof.potential.h);
    return APSP_OK;
}

int apsp_job_write(struct apsp_job *job)
{
    double begun = clock_seconds();
    if (!job->output)
        return APSP_OK;
    const struct output_rows rows = output_backend_rows(job->backend);
    output_write(job->output, &rows, &job->error);
    if (agree(job))
        return job->error.code;
    job->report.seconds.write = since(job, begun);
    return APSP_OK;
}

/* Certifies those of rows[0..count) that lie in this rank's strip. */
static void verify_rows(struct apsp_job *job, const struct csr *edges, const size_t *rows, size_t count)
{
    enum dtype type = dtype_info[job->plan.dtype].output;
    size_t row_bytes = job->plan.n * dtype_info[type].bytes;
    const struct certificate certificate = {edges, job->proof.reach, job->graph.first};
    bool copies = job->ops->fetch_copies(&job->plan);
    int threads = copies && job->plan.threads > BACKEND_LANES ? BACKEND_LANES : job->plan.threads;
#pragma omp parallel num_threads(threads)
    {
        struct certify_space *space = certify_space_new(job->plan.n, type);
        void *buffer = copies ? job->ops->host_alloc(row_bytes) : NULL;
        struct apsp_error mine = {0};
        if (!space || (copies && !buffer))
            error_set(&mine, APSP_MEMORY, "no memory to verify on %s", job->comm->host);
#pragma omp for schedule(dynamic)
        for (size_t k = 0; k < count; k++) {
            size_t i = rows[k], stride;
            char why[CERTIFY_WHY];
            if (mine.code || i < job->plan.rows.lo || i >= job->plan.rows.hi)
                continue;
            const void *row = job->ops->fetch(job->backend, omp_get_thread_num(), (struct range){i, i + 1},
                                              buffer, &stride);
            if (!certify_row(&certificate, space, i, row, NULL, why))
                error_set(&mine, APSP_REFUTED, "verification FAILED: %s", why);
        }
#pragma omp critical
        if (mine.code)
            error_set(&job->error, (enum apsp_status)mine.code, "%s", mine.text);
        certify_space_free(space);
        if (buffer)
            job->ops->host_free(buffer);
    }
}

int apsp_job_verify(struct apsp_job *job)
{
    struct csr edges = {0};
    size_t wanted = job->options.verify < job->plan.n ? job->options.verify : job->plan.n;
    double begun = clock_seconds();
    if (wanted == 0)
        return APSP_OK;
    size_t *rows = malloc(wanted * sizeof *rows);
    if (!rows)
        error_set(&job->error, APSP_MEMORY, "no memory to verify on %s", job->comm->host);
    if (agree(job) == APSP_OK) {
        if (csr_load(&edges, &job->edges, true, &job->error) == APSP_OK) {
            if (dtype_info[job->plan.dtype].real)
                csr_convert(&edges);
            verify_rows(job, &edges, rows, certify_choose(rows, wanted, job->plan.n));
        }
        csr_free(&edges);
    }
    free(rows);
    if (agree(job))
        return job->error.code;
    job->report.seconds.verify = since(job, begun);
    job->report.verified = wanted;
    job->report.passed = true;
    return APSP_OK;
}

/* One line per rank: where it runs. Only rank 0 gets them; the caller frees. NULL: see the job's error. */
static char *gather_places(struct apsp_job *job)
{
    enum { LINE = 320 };
    char mine[LINE];
    char *text = NULL, *end;
    const struct range rows = job->plan.rows;
    const char *gpu = job->device.place;
    int used = snprintf(mine, sizeof mine, "rank %d: %s, %s%s%scores %s, %d thread%s, ", job->comm->rank,
                        job->comm->host, *gpu ? "GPU " : "", gpu, *gpu ? ", " : "", job->topology.cores,
                        job->topology.threads, job->topology.threads == 1 ? "" : "s");
    if (range_length(rows) > 0)
        snprintf(mine + used, sizeof mine - (size_t)used, "rows %zu to %zu\n", rows.lo, rows.hi - 1);
    else
        snprintf(mine + used, sizeof mine - (size_t)used, "no rows\n");
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

static void complete_report(struct apsp_job *job)
{
    struct report *report = &job->report;
    report->graph = job->graph.path;
    report->vertices = job->graph.n;
    report->edges = job->graph.m;
    report->dtype = job->plan.dtype;
    report->real = job->proof.real;
    if (job->proof.real)
        report->bound_real = job->proof.bound.real;
    else
        report->bound = job->proof.bound.whole;
    report->reach = job->proof.reach;
    report->proof = job->proof.seconds;
    report->device = job->ops->name;
    report->kernel = job->ops->describe(job->backend);
    report->transport = job->transport.ops ? job->transport.ops->name : "none";
    report->tile = job->plan.tile;
    report->rounds = job->schedule.count;
    report->ranks = job->comm->ranks;
    report->nodes = job->comm->nodes;
    report->threads = (int)comm_most(job->comm, (size_t)job->topology.threads);
    report->places = gather_places(job);
    report->seconds.total = comm_max(job->comm, clock_seconds() - job->started);
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

/* A name that somebody has taken during the run is noticed before any result has its own. */
static void check_names(struct apsp_job *job)
{
    const struct apsp_options *options = &job->options;
    const char *const names[] = {options->distances, options->predecessors, options->json};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && job->error.code == APSP_OK)
            staged_check(names[i], options->graph, options->force, &job->error);
}

static int commit_outputs(struct apsp_job *job)
{
    if (job->predecessors && output_commit(job->predecessors, &job->error))
        return job->error.code;
    return job->output ? output_commit(job->output, &job->error) : APSP_OK;
}

/* The JSON report is written first, since that may fail, and named last: it never stands without results. */
int apsp_job_commit(struct apsp_job *job)
{
    complete_report(job);
    if (job->json.made && !job->error.code)
        write_json(job);
    if (job->comm->rank == 0)
        check_names(job);
    if (agree(job) == APSP_OK && commit_outputs(job) == APSP_OK) {
        if (job->json.made)
            staged_publish(&job->json, &job->error);
        agree(job);
    }
    if (job->comm->rank == 0 && !job->options.quiet && !job->error.code)
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
    output_free(job->predecessors);
    output_free(job->output);
    transport_free(&job->transport);
    if (job->backend)
        job->ops->free(job->backend);
    schedule_free(&job->schedule);
    proof_free(&job->proof);
    free(job->report.places);
    edges_free(&job->edges);
    graph_close(&job->graph);
    comm_free(job->comm);
    free(job);
}

void apsp_finish(void)
{
    comm_finish();
}
