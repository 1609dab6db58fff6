/*
 * apsp: exact all-pairs shortest paths over MPI ranks. What a program that runs the solver calls.
 *
 * A job takes one graph through four steps: read (edges -> engine), solve, rows (every finished row to all
 * who want it) and commit. Each step is collective: every MPI rank calls it, and every rank gets the same
 * status, so that all ranks take the same path. A failed step leaves the message in the job's error; the
 * caller frees the job.
 */
#ifndef APSP_H
#define APSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APSP_VERSION "0.1.0"

/* What a function returns and the command exits with. */
enum apsp_status {
    APSP_OK = 0,
    APSP_USAGE = 2,   /* the command line */
    APSP_INPUT = 3,   /* the graph file's content */
    APSP_MEMORY = 4,  /* too little memory on a node or a device */
    APSP_IO = 5,      /* a file cannot be opened, read, written or seen */
    APSP_DEVICE = 6,  /* a GPU was asked for and is not there, or failed */
    APSP_PEER = 7,    /* MPI, or another rank */
    APSP_REFUTED = 8, /* the certificate does not hold */
    APSP_CYCLE = 9,   /* the graph has a negative cycle */
    APSP_CANCELLED = 10,
};

/* A status and the one line that explains it; code 0 means that there is no error. */
struct apsp_error {
    int code;
    char text[1000];
};

enum apsp_device { APSP_DEVICE_AUTO, APSP_DEVICE_CPU, APSP_DEVICE_GPU };

#define APSP_VERIFY_ALL SIZE_MAX

#endif
