/*
 * The last step of a command's run: the files get their names, and the report is written. Whatever
 * fails here, and has failed before, costs no file that is complete: each is named by itself, and
 * the line that tells of the failure says where it is.
 */
#include "run/files.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/standard.h"
#include "rows/output.h"
#include "rows/sink_stats.h"
#include "rows/stats.h"

#include <stdlib.h>
#include <string.h>

/* One line per rank: where it runs. Only rank 0 gets them; the caller frees. NULL: see the solver's
 * error. */
static char *gather_places(struct run *run)
{
    char mine[REPORT_LINE];
    char *text = NULL, *end;
    const char *gpu = run->solver->device.place;
    snprintf(mine, sizeof mine, "rank %d: %s, %s%s%scores %s, %d thread%s%s%s\n",
             run->solver->comm->rank, run->solver->comm->host, *gpu ? "GPU " : "", gpu,
             *gpu ? ", " : "", run->solver->topology.cores, run->solver->topology.threads,
             run->solver->topology.threads == 1 ? "" : "s", *run->solver->plan.place ? ", " : "",
             run->solver->plan.place);
    if (run->solver->comm->rank == 0 &&
        !(text = calloc((size_t)run->solver->comm->ranks, REPORT_LINE)))
        error_set(&run->solver->error, APSP_MEMORY, "no memory for the report");
    if (comm_agree(run->solver->comm, &run->solver->error)) {
        free(text);
        return NULL;
    }
    comm_gather(run->solver->comm, mine, REPORT_LINE, text);
    end = text;
    for (int r = 0; text && r < run->solver->comm->ranks; r++) { /* closes the gaps */
        size_t length = strlen(text + (size_t)r * REPORT_LINE);
        memmove(end, text + (size_t)r * REPORT_LINE, length);
        end += length;
        *end = '\0';
    }
    return text;
}

/* A line for each sink that there is, of no time where the run has none. */
static void complete_phases(struct run *run)
{
    struct report *report = &run->report;
    const struct solver_times *times = &run->solver->times;
    const struct checkpoint_figures before = checkpoint_figures(run->solver->checkpoint);
    const double edges = (double)run->solver->problem.graph.m,
                 rows = (double)sink_rows(&run->solver->sink_task),
                 share = before.rows ? 1 - (double)before.resumed / rows
                                     : 1; /* of the rows, by this run */
    report->read = (struct report_phase){"read", times->read, edges, "edges/s"};
    report->build = (struct report_phase){"build", times->build, edges, "edges/s"};
    report->solve = (struct report_phase){"solve", times->solve, run->solver->plan.work,
                                          run->solver->engine->ops->unit};
    report->rows = (struct report_phase){run->solver->plan.row_step, times->rows, times->rows_work,
                                         run->solver->engine->ops->unit};
    report->form = times->form;
    report->sums = (struct report_phase){"path sums", times->sums, times->sums_work, "visits/s"};
    for (int i = 0; sink_table[i] && report->sinks < SINKS_MAX; i++) {
        const struct sink *sink = sinks_find(&run->solver->sinks, sink_table[i]->name);
        struct report_phase *phase = &report->sink[report->sinks++];
        *phase = (struct report_phase){.name = sink_table[i]->name};
        if (report->check.name && strcmp(report->check.name, phase->name) == 0)
            *phase = report->check;
        if (sink)
            *phase = (struct report_phase){sink->ops->name, sink->seconds, sink->amount * share,
                                           sink->unit};
    }
}

/* Whether there were to be results, and how many pairs have a path where all that have are written.
 */
static void complete_results(struct run *run)
{
    struct report *report = &run->report;
    const struct results *results = &run->options.results;
    const struct sink *pairs = sinks_find(&run->solver->sinks, "pairs"),
                      *stats = sinks_find(&run->solver->sinks, "statistics");
    const size_t rows = sink_rows(&run->solver->sink_task), n = run->solver->problem.graph.n;
    report->writes = results->distances || results->predecessors || results->path_counts ||
                     results->stats || results->betweenness || results->diameter || results->plot ||
                     results->closure || results->access.path || results->isochrones.path ||
                     run->options.save_order || run->options.names || results->verify > 0;
    report->counted = pairs && results->nearest == 0 && !results->bounded;
    report->omits = stats && stats->merged && sink_stats_result(stats)->unreachable > 0;
    mem_mul(&report->pairs, rows,
            report->counted && run->targets.count ? run->targets.count : n - 1);
    if (report->counted)
        report->paths = (size_t)pairs->amount;
    else if (report->omits)
        report->paths = report->pairs - sink_stats_result(stats)->unreachable;
}

/* Decimals of fewer digits would become integers, and their sums exact. */
static bool has_long_decimals(const struct solver *solver)
{
    const struct graph *graph = &solver->problem.graph;
    const char *type = solver->request.dtype;
    const bool is_free = !type || strcmp(type, "auto") == 0;
    return graph->algebra.kind == ALGEBRA_SHORTEST && graph->real &&
           (graph->rough || (is_free && !graph->scaled && !graph->binary));
}

