/* The caller's options as those of a job. */
#ifndef LIBRARY_OPTIONS_H
#define LIBRARY_OPTIONS_H

#include "base/options.h"

/* NULL: the defaults. APSP_USAGE. */
int options_translate(struct job_options *out, const struct apsp_options *options, struct apsp_error *error);

#endif
