/* A graph and a file of its distances: what apsp-verify and apsp-query work on. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "cli/input.h"
#include "distances/exact.h"

struct subject_options {
    struct graph_options graph;
    struct distances_options distances;
    bool reported;     /* The options come from the report of the run (cli/reported.h). */
    const char *paths; /* The name of an algebra; NULL: shortest. */
};

#define SUBJECT_FIELD(at, name) ((at) + offsetof(struct subject_options, distances.name))

/* Rows for the tables of options; `at` is the offset of the struct subject_options. */
/* clang-format off */
#define SUBJECT_OPTIONS(at) \
    {OPTION_HEADING, .help = "what DISTANCES holds"}, \
    PATHS_OPTION((at) + offsetof(struct subject_options, paths)), \
    {OPTION_NAME, "distances-format", "F", SUBJECT_FIELD(at, format), \
     .names = distances_format_names, \
     .help = "format of DISTANCES", .otherwise = "by its content, else its suffix"}, \
    {OPTION_TEXT, "sources", "LIST|FILE", SUBJECT_FIELD(at, sources), \
     .help = "the vertices of its rows, in this order: 4,7,100-199, names, or a file of such", \
     .otherwise = "all"}, \
    {OPTION_TEXT, "targets", "LIST|FILE", SUBJECT_FIELD(at, targets), \
     .help = "the vertices of its columns, in this order", .otherwise = "all"}, \
    {OPTION_TEXT, "scale", "S", SUBJECT_FIELD(at, scale), \
     .help = "what its whole numbers are to be divided by, where weights are real", \
     .otherwise = "as DISTANCES.scale or HDF5 says, else 1"}, \
    {OPTION_TEXT, "unreachable", "LIST", SUBJECT_FIELD(at, unreachable), \
     .help = "values that stand for unreachable, such as -1 or 0,nan", \
     .otherwise = "infinity, the largest number of the type, and what apsp writes"}, \
    {OPTION_HEADING, .help = "how GRAPH is read"}, \
    INPUT_OPTIONS((at) + offsetof(struct subject_options, graph))
/* clang-format on */

struct subject {
    struct comm *comm;
    bool reported; /* as its options have it */
    struct graph graph;
    enum algebra_kind algebra;
    struct distances distances;
    struct csr edges;               /* loaded edges, with weights as the file has distances */
    struct potential potential;     /* potentials for floating-point distances and for searches */
    struct certificate certificate; /* rows are checked by it */
    union value *weights; /* weights of another kind than those of the edges, for `certificate` */
    struct csr whole;     /* edges of integers by a scale, for distances that have to be exact */
    struct exact exact;   /* without edges in its certificate if no distance has to be exact */
};

/* For a zeroed subject that has its communicator, which it frees. The names may be those of pipes;
 * on several ranks DISTANCES may not. Collective; ends in agreement. APSP_USAGE, APSP_INPUT,
 * APSP_IO, APSP_MEMORY, APSP_REFUTED. Free in any case. */
int subject_open(struct subject *subject, const char *graph, const char *distances,
                 const struct subject_options *options, struct apsp_error *error);

/* Reads the edges, with that many threads, if there is memory for them and for `beside` bytes of
 * the caller's on each rank. Collective; ends in agreement. APSP_INPUT also where whole distances
 * cannot be those of real weights; APSP_CYCLE where rows are completed or found by searches. */
int subject_load(struct subject *subject, size_t beside, int threads, struct apsp_error *error);

/* "; what may have been forgotten", if no option changes how GRAPH is read and no report has any;
 * else "". */
const char *subject_hint(const struct subject *subject);

/* The first check of rows, or NULL. */
static inline const struct exact *subject_exact(const struct subject *subject)
{
    return subject->exact.certificate.edges ? &subject->exact : NULL;
}

void subject_free(struct subject *subject);

#endif
