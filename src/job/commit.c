/*
 * The last step of a command's run: the files get their names, and the report is written. Whatever
 * fails here, and has failed before, costs no file that is complete: each is named by itself, and
 * the line that tells of the failure says where it is.
 */
#include "job/job.h"

#include "base/clock.h"
#include "base/standard.h"
#include "rows/output.h"
#include "rows/sink_stats.h"
#include "rows/stats.h"

#include <stdlib.h>
#include <string.h>

/* One line per rank: where it runs. Only rank 0 gets them; the caller frees. NULL: see the job's
 * error. */
static char *gather_places(struct job *job)
{
    char mine[REPORT_LINE];
    char *text = NULL, *end;
    const char *gpu = job->device.place;
    snprintf(mine, sizeof mine, "rank %d: %s, %s%s%scores %s, %d thread%s%s%s\n", job->comm->rank,
             job->comm->host, *gpu ? "GPU " : "", gpu, *gpu ? ", " : "", job->topology.cores,
             job->topology.threads, job->topology.threads == 1 ? "" : "s",
             *job->plan.place ? ", " : "", job->plan.place);
    if (job->comm->rank == 0 && !(text = calloc((size_t)job->comm->ranks, REPORT_LINE)))
        error_set(&job->error, APSP_MEMORY, "no memory for the report");
    if (comm_agree(job->comm, &job->error))
        return NULL;
    comm_gather(job->comm, mine, REPORT_LINE, text);
    end = text;
    for (int r = 0; text && r < job->comm->ranks; r++) { /* closes the gaps */
        size_t length = strlen(text + (size_t)r * REPORT_LINE);
        memmove(end, text + (size_t)r * REPORT_LINE, length);
        end += length;
        *end = '\0';
    }
    return text;
}

/* A line for each sink that there is, of no time where the run has none. */
static void complete_phases(struct job *job)
{
    struct report *report = &job->report;
    const struct checkpoint_figures before = checkpoint_figures(job->checkpoint);
    const double edges = (double)job->graph.m, rows = (double)sink_rows(&job->sink_task),
                 share = before.rows ? 1 - (double)before.resumed / rows
                                     : 1; /* of the rows, by this run */
    report->read = (struct report_phase){"read", report->read.seconds, edges, "edges/s"};
    report->build = (struct report_phase){"build", report->build.seconds, edges, "edges/s"};
    report->solve = (struct report_phase){"solve", report->solve.seconds, job->plan.work,
                                          job->engine->ops->unit};
    report->rows = (struct report_phase){job->plan.row_step, report->rows.seconds,
                                         report->rows.amount, job->engine->ops->unit};
    report->sums =
        (struct report_phase){"path sums", report->sums.seconds, report->sums.amount, "visits/s"};
    for (int i = 0; sink_table[i] && report->sinks < SINKS_MAX; i++) {
        const struct sink *sink = sinks_find(&job->sinks, sink_table[i]->name);
        struct report_phase *phase = &report->sink[report->sinks++];
        *phase = (struct report_phase){.name = sink_table[i]->name};
        if (report->check.name && strcmp(report->check.name, phase->name) == 0)
            *phase = report->check;
        if (sink)
            *phase = (struct report_phase){sink->ops->name, sink->seconds, sink->amount * share,
                                           sink->unit};
    }
}

static void complete_report(struct job *job)
{
    struct report *report = &job->report;
    const struct sink *certificate = sinks_find(&job->sinks, "verify");
    report->graph = job->graph.path;
    report->about = *job->graph.about ? job->graph.about : NULL;
    report->notes = job->graph.notes;
    report->vertices = job->graph.n;
    report->numbering = job->graph.numbering;
    report->edges = job->graph.m;
    report->parallel = report->engine.parallel;
    report->loops = job->census.loops;
    report->dtype = job->proof.dtype;
    report->real = job->proof.real;
    report->exact = job->proof.exact;
    report->summed = job->summed;
    report->bound = job->proof.bound;
    report->file = job->sink_task.file;
    report->scaled = job->graph.scaled;
    report->scale = job->sink_task.scale;
    report->reach = job->proof.reach;
    report->proof = job->proof.seconds;
    report->device = job->engine->ops->on_device ? job->device.ops->name : device_cpu.name;
    report->method = job->engine->ops->name;
    report->solver = job->plan.text;
    report->reasons = job->methods.reasons;
    report->ranks = job->comm->ranks;
    report->nodes = job->comm->nodes;
    report->threads = (int)comm_most(job->comm, (size_t)job->topology.threads);
    if (certificate)
        report->verified = certificate->rows;
    report->seed = job->options.results.seed;
    report->read_back = job->options.results.read_back;
    report->checkpoint = checkpoint_figures(job->checkpoint);
    complete_phases(job);
    report->places = gather_places(job);
    report->total = comm_max(job->comm, clock_seconds() - job->started);
}

