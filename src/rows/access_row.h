/* The parts of access.c: a row of one worker is weighed (access_row.c), and its nearest amounts are
 * found (access_near.c). */
#ifndef ACCESS_ROW_H
#define ACCESS_ROW_H

#include "kernels/cpu/decay.h"
#include "rows/access_device.h"
#include "rows/pile.h"

/* Rows that one worker weighs side by side, so that amounts are read once for all of them. */
enum { ACCESS_ROWS = 8 };

struct access_row {
    const void *values;
    size_t home;   /* The block of the source; it comes first. */
    size_t step;   /* The step of the last block. */
    double *value; /* The entries of the row. */
    double *far;   /* For each smooth decay: blocks beyond it are negligible. */
    double *sum;   /* For each step, then each smooth decay, and each kind: DECAY_LANES parts. */
    double *all;   /* For each step and kind: the sums of blocks that lie between two steps. */
    struct pile *pile;
};

struct access_lane {
    void *room; /* The columns of the targets, of each row. */
    double raw[DECAY_BLOCK], distance[DECAY_BLOCK], weight[DECAY_BLOCK];
    size_t count; /* Rows at hand. */
    struct access_row row[ACCESS_ROWS];
};

struct access {
    struct access_plan plan;
    const struct sink_task *task;
    const struct decay_kernels *kernels;
    size_t columns, blocks; /* Each row has them. */
    double factor;          /* Values of rows are distances times this. */
    double most;            /* The largest share. */
    double *amount;         /* For each block and kind, DECAY_BLOCK entries. */
    double *block;          /* Their sum, for each block and kind. */
    double *total;          /* For each kind. */
    size_t steps;           /* Decays that are steps. */
    uint32_t *order;        /* All decays: first the steps, by their limits. */
    double *limit;          /* Limits of the steps, in the unit of rows. */
    double *value;
    struct access_lane *lane[SINK_LANES];
    struct access_device *device; /* For blocks that are there. */
};

/* A block of a row, whose distances the worker has once they are needed. */
struct part {
    const void *values;
    size_t count, number;
    double low, high;
    bool widened;
};

static inline void access_widen(const struct access *access, struct access_lane *lane,
                                struct part *part)
{
    if (part->widened)
        return;
    access->kernels->widen(access->task->dtype, part->values, part->count, lane->raw);
    for (size_t j = 0; access->factor != 1 && j < DECAY_BLOCK; j++)
        lane->distance[j] = lane->raw[j] / access->factor;
    part->widened = true;
}

/* The entries of the rows at hand. APSP_MEMORY. */
int access_weigh_rows(const struct access *access, struct access_lane *lane,
                      struct apsp_error *error);

/* For the shares: empties the piles of a row, adds a block to them, and puts the distances into the
 * entries. */
void access_begin_near(const struct access *access, struct access_row *row);
int access_add_near(const struct access *access, struct access_lane *lane, struct access_row *row,
                    struct part *part, struct apsp_error *error);
void access_end_near(const struct access *access, struct access_row *row);

#endif
