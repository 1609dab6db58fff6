/* The edge scan: the first pass over all edges, before anything is built from them. */
#ifndef CENSUS_H
#define CENSUS_H

#include "graph/edges.h"

struct census {              /* over all ranks */
    size_t edges, loops;     /* loops are edges too */
    bool real;               /* the weights are */
    union value least, most; /* of the weights, and 0; loops count when they are negative */
    bool keyed;              /* no loop counts, and what follows is known: */
    bool improbable;         /* some weight is not above 0 and at most 1 */
    double finest;           /* the least size of real weights other than 0, or infinity */
    bool scales;             /* real weights are whole by a scale, */
    struct scale scale;      /* of which this is the least */
    uint64_t sum; /* of the edges as the source has them, whatever their order; where edges->summed
                     says so */
};

/* The weights become whole by that scale, here and in the edges; or again what they were. */
void census_scale(struct census *census, struct edges *edges);
void census_unscale(struct census *census, struct edges *edges);

/* After census_scale: the weights become keys of the graph's algebra, here and in the edges. Local,
 * with the same result on all ranks. APSP_INPUT: they have none. */
int census_key(struct census *census, struct edges *edges, struct apsp_error *error);
/* Whether weights may become whole by their scale before they become keys. */
bool census_may_scale(const struct census *census, const struct algebra *algebra);

/*
 * Collective over edges->comm: every rank reads its part of the graph once, with its threads, and
 * counts. It retains the edges if there is room (edges.h). Makes graph->m exact, and compares with
 * the header. The caller sets graph, comm, threads and room of zeroed edges, and frees them in any
 * case. Ends in agreement: APSP_INPUT, APSP_IO (also when the file has been written to since it was
 * opened), APSP_MEMORY.
 */
int census_take(struct census *census, struct edges *edges, struct apsp_error *error);

/* Whether some weight is below 0. */
static inline bool census_is_negative(const struct census *census)
{
    return census->real ? census->least.real < 0 : census->least.whole < 0;
}

#endif
