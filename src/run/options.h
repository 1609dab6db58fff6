/* The options of the command. Engines see a request. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "engine/checkpoint.h"
#include "engine/request.h"
#include "graph/options.h"
#include "rows/results.h"

/* Zero or NULL is "choose" or "no"; strings belong to the caller. */
struct run_options {
    const char *graph; /* Path of the graph. */
    struct graph_options input;
    struct request request;
    struct results results;
    struct checkpoint_policy checkpoint;
    const char *sources;    /* Vertices whose rows are wanted, as sources_read() takes them. */
    const char *targets;    /* Vertices to which distances are wanted, the same. */
    bool lists[2];          /* The two lists may be paths of files; the run's to say. */
    const char *json;       /* Path of the JSON report. */
    const char *save_order; /* Path for the order of elimination. */
    const char *names;      /* Path for the names of vertices. */
    int ranks;              /* CPU ranks to start on this machine. */
    int gpus;               /* Ranks with a GPU each to start on this machine. */
    int ranks_per_node;     /* So many ranks of a machine count as one node; 0: as they are. */
    int write_retry;        /* Seconds to wait for space on disk. */
    bool verify_more;       /* All rows are certified where that costs little beside solving. */
    bool estimate;          /* The needs of the run are printed, and no more. */
    bool quiet;             /* No report on stdout. */
    bool stop;              /* --help or --version has been printed: nothing else is to do. */
};

/* The first argument of ranks that the scripts of launch/ start (cli/launch.c), and how each of the
 * others begins. */
#define OPTIONS_QUOTED "--quoted"
enum { OPTIONS_MARK = '=' };

/* The paths that the run reads, as far as they may be files. Which lists are files shows when the
 * graph is open. */
struct staged_inputs options_inputs(const struct run_options *options);

#endif
