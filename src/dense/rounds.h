/* The rounds of the blocked Floyd-Warshall algorithm, with look-ahead. Knows neither MPI nor the
 * device. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "base/progress.h"
#include "dense/schedule.h"
#include "dense/transport.h"

struct rounds_times {
    double exposed; /* seconds in which this rank's compute waited for a panel */
    struct backend_times device;
};

/*
 * Runs rounds until all are done, which number it returns: the strip then holds distances; until
 * the progress is stopped; or until the progress pauses, on all ranks: the strip is then what those
 * rounds have made of it, no more and no less. transport may be NULL with one rank.
 */
size_t rounds_run(const struct schedule *schedule, struct backend *backend,
                  struct transport *transport, int rank, struct progress *progress,
                  struct rounds_times *times);

#endif
