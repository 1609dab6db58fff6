/* The sink that writes the betweenness of all vertices. */
#include "base/digits.h"
#include "base/mem.h"
#include "base/text.h"
#include "rows/betweenness.h"
#include "rows/output.h"
#include "rows/sink.h"

#include <math.h>
#include <stdlib.h>

struct state {
    struct betweenness *betweenness;
    double *values;               /* The sums of all ranks, on rank 0. */
    struct apsp_edge_value *edge; /* Those of edges, if they are wanted, */
    size_t edges;                 /* so many. */
};

static const char *path(const struct results *results)
{
    return results->betweenness;
}

static struct betweenness_plan plan_of(const struct sink_task *task, int lanes)
{
    struct betweenness_plan plan = betweenness_plan_of(task, lanes);
    plan.target = task->targets ? task->targets->vertex : NULL;
    plan.targets = task->targets ? task->targets->count : 0;
    plan.between = task->results->between;
    return plan;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    const struct betweenness_plan plan = plan_of(task, lanes);
    const bool none = betweenness_has_no_rows(&plan);
    return (struct sink_need){
        .host = betweenness_need(task->n, task->m, &plan),
        .device = none ? 0 : betweenness_device_need(task->n, task->m, &plan, sink_rows(task)),
        .no_rows = none,
        .visits = (double)sink_rows(task) * ((double)task->n + (double)task->m)};
}

static bool on_device(const struct sink_task *task)
{
    const struct betweenness_plan plan = plan_of(task, 1);
    return betweenness_on_device(&plan);
}

/* Any counts will do where no rows are needed. */
static unsigned counts(const struct sink_task *task)
{
    const struct betweenness_plan plan = plan_of(task, 1);
    return betweenness_has_no_rows(&plan) ? APSP_STATS_OUT : 0;
}

static int open_state(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct state *state = calloc(1, sizeof *state);
    sink->state = state;
    if (!state)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness on %s",
                         task->comm->host);
    const struct betweenness_plan plan = plan_of(task, 1);
    return betweenness_new(&state->betweenness, &plan, error);
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    return betweenness_take(((struct state *)sink->state)->betweenness, lane, block, error);
}

static int save(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error)
{
    part[0] = (struct sink_part){.most = false};
    part[0].word =
        betweenness_sums(((struct state *)sink->state)->betweenness, &part[0].words, error);
    return 1;
}

static int maker(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error)
{
    return betweenness_maker(((struct state *)sink->state)->betweenness, sink->task->comm, list,
                             count, maker, error);
}

static const char *name_of(const struct sink *sink)
{
    const struct results_between *between = &sink->task->results->between;
    return between->stress ? "stress" : between->load ? "load" : "betweenness";
}

static bool has_edges(const struct sink *sink)
{
    return sink->task->results->between.edges;
}

/* The values of a line, and its end. */
static char *put_values(char *out, const struct state *state, double value, bool edge)
{
    *out++ = ',';
    out = digits_real(out, value, DIGITS_SHORT);
    *out++ = ',';
    out = digits_real(out, value * betweenness_share(state->betweenness, edge), DIGITS_SHORT);
    *out++ = '\n';
    return out;
}

static char *put_vertex(char *out, const void *self, size_t v)
{
    const struct sink *sink = self;
    const struct state *state = sink->state;
    out = label_put_csv(out, sink->task->certificate.labels, v);
    return put_values(out, state, state->values[v], false);
}

static char *put_edge(char *out, const void *self, size_t e)
{
    const struct sink *sink = self;
    const struct state *state = sink->state;
    const struct labels labels = sink->task->certificate.labels;
    out = label_put_csv(out, labels, state->edge[e].from);
    *out++ = ',';
    out = label_put_csv(out, labels, state->edge[e].to);
    return put_values(out, state, state->edge[e].value, true);
}

static int write_csv(const struct sink *sink, struct apsp_error *error)
{
    struct state *state = sink->state;
    const bool edges = has_edges(sink);
    const size_t label = label_csv_most(sink->task->certificate.labels);
    char head[64];
    snprintf(head, sizeof head, "%s,%s,normalized\n", edges ? "from,to" : "vertex", name_of(sink));
    const struct output_lines lines = {.head = head,
                                       .count = edges ? state->edges : sink->task->n,
                                       .most = (edges ? 2 * label + 1 : label) +
                                               2 * (size_t)(DIGITS_ROOM + 1) + 1,
                                       .put = edges ? put_edge : put_vertex,
                                       .self = sink,
                                       .threads = sink->task->threads};
    return output_lines(sink->staged, &lines, error);
}

static void print_array(FILE *out, const char *name, const double *values, double factor, size_t n)
{
    fprintf(out, ",\n\t\"%s\":\t[", name);
    for (size_t v = 0; v < n; v++)
        fprintf(out, "%s%.15g", v > 0 ? ", " : "", values[v] * factor);
    fputc(']', out);
}

