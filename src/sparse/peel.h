/* Vertices of degree 0, 1 and 2 come first in the order of elimination. */
#ifndef PEEL_H
#define PEEL_H

#include "sparse/pattern.h"

#define PEEL_NONE UINT32_MAX

/* The remaining graph: its vertices are numbered anew. */
struct peel {
    size_t count;        /* vertices peeled */
    uint32_t (*next)[2]; /* The neighbours of each of these when it went, or PEEL_NONE. */
    struct pattern rest; /* of the others, with the fill that peeling makes */
    uint32_t *name;      /* of each of these, in the whole pattern */
};

/* Writes the vertices peeled to the start of `vertex`, in their order. APSP_MEMORY. Free in any
 * case. */
int peel_make(struct peel *peel, uint32_t *vertex, const struct pattern *pattern,
              struct apsp_error *error);
void peel_free(struct peel *peel); /* a zeroed one is allowed */

#endif
