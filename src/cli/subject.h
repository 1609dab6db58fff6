/* A graph and a file of its distances, in one process: what apsp-verify and apsp-query work on. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "cli/input.h"
#include "distances/distances.h"
#include "proof/certify.h"

struct subject_options {
    struct graph_options graph;
    struct distances_options distances;
};

#define SUBJECT_FIELD(at, name) ((at) + offsetof(struct subject_options, distances.name))

/* Rows for the tables of options; `at` is the offset of the struct subject_options. */
/* clang-format off */
#define SUBJECT_OPTIONS(at) \
    {OPTION_HEADING, .help = "what DISTANCES holds"}, \
    {OPTION_NAME, "distances-format", "F", SUBJECT_FIELD(at, format), .names = distances_format_names, \
     .help = "format of DISTANCES", .otherwise = "by its content, else its suffix"}, \
    {OPTION_TEXT, "sources", "LIST|FILE", SUBJECT_FIELD(at, sources), \
     .help = "the vertices of its rows, in this order: 4,7,100-199, names, or a file of such", \
     .otherwise = "all"}, \
    {OPTION_TEXT, "targets", "LIST|FILE", SUBJECT_FIELD(at, targets), \
     .help = "the vertices of its columns, in this order", .otherwise = "all"}, \
    {OPTION_TEXT, "unreachable", "LIST", SUBJECT_FIELD(at, unreachable), \
     .help = "values that stand for unreachable, such as -1 or 0,nan", \
     .otherwise = "infinity, the largest number of the type, and what apsp writes"}, \
    {OPTION_HEADING, .help = "how GRAPH is read"}, \
    INPUT_OPTIONS((at) + offsetof(struct subject_options, graph))
/* clang-format on */

struct subject {
    struct comm *comm;
    struct graph graph;
    struct distances distances;
    struct csr edges;               /* once they are loaded, with */
    struct potential potential;     /* those for real distances, and */
    struct certificate certificate; /* what rows are held against */
};

/* The names may be those of pipes. APSP_USAGE, APSP_INPUT, APSP_IO, APSP_MEMORY, APSP_REFUTED. Free in any
 * case. */
int subject_open(struct subject *subject, const char *graph, const char *distances,
                 const struct subject_options *options, struct apsp_error *error);

/* Reads the edges, with that many threads, if there is memory for them and for `beside` bytes of the
 * caller's. */
int subject_load(struct subject *subject, size_t beside, int threads, struct apsp_error *error);

void subject_free(struct subject *subject);

#endif