/* The most by which a normalized value may be off, for all `count` values at once, in 95 % of
 * samples (W. Hoeffding, Journal of the American Statistical Association 58, 1963, section 6): the
 * dependency of a source is a part of the n - 1, or n - 2, that it may be. No value is off by more
 * than 1. Where there are no values, there is no bound. */
#define CONFIDENCE 0.95
static void print_error(FILE *out, const struct sink *sink, const char *name, size_t count)
{
    const double n = (double)sink->task->n, k = (double)sink_rows(sink->task);
    if (n > 1 && count > 0)
        fprintf(out, ",\n\t\"%s\":\t%.3g", name,
                fmin(1, sqrt(log(2 * (double)count / (1 - CONFIDENCE)) / (2 * k)) * n / (n - 1)));
}

/* The members about a sample of sources. Numbers of paths have no bound of their error. */
static void print_sample(FILE *out, const struct sink *sink)
{
    const struct state *state = sink->state;
    if (!sink->task->sources || !sink->task->sources->random)
        return;
    fprintf(out, ",\n\t\"seed\":\t%llu", (unsigned long long)sink->task->results->seed);
    if (sink->task->results->between.stress)
        return;
    fprintf(out, ",\n\t\"confidence\":\t%g", CONFIDENCE);
    print_error(out, sink, "error", sink->task->n);
    print_error(out, sink, "edge_error", state->edges);
}

static void print_edges(FILE *out, const struct sink *sink)
{
    const struct state *state = sink->state;
    const struct labels labels = sink->task->certificate.labels;
    const double share = betweenness_share(state->betweenness, true);
    fputs(",\n\t\"edges\":\t[", out);
    for (size_t e = 0; e < state->edges; e++) {
        fputs(e > 0 ? ", [" : "[", out);
        label_print_json(out, labels, state->edge[e].from);
        fputs(", ", out);
        label_print_json(out, labels, state->edge[e].to);
        fprintf(out, ", %.15g, %.15g]", state->edge[e].value, state->edge[e].value * share);
    }
    fputc(']', out);
}

static void print_json(FILE *out, const void *self)
{
    const struct sink *sink = self;
    const struct sink_task *task = sink->task;
    const struct state *state = sink->state;
    fprintf(out, "{\n\t\"vertices\":\t%zu,\n\t\"sources\":\t%zu,\n\t\"directed\":\t%s", task->n,
            sink_rows(task), betweenness_is_directed(state->betweenness) ? "true" : "false");
    print_sample(out, sink);
    fputs(",\n\t\"vertex\":\t[", out);
    for (size_t v = 0; v < task->n; v++) {
        fputs(v > 0 ? ", " : "", out);
        label_print_json(out, task->certificate.labels, v);
    }
    fputc(']', out);
    print_array(out, name_of(sink), state->values, 1, task->n);
    print_array(out, "normalized", state->values, betweenness_share(state->betweenness, false),
                task->n);
    if (has_edges(sink))
        print_edges(out, sink);
    fputs("\n}\n", out);
}

static int write_file(const struct sink *sink, struct apsp_error *error)
{
    return text_has_suffix(path(sink->task->results), ".json")
               ? output_text(sink->staged, print_json, sink, error)
               : write_csv(sink, error);
}

static void scale(const struct sink *sink)
{
    struct state *state = sink->state;
    const double factor = sink_sample_factor(sink->task);
    for (size_t v = 0; v < sink->task->n; v++)
        state->values[v] *= factor;
    for (size_t e = 0; e < state->edges; e++)
        state->edge[e].value *= factor;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct state *state = sink->state;
    state->values = betweenness_merge(state->betweenness, sink->task->comm, error);
    sink->rows = sink_rows(sink->task);
    sink->amount = (double)sink->rows;
    sink->unit = "rows/s";
    if (error->code || sink->task->comm->rank > 0)
        return error->code;
    if (has_edges(sink))
        state->edge = betweenness_edges(state->betweenness, &state->edges, error);
    if (error->code)
        return error->code;
    scale(sink);
    return write_file(sink, error);
}

static void close_state(struct sink *sink)
{
    struct state *state = sink->state;
    if (!state)
        return;
    betweenness_free(state->betweenness);
    free(state->edge);
    free(state);
}

const struct sink_ops sink_betweenness = {
    .name = "betweenness",
    .wants_edges = true,
    .works = true,
    .path = path,
    .setting = SETTING_BETWEENNESS,
    .suffixes = ".json .csv .txt",
    .stages = true,
    .on_device = on_device,
    .counts = counts,
    .need = need,
    .open = open_state,
    .maker = maker,
    .take = take,
    .save = save,
    .merge = merge,
    .close = close_state,
};
