/* The plan of a solve, without it. */
#include "solve/estimate.h"
#include "library/library.h"
#include "library/options.h"

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

int apsp_estimate(struct apsp_graph *graph, const struct apsp_options *options,
                  struct apsp_forecast *estimate, struct apsp_error *error)
{
    LIBRARY_TURN;
    struct apsp_error own;
    struct comm *comm;
    struct solver *solver = NULL;
    struct results results;
    struct solver_task task = {.guest = true, .plan_only = true, .results = &results};
    error = library_error(error, &own);
    if (estimate)
        *estimate = (struct apsp_forecast){0};
    if (!graph || !estimate)
        return error_set(error, APSP_USAGE, "NULL: expected a graph, and room for it");
    if (options_translate(&task.request, &results, options, error) || comm_solo(&comm, error))
        return error->code;
    if (solver_make(&solver, comm, error)) {
        comm_free(comm);
        return error->code;
    }
    task.graph = &graph->graph;
    if (solver_check_graph(solver, &graph->graph, true) == APSP_OK &&
        solver_plan(solver, &task) == APSP_OK)
        tell(estimate, solver);
    *error = solver->error;
    solver_free(solver, false);
    return error->code;
}
