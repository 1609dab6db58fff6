/*
 * Blocked Floyd-Warshall with look-ahead. G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked
 * all-pairs shortest-paths algorithm", J. Experimental Algorithmics 8, 2003; strips and the
 * redundant first two phases as in the course this program's file format comes from.
 *
 * Round r does everything but phase 3 for round r + 1 as well. The pivot rows and columns of round
 * r + 1 are relaxed first, the rows are sent, and tile and panels are closed. Meanwhile the bulk of
 * round r runs.
 */
#include "dense/rounds.h"

#include "base/clock.h"
#include "dense/flip.h"

struct run {
    struct backend *backend;
    const struct round_ops *ops;
    struct transport *transport;
    int rank;
    double exposed;
    struct flip flip;
};

static struct ranges strip_part(const struct run *run, const struct round *round)
{
    return ranges_within(round->rows, run->backend->plan.rows);
}

static void send(struct run *run, const struct round *round, int slot)
{
    if (run->transport)
        run->transport->ops->begin(
            run->transport->state, round->owner, slot,
            backend_raw_bytes(&run->backend->plan, range_length(round->pivot)));
}

/* Relaxes what round `next` starts from by round `now`, then sets its pivot rows on their way. */
static void look_ahead(struct run *run, const struct round *now, const struct round *next, int slot)
{
    struct ranges rows = ranges_without(strip_part(run, now), now->pivot);
    struct ranges cols = ranges_without(now->cols, now->pivot);
    if (next->owner == run->rank) {
        struct ranges pivot_rows = ranges_within(rows, next->pivot);
        run->ops->relax(run->backend, BACKEND_AHEAD, slot, &pivot_rows, &cols);
        run->ops->pick(run->backend, !slot, next->pivot);
    }
    send(run, next, !slot);
    struct ranges other_rows = ranges_without(rows, next->pivot);
    struct ranges pivot_cols = ranges_within(cols, next->pivot);
    run->ops->relax(run->backend, BACKEND_AHEAD, slot, &other_rows, &pivot_cols);
}

static void relax_bulk(struct run *run, const struct round *now, const struct round *next, int slot)
{
    struct ranges rows = ranges_without(strip_part(run, now), now->pivot);
    struct ranges cols = ranges_without(now->cols, now->pivot);
    if (next) {
        rows = ranges_without(rows, next->pivot);
        cols = ranges_without(cols, next->pivot);
    }
    run->ops->relax(run->backend, BACKEND_BULK, slot, &rows, &cols);
}

/* Waits for the pivot rows and closes them: after this the round is ready for phase 3. */
static void close_round(struct run *run, const struct round *round, int slot)
{
    if (run->transport) {
        double start = clock_seconds();
        run->transport->ops->finish(run->transport->state);
        if (run->backend->panel
                ->on_host) /* otherwise the device works on meanwhile, and keeps the time itself */
            run->exposed += clock_seconds() - start;
    }
    flip_raw(&run->flip, run->backend, slot, round);
    struct ranges rows = strip_part(run, round);
    run->ops->close(run->backend, slot, round->pivot, &rows, &round->cols);
}

static void poll_transport(void *opaque)
{
    struct transport *transport = opaque;
    transport->ops->poll(transport->state);
}

/* A device is given work ahead of time. Where that may be interrupted no more than a few rounds. */
static void keep_pace(struct run *run, size_t r)
{
    enum { FIRST = BACKEND_TRANSPORT_MARKS, ROUNDS = BACKEND_PACE_MARKS };
    const struct timespec moment = {.tv_nsec = 20000};
    run->backend->panel->mark(run->backend, BACKEND_BULK, FIRST + (int)(r % ROUNDS));
    while (!run->backend->panel->reached(run->backend, FIRST + (int)((r + 1) % ROUNDS)))
        nanosleep(&moment, NULL);
}

/* The first round has nothing to look ahead from: its rows are as they were read. */
static void start_first(struct run *run, const struct round *first, int slot)
{
    if (first->owner == run->rank)
        run->ops->pick(run->backend, slot, first->pivot);
    send(run, first, slot);
    close_round(run, first, slot);
}

/* Whether round r is the last one for now. */
static bool is_last(const struct schedule *schedule, size_t r, const struct progress *progress)
{
    return r + 1 == schedule->count ||
           (progress->pause && progress->pause(progress->pauser, schedule->before + r + 1));
}

size_t rounds_run(const struct schedule *schedule, struct backend *backend,
                  struct transport *transport, int rank, struct progress *progress,
                  struct rounds_times *times)
{
    size_t r = 0;
    bool last = false;
    struct run run = {
        .backend = backend, .ops = backend->round, .transport = transport, .rank = rank};
    backend->poll = transport ? poll_transport : NULL;
    backend->poll_arg = transport;

    run.flip = flip_plan(schedule, backend->plan.ranks, rank);
    run.ops->begin(backend);
    start_first(&run, &schedule->rounds[0], schedule->before % 2);
    for (; r < schedule->count && !last; r++) {
        last = is_last(schedule, r, progress);
        const struct round *now = &schedule->rounds[r];
        const struct round *next = last ? NULL : now + 1;
        int slot = (schedule->before + r) % 2;
        run.ops->after(backend, BACKEND_AHEAD,
                       BACKEND_BULK); /* the strip is as round r - 1 left it */
        flip_rest(&run.flip, backend, slot, now);
        run.ops->after(backend, BACKEND_BULK, BACKEND_AHEAD); /* the panels of round r are closed */
        if (next)
            look_ahead(&run, now, next, slot);
        relax_bulk(&run, now, next, slot);
        if (next)
            close_round(&run, next, !slot);
        if (progress->pause)
            keep_pace(&run, r);
        if (!progress_step(progress,
                           schedule->before + r + 1)) /* on all ranks; nothing is on its way now */
            break;
    }
    run.ops->end(backend, &times->device);
    times->exposed = run.exposed;
    return r;
}
