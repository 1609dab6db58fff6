/* Errors of input, use and resources: a status and a message that travel up to the caller, in the
 * end to main or to the caller of the library. Faults of MPI and GPUs are in fault.h. */
#ifndef ERROR_H
#define ERROR_H

#include "apsp.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Records the error unless one is recorded already (the first is the cause). Returns the recorded
 * code, so that `return error_set(...)` reads well.
 */
int error_set(struct apsp_error *error, enum apsp_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The status for an errno of a call that deals with files: APSP_MEMORY or APSP_IO. */
enum apsp_status error_status(int cause);

#endif
