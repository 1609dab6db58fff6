/* Ranks without mpirun on the command line. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "base/options.h"

/*
 * With --ranks or --gpus of more than one, outside any MPI launcher: mpirun runs the same command
 * line on as many ranks of this machine. True once they have ended, and *code is then how, as an
 * exit code. False when there is nothing to start, or with an error. Call before MPI starts. A
 * signal to this process ends all.
 */
bool launch_ranks(const struct job_options *options, int argc, char **argv, int *code,
                  struct apsp_error *error);

/*
 * A command line `--quoted =WORD =WORD ...` becomes WORD WORD ..., in place: no launcher takes such
 * words for its own. Any other stays. APSP_USAGE.
 */
int launch_unquote(int *argc, char **argv, struct apsp_error *error);

/* True when an MPI launcher started this process, as one of several perhaps. Needs no MPI. */
bool launch_started(void);

#endif
