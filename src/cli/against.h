/* Compares files with the report of the run that read and made them (apsp --json). */
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
 * Compares the hashes (hash.h) of the graph and the distances, and of the scale if the run wrote
 * one, with the report. AGAINST_DIFFERS: the line names the file that differs, or says that the run
 * failed; APSP_IO, APSP_INPUT: a file that cannot be read, or is no report; APSP_MEMORY.
 */
int against_check(struct against *against, struct apsp_error *error);

#endif
