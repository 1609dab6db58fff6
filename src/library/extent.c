/* Diameter, radius, centre and periphery, by the sink that bounds eccentricities. */
#include "library/library.h"
#include "rows/sink_diameter.h"

#include <stdlib.h>

/* What is wanted: `extent` or, unless it is NULL, all `values`. The edges are there. */
static int find_extent(struct apsp_solution *solution, struct apsp_extent *extent, void *values,
                       struct apsp_error *error)
{
    struct solver *solver = solution->solver;
    struct results results = *solver->given.results;
    struct sink_task task = solver->sink_task;
    struct sinks sinks = {.count = 1, .at = {{.ops = &sink_diameter, .task = &task}}};
    results.diameter = NULL;
    results.each = !extent;
    task.results = &results;
    task.certificate = library_certificate(solution);
    if (sinks_open(&sinks, error) == APSP_OK &&
        solver_pass(solver, &sinks, solver->task.threads, error) == APSP_OK) {
        if (extent && !solution->aside)
            sink_diameter_result(&sinks.at[0], extent, error);
        else if (values && !solution->aside)
            sink_diameter_each(&sinks.at[0], dtype_info[task.file].real, values);
    }
    sinks_close(&sinks);
    return comm_agree(solver->comm, error);
}

/* The bounds add lengths. Agreed. */
static int check(const struct apsp_solution *solution, const void *room, struct apsp_error *error)
{
    const enum algebra_kind kind = solution->solver->sink_task.algebra.kind;
    if (!room)
        error_set(error, APSP_USAGE, "NULL: expected room for it");
    else if (kind != ALGEBRA_SHORTEST)
        error_set(error, APSP_USAGE,
                  "the solution is of %s paths, whose eccentricities have no bounds",
                  algebra_name(kind));
    return comm_agree(solution->solver->comm, error);
}

static int extent_rank(struct apsp_solution *solution, void *extent, struct apsp_error *error)
{
    if (check(solution, extent, error) || library_edges(solution, error))
        return error->code;
    if (find_extent(solution, extent, NULL, error) && !solution->aside)
        apsp_extent_free(extent);
    return error->code;
}

int apsp_find_extent(struct apsp_solution *solution, struct apsp_extent *extent,
                     struct apsp_error *error)
{
    if (extent)
        *extent = (struct apsp_extent){0};
    return library_ask(solution, extent_rank, extent, error);
}

static int each_rank(struct apsp_solution *solution, void *values, struct apsp_error *error)
{
    const void *room = library_is_alone(solution) ? values : solution;
    if (check(solution, room, error) || library_edges(solution, error))
        return error->code;
    return find_extent(solution, NULL, values, error);
}

int apsp_eccentricities(struct apsp_solution *solution, void *values, struct apsp_error *error)
{
    return library_ask(solution, each_rank, values, error);
}

void apsp_extent_free(struct apsp_extent *extent)
{
    free(extent->central);
    free(extent->peripheral);
    *extent = (struct apsp_extent){0};
}
