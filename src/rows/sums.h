/*
 * Rows of reals as sums along paths: a maker of rows over the engine's own, whose sums were rounded
 * in the order in which the engine came to them. Each row gets its tree of shortest paths, and
 * distances are added up along it (predecessor.h).
 */
#ifndef SUMS_H
#define SUMS_H

#include "rows/rows.h"

struct sums;

/* Before the engine is asked for rows: whole ones on the host, for so many threads. */
void sums_wish(struct rows_wish *wish, int threads);

/*
 * Puts itself before the maker, which stays as it is and has to outlive it. The task's certificate
 * has the edges. APSP_MEMORY; *sums is NULL then. Rows that are wrong end the pass with
 * APSP_REFUTED.
 */
int sums_open(struct sums **sums, struct rows_maker *maker, const struct sink_task *task,
              struct apsp_error *error);
void sums_free(struct sums *sums); /* NULL is allowed */

size_t sums_need(const struct sink_task *task, int lanes); /* bytes of host memory */

/* The part of the time of making rows that it took, so far. */
double sums_share(const struct sums *sums);

/* Which sums may be asked for, comma-separated; and those that a run has, which may be "exact". */
const char *sums_names(void);
const char *sums_name(bool exact, bool summed);

/* Visits of edges that a row comes to: a vertex takes as long as some edges. */
double sums_visits(size_t n, size_t m);

#endif
