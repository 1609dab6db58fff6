/* Options of apsp that contradict or require one another. */
#ifndef OPTIONS_CHECK_H
#define OPTIONS_CHECK_H

#include "run/options.h"

/* --ranks and --gpus name a device too. APSP_USAGE. */
int options_check(struct run_options *options, struct apsp_error *error);

#endif
