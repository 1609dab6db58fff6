/* The ranks of a solution that are threads of this process. They live as long as the solution: all
 * take part in each question to it, and wait for the next one. */
#ifndef LIBRARY_TEAM_H
#define LIBRARY_TEAM_H

#include "library/library.h"

/* Starts all ranks but the caller's own, which has that solution. APSP_MEMORY. */
int team_open(struct team **team, int ranks, struct apsp_solution *own, struct apsp_error *error);
/* All ranks answer: the caller as rank 0, each with its own solution and the same question. The
 * status is that of rank 0. APSP_PEER: another process has started the ranks. */
int team_ask(struct team *team, library_rank *ask, void *question, struct apsp_error *error);
/* Ends the ranks. In a process that has not started them nothing happens. NULL is allowed. */
void team_close(struct team *team);

#endif
