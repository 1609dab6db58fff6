/* What a run tells: the '#'-prefixed preamble and table on stdout, and the same as JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"
#include <stdio.h>

struct report_seconds {
    double read, build, solve, write, verify, communication_exposed, total;
    double predecessors;        /* zero: not asked for */
    double close, panels, bulk; /* of a GPU; zero otherwise */
};

struct report {
    const char *graph;
    size_t vertices, edges, parallel, loops;
    enum dtype dtype;
    bool real;     /* the weights are; bound_real is then the bound, else bound */
    int64_t bound; /* no distance exceeds it; INT64_MAX: unknown */
    double bound_real;
    double reach; /* the largest potential of negative weights, 0 without any */
    double proof; /* seconds that it took */
    const char *device, *transport, *kernel;
    size_t tile, rounds;
    int ranks, nodes, threads; /* threads per rank, the most of any rank */
    char *places;              /* one line per rank: where it runs; owned by whoever made it */
    struct report_seconds seconds;
    size_t verified; /* rows; 0: not asked for */
    bool passed;
};

void report_print(const struct report *report, FILE *out);
/* The JSON text; free() it. NULL when memory is short. */
char *report_json(const struct report *report);

#endif
