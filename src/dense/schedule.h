/*
 * The order of the work: a list of rounds. Each eliminates a range of pivot vertices and touches
 * the rows and columns that a path through them can improve. The dense schedule touches all of
 * both; its pivot ranges are the strips cut into tiles and a remainder.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "dense/strip.h"

#include <stdbool.h>

struct round {
    struct range pivot; /* at most `tile` vertices, all in the strip of `owner` */
    int owner;
    struct ranges rows, cols; /* both include the pivot */
};

struct schedule {
    size_t count;
    struct round *rounds;
    size_t before; /* rounds that came before the first of these */
};

/* How many rounds it has. */
size_t schedule_rounds(size_t n, int ranks, size_t tile);
/* Returns false when memory is short. Free with schedule_free in any case. */
bool schedule_dense(struct schedule *schedule, size_t n, int ranks, size_t tile);
void schedule_free(struct schedule *schedule);
/*
 * Some vertices, the first ones, have been eliminated already, by these rounds or by those of
 * another schedule. The remaining rounds: their pivots are the other vertices, and they lie in the
 * same memory.
 */
struct schedule schedule_rest(const struct schedule *schedule, size_t eliminated);

#endif
