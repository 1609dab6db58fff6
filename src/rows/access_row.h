/* The parts of access.c: a row of one worker is weighed (access_row.c), or rows side by side
 * (access_beside.c), and the nearest amounts of a row are found (access_near.c). */
#ifndef ACCESS_ROW_H
#define ACCESS_ROW_H

#include "kernels/cpu/decay.h"
#include "rows/access_device.h"
#include "rows/beside.h"
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

/* The rows of a group, side by side: each array has DECAY_SIDE or fewer times `width` entries. */
struct access_beside {
    size_t width, sources;
    size_t targets; /* The block at hand has so many. */
    size_t step;    /* The first step of the last block. */
    double *distance, *scaled, *weight;
    double *far; /* For each smooth decay: blocks beyond it are negligible. */
    double *sum; /* For each decay and kind, those of the rows. */
    double *all; /* For each step and kind: of blocks that no row has in part. */
    double low[DECAY_WIDTH], high[DECAY_WIDTH];
    struct decay_series series;
    /* While rows differ alike at the targets of the block: the distances from row 0; and the
     * differences of rows from it, their least and their largest one, and the values, all at the
     * first target. */
    bool alike;
    double base[DECAY_SIDE], offset[DECAY_WIDTH], extremes[2], first[DECAY_WIDTH];
    bool expanded; /* `distance` has the values all the same. */
    size_t degree; /* That of the moments; 0: there are none yet. */
    double *moment;
};

struct access_lane {
    void *room; /* The columns of the targets, of each row. */
    double raw[DECAY_BLOCK], distance[DECAY_BLOCK], weight[DECAY_BLOCK];
    size_t count; /* Rows at hand. */
    struct access_row row[ACCESS_ROWS];
    struct access_beside beside;
    double *amount, *all; /* The block at hand of vertices that a search has found. */
};

struct access {
    struct access_plan plan;
    const struct sink_task *task;
    const struct decay_kernels *kernels;
    size_t columns, blocks; /* Each row has them. */
    double factor;          /* Values of rows are distances times this. */
    double most;            /* The largest share. */
    double *amount;         /* For each block and kind, DECAY_BLOCK entries; or for each place
                               of an engine's order and each kind one. */
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
    const double *amount; /* For each kind, DECAY_BLOCK entries. */
    const double *all;    /* Their sum, for each kind. */
    size_t count;
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

/* Where a decay has become negligible beside a sum that has this share of all amounts, in the unit
 * of rows. */
double access_far(const struct access *access, const struct apsp_decay *decay, double share);
/* The distance from which on a decay is 0; infinity: none. */
double access_reach(const struct apsp_decay *decay);
/* The weights of so many distances, a multiple of 2 DECAY_LANES, with a smooth decay. */
void access_weigh_distances(const struct access *access, const struct apsp_decay *decay,
                            const double *distance, size_t count, double *weight);
/* The first step whose limit is not below the distance, from a guess on. */
size_t access_step(const struct access *access, double distance, size_t guess);
bool access_is_empty(const struct access *access, size_t block);

/* The order and the rows of beside.h; and the entries of row r of a group, after its last place. */
void access_order(struct access *access, const uint32_t *vertex, size_t count, size_t place);
void access_take_beside(const struct access *access, struct access_lane *lane,
                        const struct beside_rows *rows);
void access_end_beside(const struct access *access, struct access_lane *lane, size_t r,
                       double *value);

/* The entries of a row of which a block has only what is near (rows.h). APSP_MEMORY. */
int access_weigh_found(const struct access *access, struct access_lane *lane,
                       const struct block *block, double *value, struct apsp_error *error);

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
