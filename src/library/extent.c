/* Diameter, radius, centre and periphery, by the sink that bounds eccentricities. */
#include "library/library.h"
#include "rows/sink_diameter.h"

#include <stdlib.h>

/* The edges are there. */
static int find_extent(struct apsp_solution *solution, struct apsp_extent *extent,
                       struct apsp_error *error)
{
    struct solver *solver = solution->solver;
    struct results results = *solver->given.results;
    struct sink_task task = solver->sink_task;
    struct sinks sinks = {.count = 1, .at = {{.ops = &sink_diameter, .task = &task}}};
    results.diameter = NULL;
    task.results = &results;
    task.certificate = library_certificate(solution);
    if (sinks_open(&sinks, error) == APSP_OK &&
        solver_pass(solver, &sinks, solver->task.threads, error) == APSP_OK)
        sink_diameter_result(&sinks.at[0], extent, error);
    sinks_close(&sinks);
    return comm_agree(solver->comm, error);
}

int apsp_find_extent(struct apsp_solution *solution, struct apsp_extent *extent,
                     struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    if (extent)
        *extent = (struct apsp_extent){0};
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: expected a solution");
    if (!extent)
        error_set(error, APSP_USAGE, "NULL: expected room for it");
    if (comm_agree(solution->solver->comm, error) || library_edges(solution, error))
        return error->code;
    if (find_extent(solution, extent, error))
        apsp_extent_free(extent);
    return error->code;
}

void apsp_extent_free(struct apsp_extent *extent)
{
    free(extent->central);
    free(extent->peripheral);
    *extent = (struct apsp_extent){0};
}
