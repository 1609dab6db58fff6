/*
 * A maker of blocks of sources without values, PATHS_WIDTH at a time: the ranks take them in turns.
 * Sources come by their ranks in the graph, so that those of a block are near one another.
 */
#ifndef BATCHES_H
#define BATCHES_H

#include "rows/brandes.h"
#include "rows/rows.h"

#include <stdatomic.h>

struct comm;

struct batches {
    uint32_t *source;   /* Sources of all ranks, in order. */
    size_t sources;     /* Their number. */
    size_t width;       /* Sources of a block. */
    size_t first, step; /* The rank's first block, and the distance of its blocks. */
    atomic_size_t next;
};

/* The sources that are wanted. */
struct batches_list {
    const uint32_t *rank; /* The rank of each of n vertices. */
    size_t n;
    const size_t *vertex; /* Sources, ascending; NULL: all vertices. */
    size_t count;
    int lanes; /* Sources come one by one, to so many workers of a rank; 0: they come together. */
};

/* Begins, or begins anew. APSP_MEMORY. Local. Free in any case. */
int batches_make(struct batches *batches, const struct comm *comm, const struct batches_list *list,
                 struct apsp_error *error);
void batches_free(struct batches *batches); /* a zeroed one is allowed */

/* Sources of this rank. */
size_t batches_rows(const struct batches *batches);
/* As next() of struct rows_maker, whose self is the batches. */
bool batches_next(void *self, int lane, struct block *block, struct apsp_error *error);

#endif
