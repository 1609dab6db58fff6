/* A large graph is made smaller before it is cut: vertices near one another become one. */
#ifndef COARSE_H
#define COARSE_H

#include "sparse/pattern.h"

#include <metis.h>

struct coarse {
    size_t n;         /* 0: there is no such graph, since too few vertices have a partner */
    idx_t *start;     /* n + 1; as METIS takes them */
    idx_t *to;        /* neighbours */
    idx_t *edges;     /* that an entry of `to` stands for */
    idx_t *weight;    /* vertices that a vertex stands for */
    uint32_t *number; /* of each vertex of the pattern, here */
};

/* At most so many vertices, about. The same for any number of threads. APSP_MEMORY. Free in any
 * case. */
int coarse_make(struct coarse *coarse, const struct pattern *pattern, size_t most, int threads,
                struct apsp_error *error);
void coarse_free(struct coarse *coarse); /* a zeroed one is allowed */

#endif
