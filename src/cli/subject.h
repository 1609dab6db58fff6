/* A graph and a file of its distances, in one process: what apsp-verify and apsp-query work on. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "proof/certify.h"
#include "rows/matrix.h"

struct subject {
    struct comm *comm;
    struct graph graph;
    struct matrix distances;
    struct csr edges;               /* once they are loaded, with */
    struct certificate certificate; /* what rows are held against */
};

/* The names may be those of pipes for the graph. APSP_USAGE, APSP_INPUT, APSP_IO, APSP_MEMORY. Free in any
 * case. */
int subject_open(struct subject *subject, const char *graph, const struct graph_options *input,
                 const char *distances, struct apsp_error *error);

/* Reads the edges, with that many threads, if there is memory for them and for `beside` bytes of the
 * caller's. */
int subject_load(struct subject *subject, size_t beside, int threads, struct apsp_error *error);

void subject_free(struct subject *subject);

#endif
