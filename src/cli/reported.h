/* The report of a run (apsp --json), and the options by which that run read its graph. */
#ifndef REPORTED_H
#define REPORTED_H

#include "cli/subject.h"

#include <cjson/cJSON.h>

/* The text of that name in an object; "" if it has none. */
const char *reported_text(const cJSON *object, const char *name);

/* Reads a report; NULL with APSP_INPUT, APSP_IO, APSP_MEMORY. The caller deletes it. */
cJSON *reported_read(const char *path, struct apsp_error *error);

/*
 * Fills in the options that are not set from those of the run: how it read its graph, its sources
 * and its targets. The options then point into `*report`, which the caller deletes after the last
 * use of them. APSP_USAGE: the sources were a random sample; and as reported_read.
 */
int reported_options(struct subject_options *options, const char *path, cJSON **report,
                     struct apsp_error *error);

#endif
