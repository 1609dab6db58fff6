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
#include <stdio.h>

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
};

/* A status and the one line that explains it; code 0 means that there is no error. */
struct apsp_error {
    int code;
    char text[1000];
};

enum apsp_device { APSP_DEVICE_AUTO, APSP_DEVICE_CPU, APSP_DEVICE_GPU };

#define APSP_VERIFY_ALL SIZE_MAX

/* What a run is to do. Zero or NULL is "choose" or "no"; strings belong to the caller. */
struct apsp_options {
    const char *graph;        /* input path */
    const char *distances;    /* output path; NULL writes nothing */
    const char *predecessors; /* path of the matrix of predecessors */
    const char *json;         /* path of the JSON report */
    const char *format;       /* name of the input format; NULL goes by the suffix */
    const char *dtype;        /* "auto" or a type's name */
    const char *output_type;  /* "auto", "narrow" or a type's name: of the distances in files */
    const char *method;       /* "auto" or an engine's name */
    const char *transport;    /* "auto" or a transport's name */
    enum apsp_device device;
    int ranks;          /* --ranks: start this many CPU ranks on this machine */
    int gpus;           /* --gpus: start this many ranks with a GPU each on this machine */
    int ranks_per_node; /* treat every so many ranks of a machine as one node; 0: as they are */
    bool share_gpus;    /* several ranks may use one GPU */
    int threads;        /* threads per rank */
    size_t tile;        /* width B of a pivot range */
    size_t verify;      /* rows to certify; APSP_VERIFY_ALL for all */
    bool estimate;      /* print what the run would need and stop */
    bool force;         /* replace existing output files */
    bool quiet;         /* no report on stdout */
    bool progress;      /* progress bar on stderr */
    bool stop;          /* --help or --version has been printed: nothing else to do */
};

/* One run: communicator, graph, engine, sinks. Opaque. */
struct apsp_job;

/*
 * Starts MPI (once per process), opens the graph, settles types and engine, refuses what memory cannot
 * hold, and creates the temporary output files. *job is made even when this fails, so that the error can be
 * reported by all ranks alike; it is NULL only when MPI itself cannot start.
 */
int apsp_job_init(struct apsp_job **job, const struct apsp_options *options, struct apsp_error *error);

int apsp_job_estimate(struct apsp_job *job,
                      FILE *out);        /* prints bytes and seconds; nothing of the matrix's size is taken */
int apsp_job_read(struct apsp_job *job); /* edges -> engine */
int apsp_job_solve(struct apsp_job *job);
int apsp_job_rows(struct apsp_job *job);   /* rows -> files, certificate, predecessors */
int apsp_job_commit(struct apsp_job *job); /* temporary files -> their names, report -> stdout and JSON */

/* The error that stopped the job; code 0 while all is well. Owned by the job. */
const struct apsp_error *apsp_job_error(const struct apsp_job *job);

/* What follows the error's text on its line, of any length: the vertices of a negative cycle; else "". Owned
 * by the job. */
const char *apsp_job_detail(const struct apsp_job *job);

/* True on the one rank that speaks for all. */
bool apsp_job_speaks(const struct apsp_job *job);

/* Frees everything, removes an uncommitted output file. NULL is allowed. */
void apsp_job_free(struct apsp_job *job);

/* Ends MPI if it was started: call once, after the last job. */
void apsp_finish(void);

#endif
