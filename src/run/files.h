/* The files of a run beside those of the sinks. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "run/run.h"

/* The name of a file on rank 0; NULL: the run has it not, or not there. */
const char *run_path(const struct run *run, int file);

/* Whether that may be there already. */
bool run_may_replace(const struct run *run, int file);

/* Local. Whether all these names are free. */
void run_check_files(struct run *run);

/* The name of the file beside DISTANCES that holds the divisor of scaled integers, if the run is to
 * write it. Local. */
void run_name_scale(struct run *run);

/* Bytes of the two files of checkpoints of a whole matrix; 0: the run writes none. */
size_t run_checkpoint_bytes(const struct run *run);

/* Collective; ends in agreement. Creates the temporary files, those of the sinks too. */
int run_open_files(struct run *run);

#endif
