/*
 * The sink of the page of statistics (page.h): that of statistics, and betweenness beside it. Where
 * betweenness needs no rows, it comes in a second pass, whose blocks it makes itself; then the
 * first pass has whatever the engine counts on its way.
 */
#include "base/mem.h"
#include "comm/comm.h"
#include "rows/betweenness.h"
#include "rows/output.h"
#include "rows/page.h"
#include "rows/sink_stats.h"
#include "rows/stats_plan.h"

#include <stdlib.h>

/* What the sink of statistics gets. */
struct child {
    struct results results;
    struct sink_task task;
};

struct state {
    struct child child;
    struct sink stats;
    struct betweenness *betweenness; /* NULL: there is none, for this reason. */
    struct apsp_error without;
    bool hidden;           /* Rounding hides which paths of this rank are shortest. */
    bool later;            /* Betweenness comes in a pass of its own. */
    bool counted, written; /* The first pass is over, or the last one. */
};

static const char *path(const struct results *results)
{
    return results->stats && stats_is_page(results->stats) ? results->stats : NULL;
}

static void child_make(struct child *child, const struct sink_task *task)
{
    const bool sums = task->algebra.kind == ALGEBRA_SHORTEST;
    child->results = *task->results;
    child->task = *task;
    child->task.results = &child->results;
    child->results.stats = child->results.plot = NULL;
    child->results.counted &= ~(unsigned)APSP_STATS_EXACT;
    child->results.counted |= APSP_STATS_HISTOGRAM | (sums ? APSP_STATS_HARMONIC : 0);
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    const struct betweenness_plan plan = betweenness_plan_of(task, lanes);
    struct child child;
    child_make(&child, task);
    struct sink_need need = sink_stats.need(&child.task, lanes);
    mem_add(&need.host, need.host, betweenness_need(task->n, task->m, &plan));
    mem_add(&need.host, need.host, page_need(sink_rows(task)));
    need.device = 0; /* rows come to the host */
    need.visits = (double)sink_rows(task) * ((double)task->n + (double)task->m);
    return need;
}

static unsigned counts(const struct sink_task *task)
{
    const struct betweenness_plan plan = betweenness_plan_of(task, 1);
    struct child child;
    child_make(&child, task);
    return betweenness_has_no_rows(&plan) ? sink_stats.counts(&child.task) : 0;
}

static struct count_target histogram(const struct sink *sink)
{
    return sink_stats.histogram(&((const struct state *)sink->state)->stats);
}

/* Weights that have no betweenness leave the page without it. */
static int open_betweenness(struct state *state, const struct sink_task *task,
                            struct apsp_error *error)
{
    const struct betweenness_plan plan = betweenness_plan_of(task, 1);
    if (task->algebra.kind != ALGEBRA_SHORTEST) {
        error_set(&state->without, APSP_USAGE, "%s %s: has no betweenness", SETTING(PATHS),
                  algebra_name(task->algebra.kind));
        return APSP_OK;
    }
    if (betweenness_new(&state->betweenness, &plan, &state->without) == APSP_MEMORY)
        *error = state->without;
    state->later = betweenness_has_no_rows(&plan);
    return error->code;
}

static int open_state(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct state *state = calloc(1, sizeof *state);
    sink->state = state;
    if (!state)
        return error_set(error, APSP_MEMORY, "no memory for statistics on %s", task->comm->host);
    child_make(&state->child, task);
    state->stats = (struct sink){.ops = &sink_stats, .task = &state->child.task};
    return sink_stats.open(&state->stats, error) ? error->code
                                                 : open_betweenness(state, task, error);
}

static int maker(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error)
{
    struct state *state = sink->state;
    return state->counted
               ? betweenness_maker(state->betweenness, sink->task->comm, list, count, maker, error)
               : APSP_OK;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct state *state = sink->state;
    if (!state->counted && sink_stats.take(&state->stats, lane, block, error))
        return error->code;
    struct apsp_error own = {0};
    if (!state->betweenness || state->counted != state->later ||
        betweenness_take(state->betweenness, lane, block, &own) == APSP_OK)
        return APSP_OK;
    if (own.code != APSP_INPUT) {
        *error = own;
        return error->code;
    }
#pragma omp atomic write
    state->hidden = true;
    return APSP_OK;
}

/* All ranks have the betweenness, or none. */
static double *merge_betweenness(struct state *state, struct comm *comm, struct apsp_error *error)
{
    if (comm_sum(comm, state->hidden) == 0)
        return betweenness_merge(state->betweenness, comm, error);
    error_set(&state->without, APSP_INPUT,
              "%s: some weights are so small beside the distances that rounding hides which paths "
              "are shortest",
              SETTING(BETWEENNESS));
    comm_agree(comm, error);
    return NULL;
}

static int write_page(const struct sink *sink, struct apsp_error *error)
{
    struct state *state = sink->state;
    const struct sink_task *task = sink->task;
    double *values = NULL;
    if (state->betweenness)
        values = merge_betweenness(state, task->comm, error);
    for (size_t v = 0; values && v < task->n; v++)
        values[v] *= sink_sample_factor(task);
    const struct page page = {.stats = sink_stats_result(&state->stats),
                              .labels = task->certificate.labels,
                              .graph = task->results->graph ? task->results->graph : "",
                              .betweenness = values,
                              .without = values ? NULL : state->without.text};
    return !error->code && task->comm->rank == 0 ? page_write(sink->staged, &page, error)
                                                 : error->code;
}

/* All ranks go on to the merge of the betweenness, which ends in agreement. */
static int merge(struct sink *sink, struct apsp_error *error)
{
    struct state *state = sink->state;
    const bool first = !state->counted;
    if (first)
        sink_stats.merge(&state->stats, error);
    state->counted = true;
    state->written = !(first && state->later && state->betweenness);
    sink->rows = sink_rows(sink->task);
    sink->amount = (double)sink->rows;
    sink->unit = "rows/s";
    return state->written ? write_page(sink, error) : error->code;
}

static bool again(const struct sink *sink)
{
    const struct state *state = sink->state;
    return state->counted && !state->written;
}

static void close_state(struct sink *sink)
{
    struct state *state = sink->state;
    if (!state)
        return;
    sink_stats.close(&state->stats);
    betweenness_free(state->betweenness);
    free(state);
}

const struct sink_ops sink_page = {
    .name = "page",
    .wants_edges = true,
    .works = true,
    .path = path,
    .setting = SETTING_STATS,
    .suffixes = ".html",
    .stages = true,
    .counts = counts,
    .histogram = histogram,
    .need = need,
    .open = open_state,
    .maker = maker,
    .take = take,
    .merge = merge,
    .again = again,
    .close = close_state,
};
