/* What --help prints. Private to option.c. */
#ifndef OPTION_HELP_H
#define OPTION_HELP_H

#include "cli/option.h"

enum { OPTION_NAMES = 256 };

/* All names that the row knows, comma-separated; returns text. */
char *option_names(char text[OPTION_NAMES], const struct option_row *row);

void option_help(const struct option_program *program);

#endif