static void complete_report(struct run *run)
{
    struct report *report = &run->report;
    const struct sink *certificate = sinks_find(&run->solver->sinks, "verify");
    report->engine = run->solver->report;
    report->graph = run->solver->problem.graph.path;
    report->about = *run->solver->problem.graph.about ? run->solver->problem.graph.about : NULL;
    report->notes = run->solver->problem.graph.notes;
    report->warnings = run->solver->problem.graph.warnings;
    report->vertices = run->solver->problem.graph.n;
    report->numbering = run->solver->problem.graph.numbering;
    report->edges = run->solver->problem.graph.m;
    report->parallel = report->engine.parallel;
    report->loops = run->solver->problem.scan.loops;
    report->dtype = run->solver->problem.proof.dtype;
    report->real = run->solver->problem.proof.real;
    report->algebra = run->solver->problem.graph.algebra.kind;
    report->exact = run->solver->problem.proof.exact;
    report->rough = has_long_decimals(run->solver);
    report->summed = run->solver->summed;
    report->bound = run->solver->problem.proof.bound;
    report->file = run->solver->sink_task.file;
    report->scaled = run->solver->problem.graph.scaled;
    report->scale = run->solver->sink_task.scale;
    report->reach = run->solver->problem.proof.reach;
    report->proof = run->solver->problem.proof.seconds;
    report->device = run->solver->engine->ops->on_device && !report->engine.on_cores
                         ? run->solver->device.ops->name
                         : device_cpu.name;
    report->method = run->solver->engine->ops->name;
    report->solver = run->solver->plan.text;
    report->reasons = run->solver->methods.reasons;
    report->ranks = run->solver->comm->ranks;
    report->nodes = run->solver->comm->nodes;
    report->requested = run->solver->request.threads;
    report->threads = (int)comm_most(run->solver->comm, (size_t)run->solver->topology.threads);
    if (certificate)
        report->verified = certificate->rows;
    report->seed = run->options.results.seed;
    report->read_back = run->options.results.read_back;
    report->checkpoint = checkpoint_figures(run->solver->checkpoint);
    complete_phases(run);
    complete_results(run);
    report->places = gather_places(run);
    report->total = comm_max(run->solver->comm, clock_seconds() - run->solver->started);
}

