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
 * Runs rounds until all are done, or the progress stops or pauses on all ranks, and returns the
 * number of rounds done. After all of them the strip holds distances, else exactly the state after
 * these rounds. transport may be NULL with one rank.
 */
size_t rounds_run(const struct schedule *schedule, struct backend *backend,
                  struct transport *transport, int rank, struct progress *progress,
                  struct rounds_times *times);

#endif
