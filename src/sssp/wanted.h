/* The sources and the columns of a request, by the numbers of a network. */
#ifndef WANTED_H
#define WANTED_H

#include "rows/rows.h"
#include "sssp/network.h"

/* Zeroed: nothing is wanted yet. */
struct wanted {
    uint32_t *source; /* New numbers of sources, in the order of the network. */
    size_t sources;
    uint32_t *column; /* New numbers of columns; NULL: all are wanted. */
    uint32_t *vertex; /* The same columns by their vertices. */
};

/* Each replaces what was wanted before. Local. APSP_MEMORY. */
int wanted_sources(struct wanted *wanted, const struct network *network,
                   const struct rows_request *request, struct apsp_error *error);
int wanted_columns(struct wanted *wanted, const struct network *network,
                   const struct rows_request *request, struct apsp_error *error);
void wanted_free(struct wanted *wanted);

#endif