static void write_json(struct job *job, struct apsp_error *error)
{
    char *text = report_json(&job->report);
    if (text)
        output_all(&job->file[JOB_REPORT], text, strlen(text), error);
    else
        error_set(error, APSP_MEMORY, "no memory for the JSON report");
    free(text);
}

/* One a line. */
static void print_names(FILE *out, const void *self)
{
    const struct graph *graph = self;
    char number[LABEL_SHOWN];
    for (size_t v = 0; v < graph->n; v++)
        fprintf(out, "%s\n", label_text(graph_labels(graph), v, number));
}

static void write_scale(struct job *job, struct apsp_error *error)
{
    char text[SCALE_TEXT];
    int length = snprintf(text, sizeof text, "%.17g\n", sink_divisor(&job->sink_task));
    output_all(&job->file[JOB_SCALE], text, (size_t)length, error);
}

/* Fills one of the files beside those of the sinks. False: the run has not come to what it would
 * say. */
static bool write_file(struct job *job, int file, struct apsp_error *error)
{
    const struct sink *stats = sinks_find(&job->sinks, sink_stats.name);
    struct staged *staged = &job->file[file];
    if (file == JOB_PLOT && !(stats && stats->merged && !stats->lost))
        return false;
    if (file == JOB_PLOT)
        stats_plot(sink_stats_result(stats), staged->fd, error);
    else if (file == JOB_ORDER)
        output_all(staged, job->report.engine.kept, job->report.engine.kept_bytes, error);
    else if (file == JOB_NAMES)
        output_text(staged, print_names, &job->graph, error);
    else if (file == JOB_SCALE)
        write_scale(job, error);
    else
        write_json(job, error);
    return error->code == APSP_OK;
}

/* What follows the job's error on its line. Without memory that is all that is lost. */
static void add_detail(struct job *job, const char *text, const char *what)
{
    char *detail;
    if (asprintf(&detail, "%s; %s%s", job->detail ? job->detail : job_detail(job), text, what) < 0)
        return;
    free(job->detail);
    job->detail = detail;
}

/* The first error is the job's. */
static void add_error(struct job *job, const struct apsp_error *own)
{
    if (own->code && job->error.code)
        add_detail(job, own->text, "");
    else if (own->code)
        job->error = *own;
}

static void name_file(struct job *job, struct staged *staged, enum staged_name as)
{
    struct apsp_error own = {0};
    const bool named_by_checkpoint = staged && as == STAGED_KEPT && staged->retained;
    if (!staged || !staged_is_pending(staged) || named_by_checkpoint)
        return;
    if (staged_publish(staged, as, &own) == APSP_OK && staged->place)
        add_detail(job, staged->place, " is complete");
    add_error(job, &own);
}

static void make_file(struct job *job, int file, enum staged_name as)
{
    struct apsp_error own = {0};
    if (!staged_is_pending(&job->file[file]))
        return;
    if (write_file(job, file, &own)) {
        staged_complete(&job->file[file]);
        name_file(job, &job->file[file], as);
    }
    add_error(job, &own);
}

/* Multiples never stand without what they are to be divided by. Of a run that was stopped with a
 * checkpoint nothing is kept: who goes on makes it anew. */
