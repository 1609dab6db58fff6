/* Betweenness, by a sink that is in no table. */
#include "rows/betweenness.h"
#include "base/minmax.h"
#include "library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct betweenness *betweenness;
    bool on_device;         /* Rows may stay on a device. */
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

static bool always(const struct sink_task *task)
{
    (void)task;
    return true;
}

static const struct sink_ops sink_sum = {
    .name = "betweenness", .works = true, .wants = wants, .maker = maker, .take = take};
static const struct sink_ops sink_sum_on_device = {.name = "betweenness",
                                                   .works = true,
                                                   .on_device = always,
                                                   .wants = wants,
                                                   .maker = maker,
                                                   .take = take};

/* Vertices that stand there twice are taken out where rows are listed (rows_list). */
static int choose(struct state *state, const struct apsp_list *list, struct apsp_error *error)
{
    if (!list->vertex)
        return APSP_OK;
    state->sources = malloc((list->count + 1) * sizeof *state->sources);
    if (!state->sources)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu vertices", list->count);
    for (size_t k = 0; k < list->count; k++)
        state->sources[k] = list->vertex[k];
    qsort(state->sources, list->count, sizeof *state->sources, size_compare);
    state->count = list->count;
    return APSP_OK;
}

/* The factor of values of vertices, or of edges. */
static double factor_of(const struct state *state, unsigned flags, bool edge)
{
    if (flags & APSP_NORMALIZED)
        return betweenness_share(state->betweenness, edge);
    return flags & APSP_ORDERED && !betweenness_is_directed(state->betweenness) ? 2 : 1;
}

static int sum(struct apsp_solution *solution, struct state *state, unsigned flags, double *values,
               struct apsp_edge_values *edges, struct apsp_error *error)
{
    const struct solver *solver = solution->solver;
    struct sink sink = {.ops = state->on_device ? &sink_sum_on_device : &sink_sum,
                        .task = &solver->sink_task,
                        .state = state};
    if (library_pass(solution, &sink, solver->task.threads, error))
        return error->code;
    const double *all = betweenness_merge(state->betweenness, solver->comm, error);
    for (size_t v = 0; all && values && v < solution->facts.vertices; v++)
        values[v] = all[v] * factor_of(state, flags, false);
    if (all && edges)
        edges->edge = betweenness_edges(state->betweenness, &edges->count, error);
    for (size_t e = 0; edges && e < edges->count; e++)
        edges->edge[e].value *= factor_of(state, flags, true);
    return comm_agree(solver->comm, error);
}

struct through_question {
    const struct apsp_through *paths;
    const char *from; /* The caller's name of the sources. */
    double *values;
    struct apsp_edge_values *edges;
};

static int check_list(const struct apsp_list *list, const char *name, size_t n,
                      struct apsp_error *error)
{
    for (size_t k = 0; list->vertex && k < list->count && !error->code; k++)
        if (list->vertex[k] >= n)
            error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is not in 0 .. %zu", name, k,
                      list->vertex[k], n - 1);
    return error->code;
}

static int check(const struct apsp_solution *solution, const struct through_question *question,
                 struct apsp_error *error)
{
    const struct apsp_through *paths = question->paths;
    const size_t n = solution->facts.vertices;
    if (!paths)
        return error_set(error, APSP_USAGE, "NULL: expected paths");
    if (paths->flags > (APSP_NORMALIZED | APSP_ORDERED | APSP_ENDPOINTS | APSP_STRESS | APSP_LOAD))
        return error_set(error, APSP_USAGE, "flags: unknown bits");
    if (paths->flags & APSP_STRESS && paths->flags & APSP_LOAD)
        return error_set(error, APSP_USAGE, "flags: stress contradicts load: give one of them");
    if (solution->solver->sink_task.algebra.kind != ALGEBRA_SHORTEST)
        return error_set(error, APSP_USAGE,
                         "the solution is of %s paths, which have no betweenness",
                         algebra_name(solution->solver->sink_task.algebra.kind));
    if (paths->bounded && !(paths->within >= 0))
        return error_set(error, APSP_USAGE, "within: %g is not a number of at least 0",
                         paths->within);
    if (!question->values && !question->edges && library_is_alone(solution))
        return error_set(error, APSP_USAGE, "NULL: expected room for %zu values", n);
    return check_list(&paths->from, question->from, n, error)
               ? error->code
               : check_list(&paths->to, "to", n, error);
}

static int through_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct through_question *question = opaque;
    const struct apsp_through *paths = question->paths;
    double *values = solution->aside ? NULL : question->values;
    struct apsp_edge_values *edges = solution->aside ? NULL : question->edges;
    struct state state = {0};
    const struct solver *solver = solution->solver;
    check(solution, question, error);
    if (comm_agree(solver->comm, error) || library_edges(solution, error))
        return error->code;
    const struct betweenness_plan plan = {
        .certificate = library_certificate(solution),
        .dtype = solver->task.output,
        .target = paths->to.vertex,
        .targets = paths->to.count,
        .between = {.edges = comm_most(solver->comm, edges != NULL) > 0,
                    .ends = (paths->flags & APSP_ENDPOINTS) != 0,
                    .stress = (paths->flags & APSP_STRESS) != 0,
                    .load = (paths->flags & APSP_LOAD) != 0,
                    .limited = paths->bounded != 0,
                    .within = paths->bounded ? paths->within : 0},
        .gpu = solver->sink_task.gpu,
        .lanes = solver->task.threads};
    state.on_device = betweenness_on_device(&plan);
    if (choose(&state, &paths->from, error) == APSP_OK)
        betweenness_new(&state.betweenness, &plan, error);
    if (comm_agree(solver->comm, error) == APSP_OK)
        sum(solution, &state, paths->flags, values, edges, error);
    betweenness_free(state.betweenness);
    free(state.sources);
    return error->code;
}

int apsp_paths_through(struct apsp_solution *solution, const struct apsp_through *paths,
                       double *values, struct apsp_edge_values *edges, struct apsp_error *error)
{
    struct through_question question = {paths, "from", values, edges};
    if (edges)
        *edges = (struct apsp_edge_values){0};
    return library_ask(solution, through_rank, &question, error);
}

void apsp_edge_values_free(struct apsp_edge_values *edges)
{
    free(edges->edge);
    *edges = (struct apsp_edge_values){0};
}

int apsp_betweenness(struct apsp_solution *solution, const uint32_t *list, size_t count,
                     unsigned flags, double *values, struct apsp_error *error)
{
    const struct apsp_through paths = {.from = {list, count}, .flags = flags};
    struct through_question question = {&paths, "list", values, NULL};
    return library_ask(solution, through_rank, &question, error);
}
