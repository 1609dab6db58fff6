#include "library/library.h"

#include "rows/sink_stats.h"

enum { COUNTS = 2 * APSP_STATS_EXACT - 1 };

/* What was made becomes the caller's. */
static void hand_over(struct apsp_stats *stats, const struct sink *sink)
{
    struct apsp_stats *made = sink_stats_result(sink);
    *stats = *made;
    *made = (struct apsp_stats){0};
}

int apsp_find_stats(struct apsp_solution *solution, unsigned counted, struct apsp_stats *stats,
                    struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    if (stats)
        *stats = (struct apsp_stats){0};
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: there must be a solution");
    struct solver *solver = solution->solver;
    struct results results = *solver->given.results;
    struct sink_task task = solver->sink_task;
    struct sinks sinks = {.count = 1, .at = {{.ops = &sink_stats, .task = &task}}};
    results.counted = counted;
    task.results = &results;
    if (!stats || counted > COUNTS)
        error_set(error, APSP_USAGE, "%s",
                  stats ? "there is no such count" : "NULL: there must be room for it");
    if (comm_agree(solver->comm, error) == APSP_OK && sinks_open(&sinks, error) == APSP_OK &&
        solver_pass(solver, &sinks, solver->task.threads, error) == APSP_OK)
        hand_over(stats, &sinks.at[0]);
    sinks_close(&sinks);
    return error->code;
}
