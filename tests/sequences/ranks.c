/* One rank, or those of MPI. */
#include "apsp_mpi.h"
#include "sequences.h"

#include <stdlib.h>

int rank = 0, ranks = 1;

void ranks_begin(int *argc, char ***argv)
{
    int provided;
    if (!getenv("OMPI_COMM_WORLD_SIZE"))
        return;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static bool ranks_run(void)
{
    int begun;
    MPI_Initialized(&begun);
    return begun;
}

void ranks_end(void)
{
    if (ranks_run())
        MPI_Finalize();
}

size_t ranks_sum(size_t value)
{
    unsigned long mine = value, all = value;
    if (ranks_run())
        MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int ranks_solve(struct apsp_graph *graph, const struct apsp_options *options,
                struct apsp_solution **solution, struct apsp_error *error)
{
    return ranks_run() ? apsp_solve_mpi(graph, MPI_COMM_WORLD, options, solution, error)
                       : apsp_solve(graph, options, solution, error);
}

void ranks_abort(void)
{
    if (ranks_run())
        MPI_Abort(MPI_COMM_WORLD, 1);
    _Exit(1);
}
