/* What comm.c and the transports share: the communicators, and the check of every MPI call. No other file
 * includes mpi.h. */
#ifndef COMM_MPI_H
#define COMM_MPI_H

#include "comm/comm.h"
#include <mpi.h>

struct comm_mpi {
    MPI_Comm world;   /* all ranks */
    MPI_Comm machine; /* the ranks of this machine */
    MPI_Comm node;    /* the ranks of this node */
    MPI_Comm leaders; /* the first rank of every node; MPI_COMM_NULL elsewhere */
    int *counts;      /* work space of comm_exchange: 3 for every rank */
};

void comm_mpi_check(int status, const char *call, const char *file, int line);

#define MPI_TRY(call) comm_mpi_check((call), #call, __FILE__, __LINE__)

/* MPI counts are ints: longer messages are cut into pieces of this size. */
enum { COMM_PIECE = 1 << 30 };

#endif
