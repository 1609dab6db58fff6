/*
 * A run for each of several weight columns (--weight-key am,pm): times of day, say. Each result has
 * the column in its name before the suffix: table.csv becomes table.am.csv. The order of
 * elimination is made by the first run, and taken by the others.
 */
#ifndef SERIES_H
#define SERIES_H

#include "run/options.h"

enum { SERIES_MAX = 64, SERIES_FILES = 12 };

struct series {
    int count; /* 1 without a list of columns. */
    struct run_options options[SERIES_MAX];
    char *key[SERIES_MAX];
    char *path[SERIES_MAX][SERIES_FILES];
};

/* Makes the options of all runs. APSP_USAGE: they cannot be those of several runs; APSP_MEMORY.
 * Free in any case. */
int series_make(struct series *series, const struct run_options *options, struct apsp_error *error);
void series_free(struct series *series);

#endif
