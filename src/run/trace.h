/* The data that tie results to their input and to the run that made them: for the report. */
#ifndef TRACE_H
#define TRACE_H

#include "base/hash.h"
#include "comm/comm.h"
#include "rows/sink.h"

#include <time.h>

/* A file that the run has read or made. */
struct trace_file {
    const char *what; /* distances, else the sink or the option; of files made. Not owned */
    const char *path; /* not owned; NULL: it is not there */
    size_t bytes;
    bool hashed;      /* it could be read */
    struct hash hash; /* then */
};

enum { TRACE_FILES = SINKS_MAX + 8 };

struct trace {
    time_t begun;               /* begin of the run */
    int status;                 /* exit code */
    const char *error, *detail; /* the two parts of the line that gives the reason; not owned */
    char *command; /* the arguments of the process, each with its zero; NULL: there are none */
    size_t command_bytes;
    const char *host, *library; /* of rank 0; of MPI, "" without it. Not owned */
    struct trace_file graph, made[TRACE_FILES];
    int files;
};

/* With the command of the process if a report is to tell it. */
void trace_start(struct trace *trace, const struct comm *comm, bool reported);
void trace_free(struct trace *trace); /* a zeroed one is allowed */

/*
 * Adds a file of that kind that is complete: as it lies there, read by all ranks that have it open.
 * Collective, with one path and NULL on ranks that have it not. That it cannot be read is no error:
 * it is not hashed then.
 */
struct staged;
void trace_add(struct trace *trace, const char *what, const struct staged *staged,
               struct comm *comm, int threads);

#endif
