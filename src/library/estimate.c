/* The plan of a solve, without it. */
#include "solve/estimate.h"
#include "library/library.h"
#include "library/options.h"
#include "library/team.h"

#include <stdlib.h>

static void copy_methods(struct apsp_forecast *out, const struct methods *methods)
{
    _Static_assert((int)APSP_ESTIMATE_METHODS >= (int)METHODS_MAX, "there is room for all engines");
    out->methods = methods->notes;
    for (int i = 0; i < methods->notes; i++) {
        const struct method_note *note = &methods->note[i];
        struct apsp_forecast_method *method = &out->method[i];
        *method = (struct apsp_forecast_method){.seconds = note->seconds,
                                                .memory = note->node,
                                                .fits = note->fits,
                                                .taken = note->taken,
                                                .least = note->least};
        snprintf(method->name, sizeof method->name, "%s", note->name);
        snprintf(method->why, sizeof method->why, "%s", note->why);
    }
}

/* Collective. */
static void tell(struct apsp_forecast *out, const struct solver *solver)
{
    const struct estimate made = estimate_make(solver);
    *out = (struct apsp_forecast){.vertices = solver->problem.graph.n,
                                  .edges = solver->problem.graph.m,
                                  .computed = (enum apsp_type)(solver->task.dtype + APSP_U16),
                                  .memory = made.node_host,
                                  .limit = made.node_limit,
                                  .device_memory = made.rank_device,
                                  .fits = made.node_host <= made.node_limit,
                                  .seconds = engine_seconds(&solver->plan, &solver->task)};
    copy_methods(out, &solver->methods);
}

struct estimate_question {
    const struct apsp_graph *graph;
    const struct apsp_options *options;
    struct apsp_forecast *estimate;
};

/* There is no solution yet: only its team counts. */
static int estimate_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct estimate_question *question = opaque;
    const struct graph *graph = &question->graph->graph;
    struct apsp_forecast aside;
    struct comm *comm;
    struct solver *solver = NULL;
    struct results results;
    struct solver_task task = {
        .guest = true, .plan_only = true, .results = &results, .graph = graph};
    if (options_translate(&task.request, &results, question->options, error) ||
        (solution->team ? comm_init(&comm, 0, error) : comm_solo(&comm, error)))
        return error->code;
    if (solution->aside)
        options_aside(&task.request);
    if (solver_make(&solver, comm, error)) {
        comm_free(comm);
        return error->code;
    }
    if (solver_check_graph(solver, graph, true) == APSP_OK && solver_plan(solver, &task) == APSP_OK)
        tell(solution->aside ? &aside : question->estimate, solver);
    *error = solver->error;
    solver_free(solver, false);
    return error->code;
}

int apsp_estimate(struct apsp_graph *graph, const struct apsp_options *options,
                  struct apsp_forecast *estimate, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_solution none = {0};
    struct estimate_question question = {graph, options, estimate};
    if (estimate)
        *estimate = (struct apsp_forecast){0};
    if (!graph || !estimate)
        return error_set(error, APSP_USAGE, "NULL: expected a graph, and room for it");
    const int ranks = options_ranks(options, error);
    if (ranks > 1 && team_open(&none.team, ranks, &none, error) == APSP_OK)
        team_ask(none.team, estimate_rank, &question, error);
    else if (ranks == 1)
        estimate_rank(&none, &question, error);
    team_close(none.team);
    return error->code;
}
