/* The report of a run: the '#'-prefixed preamble and table on stdout, and the same as JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "base/dtype.h"
#include "base/scale.h"
#include "base/text.h"
#include "base/value.h"
#include "engine/engine.h"
#include "run/trace.h"

#include <stdio.h>

/* A row of the table; left out of it, but not of the JSON, when it took no time. */
struct report_phase {
    const char *name;
    double seconds;
    double amount;    /* work of the phase, in the unit of `unit` */
    const char *unit; /* its unit in a second; NULL: no rate */
};

/* The layout of the JSON; docs/upgrade.md lists its changes. */
enum { REPORT_SCHEMA = 1 };

#define REPORT_NOTHING                                                                             \
    "nothing is written: DISTANCES behind GRAPH, --stats FILE and others of --help name files"

enum { REPORT_LINE = 320 }; /* bytes of a line of `places` or `notes` */

struct report {
    const char *graph;
    const char *numbering; /* how the vertices got their numbers, in words; NULL: they have those of
                              the file */
    const char *about;     /* how the graph's file was read, in words; NULL: as it says itself */
    unsigned warnings;     /* bits of those lines of `notes` that --quiet does not hide */
    const char *notes; /* what its reader should know of the graph besides, a line each; or "" */
    size_t vertices, edges, parallel, loops;
    enum dtype dtype;
    bool real;                 /* the weights are */
    enum algebra_kind algebra; /* what the value of a path is */
    bool rough;                /* decimals have too many digits for exact sums */
    bool exact;                /* no sum is rounded */
    bool summed;               /* rounded sums are those along paths */
    union value bound;         /* no distance exceeds it; INT64_MAX: unknown */
    enum dtype file;           /* of distances in files */
    bool scaled;               /* floating-point weights became integers by `scale` */
    struct scale scale;        /* divisor of distances and of the bound; 1 of integer weights */
    double reach;              /* the largest potential of negative weights, 0 without any */
    double proof;              /* seconds that it took */
    const char *device;
    const char *method, *solver; /* the engine, and its plan in words */
    const char *reasons;         /* estimates of all engines, if there was a choice */
    int ranks, nodes, threads;   /* threads per rank, the most of any rank */
    int requested;               /* threads per rank that were asked for; 0: none */
    char *places;                /* one line per rank: where it runs; the caller's */
    struct report_phase read, build, solve, rows, sums, sink[SINKS_MAX];
    int sinks;
    enum block_form form;        /* in which the engine's rows came */
    struct engine_report engine; /* seconds: the most of any rank */
    double total;
    struct trace trace;
    size_t verified; /* rows that the certificate has passed; 0: not asked for. A failure ends the
                        run */
    uint64_t seed;   /* of their choice */
    bool read_back;  /* they were those of the file */
    struct checkpoint_figures checkpoint; /* folder NULL: there is none */
    bool writes;                          /* The run was to make results. */
    bool omits;                           /* statistics leave out pairs without a path */
    bool counted;                         /* For all pairs of vertices: */
    size_t pairs, paths;                  /* how many there are, and how many have a path. */
    struct report_phase check;            /* that, where it is no sink's, as one; or zeroed */
};

/* Whether it is known that no distance is further from 0 than the bound. */
static inline bool report_is_bounded(const struct report *report)
{
    return report->real || report->bound.whole < INT64_MAX;
}

/* The warnings alone, on stderr. */
void report_warn(const struct report *report);
void report_print(const struct report *report, FILE *out);
/* The JSON text; free() it. NULL when memory is short. For a run that has failed, as its trace
 * says, it has the trace. */
char *report_json(const struct report *report);

#endif
