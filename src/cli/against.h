/* Files are held against the report of the run that read and made them (apsp --json). */
#ifndef AGAINST_H
#define AGAINST_H

#include "base/error.h"

enum { AGAINST_DIFFERS = 1 }; /* the error's code, and the exit code */

struct against {
    const char *report, *graph, *distances; /* paths, of regular files */
    int threads;
    char *command; /* of the run, as a shell takes it, once the check has passed; free() it */
};

/*
 * Whether the graph and the distances are those of the report, and the scale beside these where the
 * run wrote one, by the hashes of their bytes (hash.h). AGAINST_DIFFERS: the line tells which is
 * not, or that the run failed; APSP_IO, APSP_INPUT: what cannot be read, or is no report;
 * APSP_MEMORY.
 */
int against_check(struct against *against, struct apsp_error *error);

#endif
