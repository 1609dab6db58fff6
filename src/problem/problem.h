/* A problem: a graph with its edges, and the proof of its weights. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "proof/proof.h"

/* Zeroed at first; complete, and unchanged, from the proof on. */
struct problem {
    struct graph graph; /* A copy of the caller's, which stays open. */
    struct edge_scan scan;
    struct edges edges; /* Until an engine has loaded them. */
    struct csr csr;     /* All edges, as long as an engine or the rows want them. */
    struct proof proof; /* Type, bound and potentials. */
};

/* A zeroed one is allowed. The graph stays open. */
void problem_free(struct problem *problem);

#endif
