/* The progress of a solver's steps, and the saving of rows between them. */
#ifndef SOLVE_TELL_H
#define SOLVE_TELL_H

#include "solve/solver.h"

/* For struct progress: whether the step goes on. `self` is the solver. */
bool solver_tell(void *self, const char *step, size_t done, size_t steps);
/* The same in steps that all ranks take together: they stop together. Collective. */
bool solver_tell_together(void *self, const char *step, size_t done, size_t steps);

/* Collective; ends in agreement. Writes the rows so far to the checkpoint. */
int solver_save_rows(struct solver *solver, struct apsp_error *error);

#endif
