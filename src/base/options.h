/* What the parts of a run are told. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "apsp.h"

#include <stdbool.h>

/* What a run is to do. Zero or NULL is "choose" or "no"; strings belong to the caller. */
struct job_options {
    const char *graph;        /* input path */
    const char *distances;    /* output path; NULL writes nothing */
    const char *predecessors; /* path of the matrix of predecessors */
    const char *json;         /* path of the JSON report */
    const char *stats;        /* path of the statistics of rows */
    const char *betweenness;  /* path of the betweenness of vertices */
    const char *order;        /* path of the order of elimination to take; NULL: it is made */
    const char *save_order;   /* output path of the order */
    const char *sources;      /* vertices whose rows are wanted, as sources_read() takes them; NULL: all */
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
    bool rows_later;    /* rows will be asked for after the run too, by as many threads */
    /* Hears of every step; other than 0 cancels the run. May be there on some ranks only. */
    int (*tell)(void *listener, const char *step, size_t done, size_t steps);
    void *listener;
};

#endif
