/*
 * The core of an elimination tree: the vertices with more than kappa later neighbours, and all that
 * lie above such. They are eliminated at once, as one dense graph, and all distances between them
 * are kept. This costs more, but rows cost less: a row reaches all of the core at once, from the
 * boundary of its own subtree.
 */
#ifndef CORE_H
#define CORE_H

#include "sparse/etree.h"

#include <stdbool.h>

/* In relaxations of a dense solve. */
struct core_cost {
    double eliminate, row; /* of a relaxation of elimination, and of rows */
    double pair;           /* of handing over a pair of the core's vertices */
};

/* Where the host does all of it. */
extern const struct core_cost core_cost_on_host;

/* The inputs of the choice. */
struct core_request {
    size_t sources; /* rows that will be made, of all ranks */
    size_t width;   /* sources of a group (expand.h) */
    size_t ranks;   /* that share these, and the dense graph's solving */
    size_t kappa;   /* SIZE_MAX: the best by cost, and no core unless it is worth it */
    struct core_cost cost;
};

struct core {
    size_t size; /* vertices; 0: there is no core */
    size_t kappa;
    double enter; /* relaxations from a source outside to the whole core, the average over all
                     sources */
    double own;   /* relaxations from a source inside to the whole core */
};

/* inside[v] says whether v is of the core. The array scratch has room for n. */
struct core core_choose(bool *inside, const struct etree *etree, const struct core_request *request,
                        double *scratch);

#endif
