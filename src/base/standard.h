/* Standard input, output and error of a command. */
#ifndef STANDARD_H
#define STANDARD_H

#include "base/error.h"

/*
 * Before any file is opened: one of the three that is closed becomes /dev/null, opened for the other
 * direction, so that no file of the run takes its number and its use fails like that of a closed one.
 */
void standard_open(void);

/* Whether what was printed to standard output has left the process (APSP_IO). */
int standard_flush(struct apsp_error *error);

/* The line by which a command tells why it failed. `detail` follows the error's text. */
void standard_tell(const char *command, const struct apsp_error *error, const char *detail);

#endif
