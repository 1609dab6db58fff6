#include "rows/path_counts.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/setting.h"
#include "rows/sink.h"
#include "rows/tight.h"

#include <stdlib.h>

struct path_counts {
    struct arcs arcs;
    struct tight_task task;
    const struct sources *targets;
    struct tight *lane[SINK_LANES];
};

size_t path_counts_need(size_t n, size_t m, enum dtype dtype, int lanes)
{
    const size_t work = mem_bytes(tight_need(n, m, dtype, false), (size_t)lanes);
    size_t bytes;
    mem_add(&bytes, arcs_need(n, m, tight_measure(dtype)), sizeof(struct path_counts));
    mem_add(&bytes, bytes, size_max(work, arcs_making(n, m)));
    return bytes;
}

int path_counts_new(struct path_counts **out, const struct path_counts_plan *plan,
                    struct apsp_error *error)
{
    struct path_counts *counts = *out = calloc(1, sizeof *counts);
    if (!counts)
        return error_set(error, APSP_MEMORY, "no memory for the numbers of paths");
    counts->targets = plan->targets;
    if (tight_task_make(&counts->task, &counts->arcs, &plan->certificate, plan->dtype,
                        SETTING_PATH_COUNTS, error)) {
        path_counts_free(counts);
        *out = NULL;
    }
    return error->code;
}

void path_counts_free(struct path_counts *counts)
{
    if (!counts)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        tight_free(counts->lane[i]);
    arcs_free(&counts->arcs);
    free(counts);
}

int path_counts_row(struct path_counts *counts, int lane, const struct block *block, size_t k,
                    double *values, struct apsp_error *error)
{
    const struct sources *targets = counts->targets;
    const struct tight_counts to = {.column = targets ? targets->vertex : NULL,
                                    .columns = targets ? targets->count : counts->arcs.n,
                                    .value = values};
    if (!counts->lane[lane] && tight_open(&counts->lane[lane], &counts->task, error))
        return error->code;
    return tight_count(&counts->task, counts->lane[lane], block_source(block, k),
                       block_row(block, k), &to, error);
}
