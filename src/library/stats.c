#include "library/library.h"

#include "rows/sink_stats.h"
#include "rows/stats_columns.h"

#include <string.h>

/* What was made becomes the caller's. */
static void hand_over(struct apsp_stats *stats, const struct sink *sink)
{
    struct apsp_stats *made = sink_stats_result(sink);
    *stats = *made;
    *made = (struct apsp_stats){0};
}

struct stats_question {
    const struct apsp_list *from;
    unsigned counted;
    struct apsp_stats *stats;
};

/* Of the rows of some vertices; NULL: of all. */
static int find_stats(struct apsp_solution *solution, const struct sources *from,
                      const struct stats_question *question, struct apsp_error *error)
{
    struct solver *solver = solution->solver;
    struct results results = *solver->given.results;
    struct sink_task task = solver->sink_task;
    struct sinks sinks = {.count = 1, .at = {{.ops = &sink_stats, .task = &task}}};
    results.counted = question->counted;
    task.results = &results;
    task.sources = from;
    if (sinks_open(&sinks, error) == APSP_OK &&
        solver_pass(solver, &sinks, solver->task.threads, error) == APSP_OK && !solution->aside)
        hand_over(question->stats, &sinks.at[0]);
    sinks_close(&sinks);
    return error->code;
}

static int count_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct stats_question *question = opaque;
    const struct apsp_list *from = question->from;
    struct sources sources = {0};
    if (!question->stats || question->counted & ~reductions_bits())
        error_set(error, APSP_USAGE, "%s",
                  question->stats ? "counted: unknown bits" : "NULL: expected room for it");
    else if (from && from->vertex && from->count == 0)
        error_set(error, APSP_USAGE, "from: there must be a vertex");
    else if (from)
        sources_take(&sources, from->vertex, from->count, solution->facts.vertices, "from", error);
    if (comm_agree(solution->solver->comm, error) == APSP_OK)
        find_stats(solution, sources.count ? &sources : NULL, question, error);
    sources_free(&sources);
    return error->code;
}

int apsp_find_stats_from(struct apsp_solution *solution, const struct apsp_list *from,
                         unsigned counted, struct apsp_stats *stats, struct apsp_error *error)
{
    struct stats_question question = {from, counted, stats};
    if (stats)
        *stats = (struct apsp_stats){0};
    return library_ask(solution, count_rank, &question, error);
}

int apsp_find_stats(struct apsp_solution *solution, unsigned counted, struct apsp_stats *stats,
                    struct apsp_error *error)
{
    return apsp_find_stats_from(solution, NULL, counted, stats, error);
}

/* The type of a column without entries; AUTO: there is none. */
static enum apsp_type empty_type(const struct apsp_stats *stats, const char *name)
{
    const struct reduction *reduction;
    for (size_t k = 0; (reduction = reductions_column(stats->counted, k)); k++)
        if (strcmp(reduction->name, name) == 0)
            return reduction->type == REDUCTION_REAL ? APSP_F64 : APSP_I64;
    return strcmp(name, "vertex") == 0 ? APSP_I64 : APSP_AUTO;
}

static struct apsp_array find_column(const struct apsp_stats *stats, const char *name)
{
    const struct stats_column *column = stats_column_find(stats->columns, name);
    if (!stats->columns)
        return (struct apsp_array){NULL, empty_type(stats, name)};
    if (strcmp(name, "vertex") == 0)
        return (struct apsp_array){stats->columns->vertex, APSP_I64};
    if (!column)
        return (struct apsp_array){0};
    return column->real ? (struct apsp_array){column->real, APSP_F64}
                        : (struct apsp_array){column->whole, APSP_I64};
}

int apsp_stats_column(const struct apsp_stats *stats, const char *name, struct apsp_array *column,
                      struct apsp_error *error)
{
    LIBRARY_CALL;
    if (column)
        *column = (struct apsp_array){0};
    if (!stats || !name || !column)
        return error_set(error, APSP_USAGE,
                         "NULL: expected statistics, a name, and room for a column");
    *column = find_column(stats, name);
    if (column->type == APSP_AUTO)
        return error_set(error, APSP_USAGE, "the statistics have no column '%s'", name);
    return APSP_OK;
}

const char *apsp_stats_name(unsigned counted, size_t k)
{
    if (k == 0)
        return "vertex";
    const struct reduction *reduction = reductions_column(counted, k - 1);
    return reduction ? reduction->name : NULL;
}

int apsp_stats_counted(const char *words, unsigned *counted, struct apsp_error *error)
{
    LIBRARY_CALL;
    if (!words || !counted)
        return error_set(error, APSP_USAGE, "NULL: expected words, and room for the counts");
    if (reductions_parse("counted", words, counted, error))
        *counted = 0;
    *counted &= ~REDUCTIONS_ALL;
    return error->code;
}
