/* Another program as a child, such as mpirun with the ranks of a job, and its end as the end of
 * this one. */
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include "base/error.h"

/*
 * Runs the command until it is over, and returns the exit code for this process, or does not return
 * when a signal has ended it. A signal to this process ends the command by SIGTERM, and after ten
 * seconds by SIGKILL, unless it is a SIGUSR1 and the command `passes` these on to its ranks; so
 * does the end of this process, whatever its reason. What the command leaves behind is ended too.
 * If it has failed and no line of this program has told why, one does. What it prints goes to
 * standard output by way of this process. `error` is set if the command could not be started,
 * *cause being errno; or, *cause being 0, if it has succeeded and what it printed could not be
 * written.
 */
int supervise(char **line, bool passes, int *cause, struct apsp_error *error);

#endif
