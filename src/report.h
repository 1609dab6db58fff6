/* What a run tells: the '#'-prefixed preamble and table on stdout, and the same as JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "dtype.h"
#include "error.h"
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

/* The pieces that other output is made of too. Each fills text and returns it. */
enum { REPORT_NUMBER = 32, REPORT_TEXT = 96 };
char *report_count(char text[REPORT_NUMBER], size_t value);                  /* 1,234,567 */
char *report_amount(char text[REPORT_TEXT], double value, const char *unit); /* 1.23 M edges/s, 4.56 GB */
/* PASSED, 64 of 20,000 rows */
char *report_verdict(char text[REPORT_TEXT], bool passed, size_t rows, size_t all);

#endif
