/* The parts of access.c: a row of one worker is weighed (access_row.c), or rows side by side
 * (access_beside.c, access_region.c), and the nearest amounts of a row are found (access_near.c).
 */
#ifndef ACCESS_ROW_H
#define ACCESS_ROW_H

#include "base/mem.h"
#include "kernels/cpu/decay.h"
#include "rows/access.h"
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

/* Rows that differ alike at the border of a region, of a group that has no more classes there. And
 * as many ways to have a region remembered. */
enum { ACCESS_CLASSES = 4 };
struct access_class {
    size_t row; /* The first of them. */
    size_t way; /* How it is remembered, if it is known. */
    bool known;
    double anchor; /* The distance from that row to the first vertex of the border; */
    double border[BESIDE_BORDER];            /* and to all of them, less that. */
    double offset[DECAY_WIDTH], extremes[2]; /* Differences of rows; infinite for other rows. */
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
    size_t block; /* The number of the block at hand. */
    /* The number + 1 of the region at hand, if it is to be remembered; and its classes. */
    size_t region, classes;
    struct access_class of_class[ACCESS_CLASSES];
    double anchor;           /* That of the class at hand, which has `offset` and `extremes`. */
    double own[DECAY_WIDTH]; /* 1 for its rows, else 0. */
    /* Memory for each region and way. For each way, all places have the distances less the
     * anchor, and all blocks have bounds. */
    struct access_memory *memory;
    double *moments, *inside, *bounds;
};

/* Distances of a row less the anchor: to the vertices of a region's border, and the least and the
 * largest one within the region. */
struct access_memory {
    bool known;
    uint32_t turn; /* In the first way of a region: the way that is to be made anew next. */
    double border[BESIDE_BORDER];
    double low, high;
};

/* The distances of targets: of all rows, and half of what a row spans, at most. */
struct access_span {
    double low, high, half;
    double middle; /* The middle of row 0, where the rows differ alike. */
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
    size_t places;          /* An engine's order has so many. */
    size_t regions;         /* And its regions, with the sum of each kind. */
    struct beside_region *region;
    double *within;
    double factor;   /* Values of rows are distances times this. */
    double most;     /* The largest share. */
    double *amount;  /* For each block and kind, DECAY_BLOCK entries; or for each place
                        of an engine's order and each kind one. */
    double *block;   /* Their sum, for each block and kind. */
    double *total;   /* For each kind. */
    size_t steps;    /* Decays that are steps. */
    uint32_t *order; /* All decays: first the steps, by their limits. */
    double *limit;   /* Limits of the steps, in the unit of rows. */
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

/* The sums of decay k. */
double *access_sums_of(const struct access *access, struct access_beside *beside, size_t k);
/* The block at hand begins anew; it is ended, if it has targets; from its next target on, it keeps
 * distances as they are. It is added to steps, and to decays but those that a series gives where
 * rows span twice `reach`. */
void access_begin_block(struct access_beside *beside);
void access_end_block(const struct access *access, struct access_beside *beside);
void access_end_alike(const struct access *access, struct access_beside *beside);
void access_add_steps(const struct access *access, struct access_beside *beside, size_t first,
                      size_t last);
void access_add_decays(const struct access *access, struct access_beside *beside,
                       const struct access_span *span, double reach);
struct access_span access_span_of(const struct access_beside *beside);
/* After these blocks, where decays are negligible, if that is to be found anew. */
void access_renew_far(const struct access *access, struct access_beside *beside, size_t first,
                      size_t last);
/* Adds decay k of targets at which the rows differ alike, if a series gives it. The moments are of
 * the degree of all decays with a series, which is 0 if none has one. */
bool access_add_series(const struct access *access, struct access_beside *beside, size_t k,
                       const struct access_span *span, const double *moments);
size_t access_most_degree(const struct access *access, double half);
/* Puts the sums of x^j amount of DECAY_SIDE targets into `moment`, where x is the scaled distance
 * from the middle. */
void access_find_moments(const struct access *access, struct access_beside *beside, size_t degree,
                         const double *distance, const struct access_span *span,
                         const double *amount);

/* Regions are remembered if there are many rows. */
void access_place_regions(struct access_beside *beside, const struct access_plan *plan,
                          struct mem_layout *layout, size_t n);
void access_add_region(struct access *access, const struct beside_region *region);
/* As beside.h says; if it is false, the rows at hand may be for access_remember. */
bool access_enter_region(const struct access *access, struct access_lane *lane, size_t number,
                         const struct beside_rows *border);
void access_remember(const struct access *access, struct access_lane *lane,
                     const struct beside_rows *rows);

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
