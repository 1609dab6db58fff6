/* Tables of numbers of shortest paths, for the caller: made from rows of distances as these come.
 */
#include "rows/path_counts.h"
#include "library/library.h"

static int make_counts(void *self, int lane, const struct block *block, size_t k, void *values,
                       struct apsp_error *error)
{
    return path_counts_row(self, lane, block, k, values, error);
}

int library_count_paths(struct apsp_solution *solution, struct library_rows *rows, void *values,
                        size_t stride, struct apsp_error *error)
{
    const struct solver *solver = solution->solver;
    struct path_counts *counts = NULL;
    if (solver->sink_task.algebra.kind != ALGEBRA_SHORTEST)
        error_set(error, APSP_USAGE, "the solution is of %s paths, which are not counted",
                  algebra_name(solver->sink_task.algebra.kind));
    if (comm_agree(solver->comm, error) || library_edges(solution, error))
        return error->code;
    const struct path_counts_plan plan = {.certificate = library_certificate(solution),
                                          .dtype = solver->task.output,
                                          .targets = rows->targets};
    path_counts_new(&counts, &plan, error);
    rows->make = make_counts;
    rows->self = counts;
    if (comm_agree(solver->comm, error) == APSP_OK)
        library_copy(solution, rows, values, stride, error);
    path_counts_free(counts);
    return error->code;
}
