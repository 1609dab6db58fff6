#include "dense/check.h"

static void name_area(char *text, size_t size, enum sum_area area, size_t r,
                      const struct round *round, struct range strip)
{
    if (area == SUM_STRIP)
        snprintf(text, size, "rows %zu to %zu after round %zu", strip.lo, strip.hi - 1, r);
    else if (area == SUM_RAW)
        snprintf(text, size, "the pivot rows from rank %d in round %zu", round->owner, r + 1);
    else
        snprintf(text, size, "the closed pivot %s of round %zu",
                 area == SUM_ROW ? "rows" : "columns", r + 1);
}

int check_sums(struct backend *backend, const struct schedule *schedule, const struct comm *comm,
               struct apsp_error *error)
{
    const struct sums *sums = backend->round->sums(backend);
    char what[128];
    for (size_t r = 0; r <= schedule->count; r++)
        for (enum sum_area a = SUM_STRIP; a < (r < schedule->count ? SUM_AREAS : SUM_STRIP + 1);
             a++) {
            uint32_t wrote = sums[r].of[a].wrote, read = sums[r].of[a].read;
            if (wrote == read)
                continue;
            name_area(what, sizeof what, a, schedule->before + r, &schedule->rounds[r],
                      backend->plan.rows);
            return error_set(error, APSP_REFUTED,
                             "bit flip in memory of rank %d on %s: %s of %zu, written with "
                             "checksum 0x%08x, read with 0x%08x",
                             comm->rank, comm->host, what, schedule->before + schedule->count,
                             wrote, read);
        }
    return APSP_OK;
}
