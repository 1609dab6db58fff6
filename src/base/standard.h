/* Standard input, output and error of a command. */
#ifndef STANDARD_H
#define STANDARD_H

#include "base/error.h"

/*
 * Runs the command, which returns the exit code; for main. Before, one of the three that is
 * closed becomes /dev/null, opened for the other direction, so that no file of the run takes its
 * number and its use fails like that of a closed one. Faults are the command's (fault.h).
 */
int standard_run(const char *name, int (*command)(int argc, char **argv), int argc, char **argv);

/* Whether what was printed to standard output has left the process (APSP_IO). */
int standard_flush(struct apsp_error *error);

/* A line about a file of a command that goes on. It does not begin with the command's name, as the
 * line of a failure does. */
void standard_note(const char *path, const char *what);

/* The line by which a command tells why it failed. `detail` follows the error's text. */
void standard_tell(const char *command, const struct apsp_error *error, const char *detail);

#endif
