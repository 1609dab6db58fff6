/*
 * The order of the work: a list of rounds. Each eliminates a range of pivot vertices and touches the rows and
 * columns that a path through them can improve. The dense schedule touches all of both; its pivot ranges are
 * the strips cut into tiles and a remainder.
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
};

/* How many rounds it has. */
size_t schedule_rounds(size_t n, int ranks, size_t tile);
/* Returns false when memory is short. Free with schedule_free in any case. */
bool schedule_dense(struct schedule *schedule, size_t n, int ranks, size_t tile);
void schedule_free(struct schedule *schedule);

#endif
