/* The last step of a command's run: the files get their names, and the report is written. */
#include "job/job.h"

#include "base/clock.h"
#include "rows/output.h"
#include "rows/sink_stats.h"
#include "rows/stats.h"

#include <stdlib.h>
#include <string.h>

/* One line per rank: where it runs. Only rank 0 gets them; the caller frees. NULL: see the job's error. */
static char *gather_places(struct job *job)
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
    if (comm_agree(job->comm, &job->error))
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
static void complete_phases(struct job *job)
{
    struct report *report = &job->report;
    double edges = (double)job->graph.m;
    report->read = (struct report_phase){"read", report->read.seconds, edges, "edges/s"};
    report->build = (struct report_phase){"build", report->build.seconds, edges, "edges/s"};
    report->solve = (struct report_phase){"solve", report->solve.seconds, job->plan.work, "relaxations/s"};
    report->rows =
        (struct report_phase){job->plan.row_step, report->rows.seconds, report->rows.amount, "relaxations/s"};
    report->sums = (struct report_phase){"path sums", report->sums.seconds, report->sums.amount, "visits/s"};
    for (int i = 0; sink_table[i] && report->sinks < SINKS_MAX; i++) {
        const struct sink *sink = sinks_find(&job->sinks, sink_table[i]->name);
        struct report_phase *phase = &report->sink[report->sinks++];
        *phase = (struct report_phase){.name = sink_table[i]->name};
        if (sink)
            *phase = (struct report_phase){sink->ops->name, sink->seconds, sink->amount, sink->unit};
    }
}

static void complete_report(struct job *job)
{
    struct report *report = &job->report;
    const struct sink *certificate = sinks_find(&job->sinks, "verify");
    report->graph = job->graph.path;
    report->about = *job->graph.about ? job->graph.about : NULL;
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
    report->verified = certificate ? certificate->rows : 0;
    complete_phases(job);
    report->places = gather_places(job);
    report->total = comm_max(job->comm, clock_seconds() - job->started);
}

static void write_json(struct job *job)
{
    char *text = report_json(&job->report);
    if (text)
        output_all(&job->file[JOB_REPORT], text, strlen(text), &job->error);
    else
        error_set(&job->error, APSP_MEMORY, "no memory for the JSON report");
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

static void write_scale(struct job *job)
{
    char text[SCALE_TEXT];
    int length = snprintf(text, sizeof text, "%.17g\n", sink_divisor(&job->sink_task));
    output_all(&job->file[JOB_SCALE], text, (size_t)length, &job->error);
}

static void write_files(struct job *job)
{
    const struct job_options *options = &job->options;
    const struct engine_report *engine = &job->report.engine;
    if (job->file[JOB_PLOT].made)
        stats_plot(sink_stats_result(sinks_find(&job->sinks, sink_stats.name)), job->file[JOB_PLOT].fd,
                   &job->error);
    if (job->file[JOB_ORDER].made && !job->error.code)
        output_all(&job->file[JOB_ORDER], engine->kept, engine->kept_bytes, &job->error);
    if (job->file[JOB_NAMES].made && !job->error.code)
        output_text(&job->file[JOB_NAMES], print_names, &job->graph, &job->error);
    if (job->file[JOB_SCALE].made && !job->error.code)
        write_scale(job);
    if (job->file[JOB_REPORT].made && !job->error.code)
        write_json(job);
    for (int i = 0; i < JOB_FILES && !job->error.code; i++)
        if (job->file[i].made)
            staged_check(job_path(job, i), options->graph, options->force, &job->error);
}

/* Whether a result goes where the report would. */
static bool takes_stdout(const struct job *job)
{
    bool taken = false;
    for (int i = 0; i < JOB_FILES; i++)
        taken |= job_path(job, i) && staged_is_stdout(job_path(job, i));
    for (int i = 0; sink_table[i]; i++) {
        const char *path = sink_table[i]->path ? sink_table[i]->path(&job->options) : NULL;
        taken |= path && staged_is_stdout(path);
    }
    return taken;
}

/* A name that somebody has taken during the run is noticed before any result has its own. The JSON report is
 * written first, since that may fail, and named last: it never stands without results. */
int job_commit(struct job *job)
{
    const struct job_options *options = &job->options;
    complete_report(job);
    if (!job->error.code)
        write_files(job);
    if (comm_agree(job->comm, &job->error) == APSP_OK && sinks_confirm(&job->sinks, &job->error) == APSP_OK &&
        sinks_publish(&job->sinks, &job->error) == APSP_OK) {
        for (int i = 0; i < JOB_FILES && !job->error.code; i++)
            if (job->file[i].made)
                staged_publish(&job->file[i], &job->error);
        comm_agree(job->comm, &job->error);
    }
    if (job->comm->rank == 0 && !options->quiet && !job->error.code)
        report_print(&job->report, takes_stdout(job) ? stderr : stdout);
    return job->error.code;
}