static void write_json(struct run *run, struct apsp_error *error)
{
    char *text = report_json(&run->report);
    if (text)
        output_all(&run->file[RUN_REPORT], text, strlen(text), error);
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

static void write_scale(struct run *run, struct apsp_error *error)
{
    char text[SCALE_TEXT];
    int length = snprintf(text, sizeof text, "%.17g\n", sink_divisor(&run->solver->sink_task));
    output_all(&run->file[RUN_SCALE], text, (size_t)length, error);
}

static void write_plot(struct run *run, const struct apsp_stats *stats, struct apsp_error *error)
{
    const struct stats_drawing drawing = {stats, run->solver->problem.graph.path};
    output_text(&run->file[RUN_PLOT], stats_svg, &drawing, error);
}

/* Fills one of the files beside those of the sinks. False: the run has not come to what it would
 * say. */
static bool write_file(struct run *run, int file, struct apsp_error *error)
{
    const struct sink *stats = sinks_find(&run->solver->sinks, sink_stats.name);
    struct staged *staged = &run->file[file];
    if (file == RUN_PLOT && !(stats && stats->merged && !stats->lost))
        return false;
    if (file == RUN_PLOT)
        write_plot(run, sink_stats_result(stats), error);
    else if (file == RUN_ORDER)
        output_all(staged, run->solver->report.kept, run->solver->report.kept_bytes, error);
    else if (file == RUN_NAMES)
        output_text(staged, print_names, &run->solver->problem.graph, error);
    else if (file == RUN_SCALE)
        write_scale(run, error);
    else
        write_json(run, error);
    return error->code == APSP_OK;
}

/* The text behind the error on its line. Without memory that is all that is lost. */
static void add_detail(struct run *run, const char *text, const char *what)
{
    char *detail;
    if (asprintf(&detail, "%s; %s%s", run->detail ? run->detail : run_detail(run), text, what) < 0)
        return;
    free(run->detail);
    run->detail = detail;
}

/* The first error is the run's. */
static void add_error(struct run *run, const struct apsp_error *own)
{
    if (own->code && run->solver->error.code)
        add_detail(run, own->text, "");
    else if (own->code)
        run->solver->error = *own;
}

static void name_file(struct run *run, struct staged *staged, enum staged_name as)
{
    struct apsp_error own = {0};
    const bool named_by_checkpoint = staged && as == STAGED_KEPT && staged->retained;
    if (!staged || !staged_is_pending(staged) || named_by_checkpoint)
        return;
    if (staged_publish(staged, as, &own) == APSP_OK && staged->place)
        add_detail(run, staged->place, " is complete");
    add_error(run, &own);
}

static void make_file(struct run *run, int file, enum staged_name as)
{
    struct apsp_error own = {0};
    if (!staged_is_pending(&run->file[file]))
        return;
    if (write_file(run, file, &own)) {
        staged_complete(&run->file[file]);
        name_file(run, &run->file[file], as);
    }
    add_error(run, &own);
}

/* Multiples never stand without what they are to be divided by. Of a run that was stopped with a
 * checkpoint nothing is kept: who goes on makes it anew. */
static void make_files(struct run *run)
{
    if (run->solver->error.code == APSP_STOPPED)
        return;
    enum staged_name as = run->solver->error.code == APSP_REFUTED ? STAGED_REFUTED
                          : run->solver->error.code               ? STAGED_KEPT
                                                                  : STAGED_TARGET;
    make_file(run, RUN_SCALE, as);
    if (as == STAGED_TARGET && run->solver->error.code)
        as = STAGED_KEPT;
    for (int i = run->solver->sinks.count; i-- > 0;)
        name_file(run, sinks_file(&run->solver->sinks, i), as);
    for (int i = 0; i < RUN_REPORT; i++)
        if (i != RUN_SCALE)
            make_file(run, i, as);
}

/* Whether a result goes where the report would. */
static bool takes_stdout(const struct run *run)
{
    bool taken = false;
    for (int i = 0; i < RUN_FILES; i++)
        taken |= run_path(run, i) && staged_is_stdout(run_path(run, i));
    for (int i = 0; sink_table[i]; i++) {
        const char *path = sink_table[i]->path ? sink_table[i]->path(&run->options.results) : NULL;
        taken |= path && staged_is_stdout(path);
    }
    return taken;
}

static const char *what_is(const struct run *run, const struct sink_ops *ops)
{
    const char *path = ops->path ? ops->path(&run->options.results) : NULL;
    return path && path == run->options.results.distances ? "distances" : ops->name;
}

/* Hashes what there is. */
static void trace_files(struct run *run)
{
    static const char *const what[] = {
        [RUN_PLOT] = "plot", [RUN_ORDER] = "order", [RUN_NAMES] = "names", [RUN_SCALE] = "scale"};
    struct trace *trace = &run->report.trace;
    struct hasher *hasher = run->graph.hasher;
    run->graph.hasher = NULL;
    trace->graph.hashed = hash_end(hasher, &trace->graph.hash);
    for (int i = 0; i < run->solver->sinks.count; i++) {
        const struct staged *staged = sinks_file(&run->solver->sinks, i);
        if (staged)
            trace_add(trace, what_is(run, run->solver->sinks.at[i].ops), staged, run->solver->comm,
                      run->solver->topology.threads);
    }
    for (int i = 0; i < RUN_REPORT; i++)
        if (comm_sum(run->solver->comm, run->file[i].state >= STAGED_COMPLETE) > 0)
            trace_add(trace, what[i], run_path(run, i) ? &run->file[i] : NULL, run->solver->comm,
                      run->solver->topology.threads);
}

/* Why it cannot be written is told behind the failure. */
void run_report_failure(struct run *run)
{
    struct staged *staged = &run->file[RUN_REPORT];
    struct apsp_error own = {0};
    const char *path = run_path(run, RUN_REPORT);
    const bool replaces = run_may_replace(run, RUN_REPORT);
    if (!path || !run->begun || run->reported || run->options.estimate)
        return;
    run->report.graph = run->options.graph;
    run->report.checkpoint = checkpoint_figures(run->solver->checkpoint);
    run->report.trace.status = run->solver->error.code;
    run->report.trace.error = run->solver->error.text;
    run->report.trace.detail = run_detail(run);
    if (!staged_is_pending(staged) &&
        staged_check(path, options_inputs(&run->options).path, replaces, &own) == APSP_OK)
        staged_create(staged, path, replaces, &own);
    staged->space.never = true; /* a failure does not wait */
    if (!own.code)
        write_json(run, &own);
    if (!own.code) {
        staged_complete(staged);
        staged_publish(staged, STAGED_TARGET, &own);
    }
    if (strcmp(own.text, run->solver->error.text) != 0)
        add_error(run, &own);
}

/* On rank 0. */
static void make_reports(struct run *run)
{
    run->reported = true;
    make_file(run, RUN_REPORT, STAGED_TARGET);
    if (run->options.quiet)
        report_warn(&run->report);
    if (run->options.quiet && !run->report.writes && !run->options.json)
        fputs("apsp: " REPORT_NOTHING "\n", stderr);
    if (run->options.quiet || run->solver->error.code)
        return;
    report_print(&run->report, takes_stdout(run) ? stderr : stdout);
    standard_flush(&run->solver->error);
}

int run_commit(struct run *run)
{
    for (int i = 0; i < RUN_WATCHED; i++) /* what is complete is not the other ranks' to remove */
        staged_free(&run->watched[i]);
    if (run->solver->comm->rank == 0)
        make_files(run);
    if (run->options.json)
        trace_files(run);
    if (comm_agree(run->solver->comm, &run->solver->error) == APSP_OK)
        complete_report(run);
    if (run->solver->comm->rank == 0 && !run->solver->error.code)
        make_reports(run);
    return comm_agree(run->solver->comm, &run->solver->error);
}
