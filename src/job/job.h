/*
 * A job takes one graph through the steps: read (edges -> engine), solve, rows (every finished row
 * to all who want it) and, for a command, commit. Each step is collective: every rank calls it and
 * gets the same status, so that all ranks take the same path. A failed step leaves the message in
 * the job's error; the caller frees the job.
 */
#ifndef JOB_H
#define JOB_H

#include "comm/topology.h"
#include "engine/checkpoint_rows.h"
#include "files/staged.h"
#include "job/method.h"
#include "job/report.h"
#include "proof/proof.h"
#include "run/options.h"

/* Files beside those of the sinks, in the order in which they get their names. */
enum { JOB_PLOT, JOB_ORDER, JOB_NAMES, JOB_SCALE, JOB_REPORT, JOB_FILES };
enum { JOB_WATCHED = 16 };

struct job {
    struct run_options options;
    struct apsp_error error;
    struct comm *comm;
    struct device device;
    struct topology topology;
    struct graph graph;
    struct census census;
    struct edges edges; /* until they are loaded */
    struct csr
        csr; /* until the rows are done with it, if they want it; else until the proof is made */
    struct proof proof;
    struct engine_task task;
    struct engine_plan plan;
    struct engine *engine; /* one of the methods */
    struct methods methods;
    struct sources sources, targets;
    struct checkpoint *checkpoint; /* NULL: the options ask for none */
    struct checkpoint_rows saved;  /* of rows, where an engine does not save its own state */
    struct sink_task sink_task;
    struct sinks sinks;
    struct staged file[JOB_FILES];      /* of rank 0 */
    struct staged watched[JOB_WATCHED]; /* all files of rank 0, on the others */
    char *scale_path; /* of a file beside DISTANCES, which holds multiples: what they are divided by
                       */
    struct report report;
    char *detail;    /* what follows the error on its line; of rank 0 */
    size_t resident; /* bytes in memory of this process once MPI has started, on its first rank, */
    size_t proving;  /* and beside them while types are proved */
    double started;
    bool begun;    /* the command line is found right: what fails now gets into the report */
    bool reported; /* that has been written, or cannot be */
    bool summed;   /* rows are sums along paths */
    bool lent;     /* the graph is the caller's, and so is the process */
    bool told;     /* some rank listens to the progress, or there is one */
};

/*
 * Over this communicator, which the job takes in any case. The graph is open and stays the
 * caller's; NULL: opens that of the options. Settles types and engine (plan_make), and creates the
 * temporary output files. *job is made even when this fails, so that the error can be reported by
 * all ranks alike; it is NULL only without memory for it. An error that is there already, of the
 * command line, is the job's.
 */
int job_make(struct job **job, const struct run_options *options, struct comm *comm,
             const struct graph *graph, struct apsp_error *error);
/* The same over all ranks, for a command. Starts MPI (once per process); *job is NULL too if it
 * cannot. */
int job_init(struct job **job, const struct run_options *options, struct apsp_error *error);

/* Collective; ends in agreement. Prints bytes and seconds, and writes them as JSON where the
 * options name a file; allocates nothing large. APSP_MEMORY: memory or disks do not hold the run.
 */
int job_estimate(struct job *job);
int job_read(struct job *job); /* edges -> engine */
int job_solve(struct job *job);
int job_rows(struct job *job); /* rows -> files, certificate, predecessors; files -> certificate */
int job_commit(struct job *job); /* temporary files -> their names, report -> stdout and JSON; after
                                    job_rows also where that has failed */

/* On rank 0, after a step has failed: the report of that, if there is to be one. */
void job_report_failure(struct job *job);

/* A pass over the rows for any sinks, after solving, as often as wanted: on so many threads, 1 to
 * those of the job; more than those of the plan only if the options said that rows are wanted
 * later. The error is not the job's. */
int job_pass(struct job *job, struct sinks *sinks, int threads, struct apsp_error *error);

/* What follows the error's text on its line, of any length: the vertices of a negative cycle, or
 * further errors and the files that are complete; else "". Owned by the job. */
const char *job_detail(const struct job *job);

/* Frees everything, removes an uncommitted output file. NULL is allowed. */
void job_free(struct job *job);

/* The name of a file on rank 0; NULL: the run has it not, or not there. */
const char *job_path(const struct job *job, int file);

/* Whether that may be there already. */
bool job_may_replace(const struct job *job, int file);

/* Wall time since `start`, barrier to barrier. */
double job_since(struct job *job, double start);

/*
 * Collective; ends in agreement. Settles the types, by proof, and the engine, and refuses what
 * memory cannot hold, as early as it is known. The edges have then been read once, and the sinks
 * know what they will get.
 */
int plan_make(struct job *job);

/*
 * Collective; end in agreement. The engine that the options name; with "auto" the one that
 * solve/choose.h takes. methods_open plans before the edges are read and drops the engines that are
 * not worth a look. methods_settle plans for the task with its proof. Both set the job's engine and
 * plan. An error is the reason why the first of them cannot.
 */
int methods_open(struct job *job);
int methods_settle(struct job *job);
/* Collective, between them. Seconds of all work in that type, as choice_seconds has it. */
double methods_seconds(struct job *job, enum dtype dtype);
/* A sink, or an engine of those left, wants all edges on every rank; or the certificate of the
 * file, or sums along paths do. */
bool edges_are_wanted(const struct job *job);
/* Whether rows want them, after solving. */
bool rows_want_edges(const struct job *job);

/* Collective. How many rows are to be certified, where all of them may be: all if that costs little
 * beside solving, which took so many seconds on this rank. */
void check_settle(struct job *job, double seconds);
/* Collective; ends in agreement, APSP_REFUTED. Certifies rows of the complete file of distances,
 * where there is one that can be read back. And the bytes that this takes beside the edges. */
int check_file(struct job *job);
size_t check_file_need(const struct job *job);

/* Bytes that the run will take at its peak. */
struct estimate {
    size_t rank_host, rank_device; /* this rank */
    size_t node_host;              /* all ranks of this node */
    size_t node_limit;             /* what they may use */
    size_t disk;
    bool disk_most; /* so many at most */
};

/* Collective. */
struct estimate estimate_make(const struct job *job);

/* Every node has the memory, of which the fullest takes *node bytes. Collective. */
bool estimate_fits(const struct job *job, size_t *node);

/* APSP_MEMORY, on all ranks, if some node's memory is too small. Collective. */
int estimate_check(struct job *job);
/* The same for what proving types takes alone. */
int estimate_check_proof(struct job *job);

/* Bytes that this rank can spare to keep its edges in. Collective. */
size_t estimate_room(const struct job *job);

#endif
