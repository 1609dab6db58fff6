/* One graph over the ranks of a communicator of the caller's. See apsp.h. */
#ifndef APSP_MPI_H
#define APSP_MPI_H

#include "apsp.h"
#include <mpi.h>

/*
 * Collective over `communicator`, which is duplicated: apsp_solve over all its ranks, each of which has made
 * the same graph and holds a part of the rows. MPI has been started, with MPI_THREAD_FUNNELED at least, by
 * the thread that calls this and all collective functions of the solution, and is not ended before the
 * solution is freed. Errors of apsp_solve, and APSP_PEER: the library cannot use this MPI; APSP_INPUT: the
 * graphs differ in their numbers of vertices, edges or bytes, or in whether weights are real. Other
 * differences are not noticed, and make distances wrong.
 */
static inline int apsp_solve_mpi(struct apsp_graph *graph, MPI_Comm communicator,
                                 const struct apsp_options *options, struct apsp_solution **solution,
                                 struct apsp_error *error)
{
    return apsp_solve_over(graph, &communicator, options, solution, error);
}

#endif
