/* The command line of apsp. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "run/options.h"

/*
 * Parses argv into *options, with a progress bar where stderr is a terminal. --help and --version
 * print to stdout and set options->stop. Returns APSP_OK or APSP_USAGE.
 */
int options_parse(struct run_options *options, int argc, char **argv, struct apsp_error *error);

/* The same for the command line of a run that is over: its files may be elsewhere, and what its
 * options say together is not checked. */
int options_parse_past(struct run_options *options, int argc, char **argv,
                       struct apsp_error *error);

#endif
