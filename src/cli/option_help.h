/* The output of --help and --completion. Private to option.c. */
#ifndef OPTION_HELP_H
#define OPTION_HELP_H

#include "cli/option.h"

enum { OPTION_NAMES = 256 };

/* All names that the row knows, comma-separated; returns text. */
char *option_names(char text[OPTION_NAMES], const struct option_row *row);

void option_help(const struct option_program *program);
/* The version, and what the program was built with. */
void option_version(const struct option_program *program);

/* Completion of the program's command line for that shell, "bash" or "zsh" (option_complete.c).
 * APSP_USAGE.
 */
int option_complete(const struct option_program *program, const char *shell,
                    struct apsp_error *error);

#endif
