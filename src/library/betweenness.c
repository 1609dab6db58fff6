/* Betweenness, by a sink that is in no table. */
#include "rows/betweenness.h"
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct betweenness *betweenness;
    size_t *sources, count; /* ascending; NULL: all */
};

static const size_t *wants(const struct sink *sink, size_t *count)
{
    const struct state *state = sink->state;
    *count = state->count;
    return state->sources;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    return betweenness_take(((struct state *)sink->state)->betweenness, lane, block, error);
}

static int maker(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error)
{
    return betweenness_maker(((struct state *)sink->state)->betweenness, sink->task->comm, list,
                             count, maker, error);
}

static const struct sink_ops sink_sum = {
    .name = "betweenness", .works = true, .wants = wants, .maker = maker, .take = take};

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Vertices that stand there twice are taken out where rows are listed (rows_list). */
static int choose(struct state *state, const uint32_t *list, size_t count, struct apsp_error *error)
{
    if (!list)
        return APSP_OK;
    state->sources = malloc((count + 1) * sizeof *state->sources);
    if (!state->sources)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu vertices", count);
    for (size_t k = 0; k < count; k++)
        state->sources[k] = list[k];
    qsort(state->sources, count, sizeof *state->sources, compare);
    state->count = count;
    return APSP_OK;
}

static int sum(struct apsp_solution *solution, struct state *state, unsigned flags, double *values,
               struct apsp_error *error)
{
    const struct solver *solver = solution->solver;
    struct sink sink = {.ops = &sink_sum, .task = &solver->sink_task, .state = state};
    if (library_pass(solution, &sink, solver->task.threads, error))
        return error->code;
    const double *all = betweenness_merge(state->betweenness, solver->comm, error);
    const bool halved = !betweenness_is_directed(state->betweenness);
    const double factor = flags & APSP_NORMALIZED ? betweenness_share(state->betweenness, false)
                          : halved && (flags & APSP_ORDERED) ? 2
                                                             : 1;
    for (size_t v = 0; all && values && v < solution->facts.vertices; v++)
        values[v] = all[v] * factor;
    return error->code;
}

int apsp_betweenness(struct apsp_solution *solution, const uint32_t *list, size_t count,
                     unsigned flags, double *values, struct apsp_error *error)
{
    struct apsp_error own;
    struct state state = {0};
    error = library_error(error, &own);
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: there must be a solution");
    const struct solver *solver = solution->solver;
    size_t n = solution->facts.vertices;
    if (flags > (APSP_NORMALIZED | APSP_ORDERED))
        error_set(error, APSP_USAGE, "there is no such flag");
    if (!values && solver->comm->ranks == 1)
        error_set(error, APSP_USAGE, "NULL: there must be room for %zu values", n);
    for (size_t k = 0; list && k < count && !error->code; k++)
        if (list[k] >= n)
            error_set(error, APSP_USAGE, "list[%zu]: vertex %u is not in 0 .. %zu", k, list[k],
                      n - 1);
    if (comm_agree(solver->comm, error) || library_edges(solution, error))
        return error->code;
    const struct betweenness_plan plan = {.certificate = library_certificate(solution),
                                          .dtype = solver->task.output,
                                          .lanes = solver->task.threads};
    if (choose(&state, list, count, error) == APSP_OK)
        betweenness_new(&state.betweenness, &plan, error);
    if (comm_agree(solver->comm, error) == APSP_OK)
        sum(solution, &state, flags, values, error);
    betweenness_free(state.betweenness);
    free(state.sources);
    return error->code;
}
