#include "dense/schedule.h"

#include <stdlib.h>

size_t schedule_rounds(size_t n, int ranks, size_t tile)
{
    size_t count = 0;
    for (int rank = 0; rank < ranks; rank++) {
        size_t rows = range_length(strip_rows(n, ranks, rank));
        count += rows / tile + (rows % tile != 0);
    }
    return count;
}

bool schedule_dense(struct schedule *schedule, size_t n, int ranks, size_t tile)
{
    *schedule = (struct schedule){
        .rounds = calloc(schedule_rounds(n, ranks, tile), sizeof *schedule->rounds)};
    if (!schedule->rounds)
        return false;
    struct ranges all = ranges_of((struct range){0, n});
    for (int rank = 0; rank < ranks; rank++) {
        struct range strip = strip_rows(n, ranks, rank);
        for (size_t lo = strip.lo, hi; lo < strip.hi; lo = hi) {
            hi = strip.hi - lo > tile ? lo + tile : strip.hi;
            schedule->rounds[schedule->count++] =
                (struct round){.pivot = {lo, hi}, .owner = rank, .rows = all, .cols = all};
        }
    }
    return true;
}

struct schedule schedule_rest(const struct schedule *schedule, size_t eliminated)
{
    struct schedule rest = *schedule;
    while (rest.count > 0 && rest.rounds->pivot.hi <= eliminated) {
        rest.rounds++;
        rest.count--;
        rest.before++;
    }
    if (rest.count > 0 && rest.rounds->pivot.lo < eliminated)
        rest.rounds->pivot.lo = eliminated;
    return rest;
}

void schedule_free(struct schedule *schedule)
{
    free(schedule->rounds);
    *schedule = (struct schedule){0};
}
