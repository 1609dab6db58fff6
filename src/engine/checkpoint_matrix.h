/*
 * Checkpoints of a matrix in strips, row by row, each with its hash: that of the elimination of
 * vertices in the order of their numbers. D[i][j] is the length of the shortest path from i to j
 * whose inner vertices have been eliminated, reweighted by the potentials.
 */
#ifndef CHECKPOINT_MATRIX_H
#define CHECKPOINT_MATRIX_H

#include "base/range.h"
#include "engine/checkpoint.h"

/* This rank's rows, in host memory or elsewhere. */
struct checkpoint_strip {
    struct range rows;
    size_t width; /* bytes of a row */
    char *at;     /* the first row; NULL: it is not in host memory */
    size_t pitch; /* from row to row */
    char
        *buffer; /* room for `room` rows, where `at` is NULL; and what copies rows there, or back */
    size_t room;
    void (*copy)(void *self, struct range rows, char *buffer, bool back);
    void *self;
    int threads;
};

/* Bytes of memory while rows are read or written. */
size_t checkpoint_matrix_need(struct range rows);

/* Collective; end in agreement. checkpoint_read and checkpoint_write, of the strip after so many
 * vertices. */
int checkpoint_matrix_load(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                           struct apsp_error *error);
int checkpoint_matrix_save(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                           size_t eliminated, struct apsp_error *error);

/* The core, of n vertices, which that hash tells from others. */
struct checkpoint_core {
    size_t n, kappa;
    uint64_t hash;
};
/* Collective; ends in agreement. As checkpoint_read_core and checkpoint_write_core. */
bool checkpoint_core_load(struct checkpoint *checkpoint, const struct checkpoint_core *core,
                          const struct checkpoint_strip *strip);
void checkpoint_core_save(struct checkpoint *checkpoint, const struct checkpoint_core *core,
                          const struct checkpoint_strip *strip);

#endif
