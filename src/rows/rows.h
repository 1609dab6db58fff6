/*
 * The pass over the finished rows: their owner makes blocks, and every sink takes each of them.
 * There is one such pass in a run, whatever the rows are wanted for.
 */
#ifndef ROWS_H
#define ROWS_H

#include "base/progress.h"
#include "rows/beside.h"
#include "rows/count.h"
#include "rows/half.h"
#include "rows/sink.h"

/* The request of all sinks of a run together. Its lists are there for the call that it is given to:
 * an engine copies the parts that it needs later. */
struct rows_request {
    bool any;        /* there are sinks */
    int lanes;       /* workers that have work to do on rows; 0: rows are only passed on */
    unsigned counts; /* these counts alone will do (APSP_STATS_..): a block may have them in place
                        of values */
    bool on_device;  /* blocks are wanted in the device's memory, if there is one */
    bool on_host;    /* blocks are wanted in host memory */
    bool places;     /* Rows on the device go to places of it alone, by convert_device(). */
    bool sides;      /* rows side by side will do, in the type of the blocks (beside.h); */
    struct beside_target beside;   /* what takes them, once the sinks are open */
    struct count_target histogram; /* where counts of APSP_STATS_HISTOGRAM go, once the sinks are
                                      open */
    bool halves;                   /* Halves of the rows will do for the counts of all (half.h). */
    struct half_target half;       /* Where their columns are counted, once the sinks are open. */
    const size_t *list;            /* these rows of all ranks, ascending; NULL: all */
    size_t count;
    const uint32_t *column; /* the distances to these vertices will do, in any order: a block may
                               have them alone, in this order; NULL: to all */
    size_t columns;
    struct rows_near near; /* These distances will do, of those columns: a block may have columns of
                              its own, in their order (block.h). */
};

/* Where blocks come from. */
struct rows_maker {
    void *self;
    int lanes;      /* workers that may ask for blocks at once, 1 .. SINK_LANES */
    size_t rows;    /* that this rank will make, in all */
    double work;    /* relaxations that making a row takes, whose time is told apart; 0: there is no
                       work */
    double seconds; /* of that, after the pass */
    enum block_form form; /* of all blocks of all ranks, the one of the most work, after the pass */
    /* The worker's next block, which ends the one before; false at the end, or after an error. */
    bool (*next)(void *self, int lane, struct block *block, struct apsp_error *error);
    /* The worker requests no more, and is done with its last block; NULL: that does not matter. */
    void (*end)(void *self, int lane);
};

/* The request of these sinks, but for the list, for rows to be worked on by so many threads. Before
 * they are opened. */
struct rows_request rows_request(const struct sinks *sinks, int threads);

/* Adds the list, without what is done, once the sinks are open. *list is made for it and to be
 * freed, after the maker is done with it. APSP_MEMORY. Local. */
int rows_list(struct rows_request *request, size_t **list, const struct sinks *sinks,
              struct apsp_error *error);

/* A maker of its own of a sink that is alone and needs no values; *maker is zeroed if there is
 * none. Local. */
int rows_without(struct rows_maker *maker, const struct rows_request *request, struct sinks *sinks,
                 struct apsp_error *error);

/*
 * Collective; ends in agreement. All rows of all ranks, to all sinks, which are then merged. The
 * wall time of the pass is divided among the sinks by what their workers took. If the progress says
 * so, on any rank, the pass pauses after the blocks that are under way: those left are for another
 * one, and nothing is merged.
 */
int rows_pass(struct rows_maker *maker, struct sinks *sinks, struct progress *progress,
              struct apsp_error *error);

#endif
