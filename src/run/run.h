/*
 * The run of a command: a solver, and what the command adds to it: files, report, progress,
 * checkpoints. Each step is collective: every rank calls it and gets the same status. A failed step
 * leaves the message in the solver's error.
 */
#ifndef RUN_H
#define RUN_H

#include "files/staged.h"
#include "rows/access_request.h"
#include "rows/isochrones.h"
#include "rows/skim.h"
#include "run/options.h"
#include "run/report.h"
#include "solve/solver.h"

/* Files beside those of the sinks, in the order in which they get their names. */
enum { RUN_PLOT, RUN_ORDER, RUN_NAMES, RUN_SCALE, RUN_REPORT, RUN_FILES };
enum { RUN_WATCHED = 16 };

struct run {
    struct run_options options;
    struct solver *solver;
    struct graph graph;
    struct sources sources, targets;
    struct access_request access;       /* --access. */
    struct isochrones isochrones;       /* --isochrones. */
    struct skims skims;                 /* --skim. */
    struct staged file[RUN_FILES];      /* Files of rank 0. */
    struct staged watched[RUN_WATCHED]; /* All files of rank 0, on the other ranks. */
    char *scale_path; /* Path of the divisor of scaled integers, beside DISTANCES; or NULL. */
    struct report report;
    char *detail;  /* Text behind the error on its line, of rank 0. */
    bool begun;    /* The command line is right: a failure from now on gets into the report. */
    bool reported; /* The report has been written, or cannot be. */
};

/*
 * Over all ranks. Starts MPI (once per process). Opens the graph, settles types and engine, and
 * creates the temporary output files. *run is made even when this fails, so that the error can be
 * reported by all ranks alike; it is NULL only if MPI does not start, or without memory for it. An
 * error that is there already, of the command line, is the run's.
 */
int run_make(struct run **run, const struct run_options *options, struct apsp_error *error);

/* Collective; ends in agreement. Prints bytes and seconds, and writes them as JSON where the
 * options name a file; allocates nothing large. APSP_MEMORY: memory or disks do not hold the run.
 */
int run_estimate(struct run *run);
int run_load(struct run *run); /* Edges -> engine. */
int run_solve(struct run *run);
int run_rows(struct run *run);   /* Rows -> files, certificate, predecessors. */
int run_commit(struct run *run); /* Temporary files -> their names, report -> stdout and JSON; after
                                    run_rows also where that has failed. */

/* The order of elimination of a run with request.order_again, a copy for mem_free on rank 0; *bytes
 * is 0 on all ranks if the engine has none. Collective; ends in agreement. APSP_MEMORY. */
int run_take_order(struct run *run, void **order, size_t *bytes);

/* On rank 0, after a step has failed: the report of that, if there is to be one. */
void run_report_failure(struct run *run);

/* The text behind the error's on its line, of any length: the vertices of a negative cycle, or
 * further errors and the files that are complete; else "". Owned by the run. */
const char *run_detail(const struct run *run);

/* Frees everything, removes an uncommitted output file. NULL is allowed. */
void run_free(struct run *run);

#endif
