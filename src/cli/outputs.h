/* The output files of a command line. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "run/options.h"

/* APSP_USAGE: two of them are the same file, or one cannot be made on this machine. */
int outputs_check(const struct run_options *options, struct apsp_error *error);

#endif
