/*
 * Accessibility: for each source the sums of amounts at the targets (jobs, schools), each weighed
 * by a decay of the distance, and the distances within which given amounts are. Rows are weighed
 * in blocks as they come, and kept nowhere. A sum has the order of the targets, behind the block of
 * the source, so it depends neither on workers nor on ranks. Rows side by side (beside.h) have the
 * engine's order, vertices that a search finds have that of the search, and a GPU has an order of
 * its own. Sums of integers below 2^53 under a step are exact, others have a relative error below
 * 1e-12.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include "apsp.h"
#include "rows/beside.h"
#include "rows/sink.h"

struct access;

struct access_plan {
    size_t columns;       /* Kinds of amounts. */
    const double *amount; /* Entry c * n + v: kind c at vertex v, at least 0, finite. */
    size_t decays;
    const struct apsp_decay *decay;
    size_t shares; /* Amounts of which the distance is wanted: */
    const double *share;
};

/* Whether a decay and a share are valid: APSP_USAGE with a text that begins with `name`. */
int access_check_decay(const struct apsp_decay *decay, const char *name, struct apsp_error *error);
int access_check_share(double share, const char *name, struct apsp_error *error);

/* Entries of a row: first those of the decays, then those of the shares, kind after kind. */
static inline size_t access_width(const struct access_plan *plan)
{
    size_t each = plan->decays + plan->shares, all;
    return __builtin_mul_overflow(plan->columns, each, &all) ? SIZE_MAX : all;
}

/* Whether blocks in the memory of a device are taken. */
bool access_on_device(const struct access_plan *plan);
/* The distances that suffice: up to the largest cutoff, if all decays end. */
struct rows_near access_near(const struct access_plan *plan, const struct sink_task *task);
/* Whether rows side by side are taken, and what takes them. */
bool access_is_beside(const struct access_plan *plan, const struct sink_task *task);
struct beside_target access_beside(struct access *access);
/* The memory and the work of a rank with so many workers. */
struct sink_need access_need(const struct access_plan *plan, const struct sink_task *task,
                             int lanes);
/* The arrays of the plan are to stay. Local. APSP_MEMORY. */
int access_new(struct access **access, const struct access_plan *plan, const struct sink_task *task,
               struct apsp_error *error);
void access_free(struct access *access); /* NULL is allowed */
/* By several workers at once. APSP_MEMORY. */
int access_take(struct access *access, int lane, const struct block *block,
                struct apsp_error *error);
/* The entries of all rows by their places, as bits of doubles: of this rank, 0 for rows of others;
 * of all ranks after access_merge, which is collective. */
size_t *access_words(struct access *access, size_t *count);
const double *access_merge(struct access *access);

#endif
