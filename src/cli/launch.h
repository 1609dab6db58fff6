/* The number of ranks that a command runs as threads, without mpirun. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "base/error.h"

/*
 * How many ranks this process is to run as threads (comm_run): those that the option of that name
 * asks for (0: none), outside any MPI launcher, else 1. Raises the limit of open files for them.
 * APSP_USAGE: more than the machine bears, and then 1.
 */
int launch_ranks(int ranks, const char *option, struct apsp_error *error);

/*
 * A command line `--quoted =WORD =WORD ...` becomes WORD WORD ..., in place: no launcher takes such
 * words for its own. Any other stays. APSP_USAGE.
 */
int launch_unquote(int *argc, char **argv, struct apsp_error *error);

/* True when an MPI launcher started this process, as one of several perhaps. Needs no MPI. */
bool launch_started(void);

#endif
