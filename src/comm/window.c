#include "comm/window.h"
#include "base/fault.h"

#include "comm/comm_mpi.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

struct comm_window {
    MPI_Win handle;
    void *memory; /* on a cache line's boundary, at the same place in every process: all map it by whole pages
                   */
};

struct comm_window *comm_window_open(struct comm *comm, size_t bytes)
{
    struct comm_window *window = calloc(1, sizeof *window);
    MPI_Aint size = comm->node_rank == 0 ? (MPI_Aint)bytes + LINE : 0;
    char *start;
    int unit;
    if (!window)
        fault(APSP_MEMORY, "no memory for a shared window");
    MPI_TRY(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, comm->mpi->node, &start, &window->handle));
    MPI_TRY(MPI_Win_shared_query(window->handle, 0, &size, &unit, &start));
    window->memory = start + (-(uintptr_t)start & (LINE - 1));
    if (comm->node_rank == 0)
        memset(window->memory, 0, bytes);
    MPI_TRY(MPI_Barrier(comm->mpi->node));
    return window;
}

void *comm_window_memory(struct comm_window *window)
{
    return window->memory;
}

void comm_window_free(struct comm_window *window)
{
    MPI_TRY(MPI_Win_free(&window->handle));
    free(window);
}
