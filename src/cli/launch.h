/* Ranks without mpirun on the command line. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "base/options.h"

/*
 * With --ranks or --gpus of more than one, outside any MPI launcher: replaces this process by mpirun running
 * the same command line on as many ranks of this machine, and returns only if that fails. Otherwise does
 * nothing. Call before MPI starts.
 */
int launch_ranks(const struct job_options *options, int argc, char **argv, struct apsp_error *error);

/* True when an MPI launcher started this process, as one of several perhaps. Needs no MPI. */
bool launch_started(void);

#endif
