/* What the parts of a run are told. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "apsp.h"

#include <stdbool.h>
#include <stdint.h>

/* How a graph is to be read; all zero: as it is. Strings belong to the caller. */
struct graph_options {
    const char *format;  /* a source's name; NULL goes by the content, then by the suffix */
    const char *columns; /* of a list of edges: FROM,TO or FROM,TO,WEIGHT, numbers from 1 or names
                            of the header; NULL: they are found */
    const char
        *no_edge; /* entries of a matrix that are no edges: 0,inf,nan; NULL: as the source has it */
    const char *weight_key; /* of GraphML and GML: the attribute of edges that is their weight;
                               NULL: "weight" */
    bool sorted; /* vertices with names are numbered in the order of those, not as they appear */
    bool undirected; /* every edge leads back as well */
    bool reverse;    /* edges are turned round */
    bool unweighted; /* all weights are 1 */
    bool largest;    /* the largest strongly connected component alone */
    bool hash;       /* graph->hasher is to be there */
    const char
        *parallel; /* of parallel edges "min" or "sum" counts, or they are an "error"; NULL: min */
};

/* What a run is to do. Zero or NULL is "choose" or "no"; strings belong to the caller. */
struct job_options {
    const char *graph; /* input path */
    struct graph_options input;
    const char *distances;    /* output path; NULL writes nothing */
    const char *predecessors; /* path of the matrix of predecessors */
    const char *json;         /* path of the JSON report */
    const char *stats;        /* path of the statistics of rows */
    const char *betweenness;  /* path of the betweenness of vertices */
    unsigned counted;         /* what else is counted for them (APSP_STATS_..) */
    const char *plot;         /* path of a drawing of their histogram */
    const char *order;        /* path of the order of elimination to take; NULL: it is made */
    const char *save_order;   /* output path of the order */
    const char *names;        /* output path of what the vertices are called */
    const char
        *sources; /* vertices whose rows are wanted, as sources_read() takes them; NULL: all */
    const char *targets; /* those of whose columns the distances are wanted; NULL: all */
    bool lists[2];       /* of these two, whether they may be paths of files; the job's to say */
    size_t nearest;      /* of the targets of each source, those nearest to it: so many; 0: all, */
    bool bounded;        /* and */
    double within;       /* those not further than this */
    const char *dtype;   /* "auto" or a type's name */
    const char *output_type; /* "auto", "narrow" or a type's name: of the distances in files */
    const char *sums; /* "auto", or which sums of real weights are given out: "path" or "solver" */
    const char *method;    /* "auto" or an engine's name */
    const char *transport; /* "auto" or a transport's name */
    enum apsp_device device;

    const char *checkpoint;  /* folder for checkpoints; NULL: none */
    bool resume;             /* go on from the one that is there */
    double checkpoint_every; /* seconds; 0: when a signal asks for one */
    bool checkpoint_keep;    /* also when the work is done */

    int ranks;          /* --ranks: start this many CPU ranks on this machine */
    int gpus;           /* --gpus: start this many ranks with a GPU each on this machine */
    int ranks_per_node; /* treat every so many ranks of a machine as one node; 0: as they are */
    bool share_gpus;    /* several ranks may use one GPU */
    int threads;        /* threads per rank */
    size_t tile;        /* width B of a pivot range */
    size_t verify;      /* rows to certify; APSP_VERIFY_ALL for all */
    uint64_t seed;      /* of their choice; 0: a new one */
    bool verify_more;   /* all of them where that costs little beside solving */
    bool read_back;     /* they are read back from the file of distances; the job's to say */
    int write_retry;    /* seconds to wait for space on disk */
    bool paranoid;   /* look for memory that changes by itself; all rows are to be certified then */
    bool estimate;   /* print what the run would need and stop */
    bool force;      /* replace existing output files */
    bool quiet;      /* no report on stdout */
    bool progress;   /* progress bar on stderr */
    bool stop;       /* --help or --version has been printed: nothing else to do */
    size_t beside;   /* bytes that the caller takes of this rank's memory while rows are made */
    bool rows_later; /* rows will be asked for after the run too, by as many threads */
    /* Hears of every step; other than 0 cancels the run. May be there on some ranks only. */
    int (*tell)(void *listener, const char *step, size_t done, size_t steps);
    void *listener;
};

/* The first argument of ranks that the scripts of launch/ start (cli/launch.c), and how each of the
 * others begins. */
#define OPTIONS_QUOTED "--quoted"
enum { OPTIONS_MARK = '=' };

/* What the run reads, as far as it may be a file: NULL behind the last. Which lists are files shows
 * when the graph is open. */
struct options_inputs {
    const char *path[5];
};
struct options_inputs options_inputs(const struct job_options *options);

#endif