static void make_files(struct job *job)
{
    if (job->error.code == APSP_STOPPED)
        return;
    enum staged_name as = job->error.code == APSP_REFUTED ? STAGED_REFUTED
                          : job->error.code               ? STAGED_KEPT
                                                          : STAGED_TARGET;
    make_file(job, JOB_SCALE, as);
    if (as == STAGED_TARGET && job->error.code)
        as = STAGED_KEPT;
    for (int i = job->sinks.count; i-- > 0;)
        name_file(job, sinks_file(&job->sinks, i), as);
    for (int i = 0; i < JOB_REPORT; i++)
        if (i != JOB_SCALE)
            make_file(job, i, as);
}

/* Whether a result goes where the report would. */
static bool takes_stdout(const struct job *job)
{
    bool taken = false;
    for (int i = 0; i < JOB_FILES; i++)
        taken |= job_path(job, i) && staged_is_stdout(job_path(job, i));
    for (int i = 0; sink_table[i]; i++) {
        const char *path = sink_table[i]->path ? sink_table[i]->path(&job->options.results) : NULL;
        taken |= path && staged_is_stdout(path);
    }
    return taken;
}

static const char *what_is(const struct job *job, const struct sink_ops *ops)
{
    const char *path = ops->path ? ops->path(&job->options.results) : NULL;
    return path && path == job->options.results.distances ? "distances" : ops->name;
}

/* Hashes what there is. */
static void trace_files(struct job *job)
{
    static const char *const what[] = {
        [JOB_PLOT] = "plot", [JOB_ORDER] = "order", [JOB_NAMES] = "names", [JOB_SCALE] = "scale"};
    struct trace *trace = &job->report.trace;
    struct hasher *hasher = job->graph.hasher;
    job->graph.hasher = NULL;
    trace->graph.hashed = hash_end(hasher, &trace->graph.hash);
    for (int i = 0; i < job->sinks.count; i++) {
        const struct staged *staged = sinks_file(&job->sinks, i);
        if (staged)
            trace_add(trace, what_is(job, job->sinks.at[i].ops), staged, job->comm,
                      job->topology.threads);
    }
    for (int i = 0; i < JOB_REPORT; i++)
        if (comm_sum(job->comm, job->file[i].state >= STAGED_COMPLETE) > 0)
            trace_add(trace, what[i], job_path(job, i) ? &job->file[i] : NULL, job->comm,
                      job->topology.threads);
}

/* Why it cannot be written is told behind the failure. */
void job_report_failure(struct job *job)
{
    struct staged *staged = &job->file[JOB_REPORT];
    struct apsp_error own = {0};
    const char *path = job_path(job, JOB_REPORT);
    const bool replaces = job_may_replace(job, JOB_REPORT);
    if (!path || !job->begun || job->reported || job->options.estimate)
        return;
    job->report.graph = job->options.graph;
    job->report.checkpoint = checkpoint_figures(job->checkpoint);
    job->report.trace.status = job->error.code;
    job->report.trace.error = job->error.text;
    job->report.trace.detail = job_detail(job);
    if (!staged_is_pending(staged) &&
        staged_check(path, options_inputs(&job->options).path, replaces, &own) == APSP_OK)
        staged_create(staged, path, replaces, &own);
    staged->space.never = true; /* a failure does not wait */
    if (!own.code)
        write_json(job, &own);
    if (!own.code) {
        staged_complete(staged);
        staged_publish(staged, STAGED_TARGET, &own);
    }
    if (strcmp(own.text, job->error.text) != 0)
        add_error(job, &own);
}

/* On rank 0. */
static void make_reports(struct job *job)
{
    job->reported = true;
    make_file(job, JOB_REPORT, STAGED_TARGET);
    if (job->options.quiet || job->error.code)
        return;
    report_print(&job->report, takes_stdout(job) ? stderr : stdout);
    standard_flush(&job->error);
}

int job_commit(struct job *job)
{
    for (int i = 0; i < JOB_WATCHED; i++) /* what is complete is not the other ranks' to remove */
        staged_free(&job->watched[i]);
    if (job->comm->rank == 0)
        make_files(job);
    if (job->options.json)
        trace_files(job);
    if (comm_agree(job->comm, &job->error) == APSP_OK)
        complete_report(job);
    if (job->comm->rank == 0 && !job->error.code)
        make_reports(job);
    return comm_agree(job->comm, &job->error);
}
