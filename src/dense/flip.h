/*
 * A fault on purpose, for tests: with APSP_FLIP=AREA:SEED one bit of that area (strip, raw, row or
 * col: kernels/sums.h) flips in the middle of a solve. The seed draws rank, round, byte and
 * bit, and the rank says on stderr what it has done.
 */
#ifndef FLIP_H
#define FLIP_H

#include "dense/backend.h"
#include "dense/schedule.h"

struct flip {
    const struct round *when; /* NULL: none on this rank */
    enum sum_area area;
    uint64_t place;
};

struct flip flip_plan(const struct schedule *schedule, int ranks, int rank);
/* To be called with each round: before its panels are closed, and before it is relaxed. The
 * look-ahead queue then orders the flip. */
void flip_raw(const struct flip *flip, struct backend *backend, int slot, const struct round *now);
void flip_rest(const struct flip *flip, struct backend *backend, int slot, const struct round *now);

#endif
