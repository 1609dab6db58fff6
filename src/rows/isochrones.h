/* Isochrones: the vertices that some sources reach within cutoffs, and where they are. */
#ifndef ISOCHRONES_H
#define ISOCHRONES_H

#include "comm/comm.h"
#include "graph/graph.h"
#include "rows/results.h"

struct isochrones {
    size_t count;
    double *cutoff;          /* Ascending. */
    double *x, *y;           /* The places of all vertices; NULL: they are not given. */
    char about[GRAPH_ABOUT]; /* Which columns or attributes they are, in words, on rank 0; or "". */
};

/* Reads the words of the cutoffs, and the file of coordinates on rank 0. Collective; ends in
 * agreement. APSP_USAGE: words; APSP_INPUT: a file; APSP_IO, APSP_MEMORY. Free in any case. */
int isochrones_read(struct isochrones *isochrones, const struct results_isochrones *wish,
                    const char *cutoffs, const struct graph *graph, struct comm *comm,
                    struct apsp_error *error);
void isochrones_free(struct isochrones *isochrones);

#endif
