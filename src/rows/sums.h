/*
 * A maker of rows over the engine's own, which makes each row anew. Keys become values, in an
 * algebra where they differ (base/algebra.h). Rows of reals may become sums along paths, where the
 * engine's were rounded in the order in which it came to them. Each row then gets its tree of
 * shortest paths, and distances are added up along it (predecessor.h).
 */
#ifndef SUMS_H
#define SUMS_H

#include "rows/rows.h"

struct sums;

/* Whether rows are to be made anew. */
bool sums_are_wanted(const struct sink_task *task);
/* Before the engine is asked for rows that are: on the host, for so many threads; whole ones for
 * sums. */
void sums_request(struct rows_request *request, const struct sink_task *task, int threads);

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
