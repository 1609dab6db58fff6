/* One graph over the ranks of a communicator of the caller's. See apsp.h. */
#ifndef APSP_MPI_H
#define APSP_MPI_H

#include "apsp.h"
#include <mpi.h>

/*
 * Collective over `communicator`, which is duplicated: apsp_solve over all its ranks, each of which
 * has made the same graph and holds a part of the rows. MPI has been started, with
 * MPI_THREAD_FUNNELED at least, by the thread that calls this and all collective functions of the
 * solution, and is not ended before the solution is freed. Errors of apsp_solve, and APSP_PEER: a
 * rank cannot use this MPI; APSP_INPUT: the graphs differ in their numbers of vertices, edges or
 * bytes, or in whether weights are real. Other differences are not noticed, and make distances
 * wrong.
 */
static inline int apsp_solve_mpi(struct apsp_graph *graph, MPI_Comm communicator,
                                 const struct apsp_options *options,
                                 struct apsp_solution **solution, struct apsp_error *error)
{
    int begun, ended, mine = apsp_load_mpi() != APSP_OK, unable = mine;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended && communicator != MPI_COMM_NULL)
        MPI_Allreduce(&mine, &unable, 1, MPI_INT, MPI_SUM, communicator);
    return apsp_solve_over(graph, &communicator, unable, options, solution, error);
}

#endif
