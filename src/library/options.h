/* The caller's options as a request and its results. */
#ifndef LIBRARY_OPTIONS_H
#define LIBRARY_OPTIONS_H

#include "engine/request.h"
#include "rows/results.h"

/* The caller's struct, which begins with its size, to `own` of `known` bytes: it may be shorter, or
 * longer if what is not known here is 0; NULL: all zero. `name` is its own in texts. APSP_USAGE. */
int options_take(void *own, size_t known, const void *given, const char *name,
                 struct apsp_error *error);

/* NULL: the defaults. APSP_USAGE. */
int options_translate(struct request *request, struct results *results,
                      const struct apsp_options *options, struct apsp_error *error);

/* For a rank of a team but rank 0: rank 0 tells the progress, and counts the caller's memory. */
void options_aside(struct request *request);

/* The ranks that are to be threads of this process; 0 after an error, APSP_USAGE. */
int options_ranks(const struct apsp_options *options, struct apsp_error *error);

#endif
