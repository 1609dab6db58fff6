/* The sink that proves rows right: as many as the results ask for. */
#include "base/mem.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "rows/sink.h"

#include <stdatomic.h>
#include <stdlib.h>

struct certifier {
    size_t *rows, count; /* to certify, ascending; NULL: all */
    size_t before;       /* certified before the last checkpoint, */
    struct certify_space *lane[SINK_LANES];
    atomic_size_t done; /* and since */
};

static bool asked(const struct results *results)
{
    return results->verify > 0 && !results->read_back;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    return (struct sink_need){.host = mem_bytes((size_t)lanes, certify_need(task->n, task->dtype)),
                              .rows = task->results->verify};
}

static int open_rows(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct certifier *certifier = calloc(1, sizeof *certifier);
    sink->state = certifier;
    size_t wanted = task->results->verify, all = sink_rows(task);
    if (certifier && wanted < all)
        certifier->rows = malloc(wanted * sizeof *certifier->rows);
    if (!certifier || (wanted < all && !certifier->rows))
        return error_set(error, APSP_MEMORY, "no memory to verify on %s", task->comm->host);
    if (certifier->rows)
        certifier->count = certify_choose(certifier->rows, wanted, all, task->results->seed);
    for (size_t k = 0; k < certifier->count && all < task->n; k++)
        certifier->rows[k] = task->sources->sorted[certifier->rows[k]];
    return APSP_OK;
}

/* By then they may have become more than at the beginning. */
static bool takes_all(const struct sink_task *task)
{
    return task->results->verify >= sink_rows(task);
}

static const size_t *wants(const struct sink *sink, size_t *count)
{
    const struct certifier *certifier = sink->state;
    const bool all = takes_all(sink->task);
    *count = all ? 0 : certifier->count;
    return all ? NULL : certifier->rows;
}

static bool is_wanted(const struct sink *sink, size_t row)
{
    const struct certifier *certifier = sink->state;
    return takes_all(sink->task) || bsearch(&row, certifier->rows, certifier->count,
                                            sizeof *certifier->rows, size_compare) != NULL;
}

static int certify(struct sink *sink, int lane, const struct block *block, size_t k,
                   struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct certifier *certifier = sink->state;
    char why[CERTIFY_WHY];
    if (!certifier->lane[lane])
        certifier->lane[lane] = certify_space_new(task->n, block->dtype);
    if (!certifier->lane[lane])
        return error_set(error, APSP_MEMORY, "no memory to verify on %s", task->comm->host);
    if (!certify_row(&task->certificate, certifier->lane[lane], block_source(block, k),
                     block_row(block, k), NULL, why))
        return error_set(error, APSP_REFUTED, "verification FAILED: %s", why);
    certifier->done++;
    return APSP_OK;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    for (size_t k = 0; k < block->count && !error->code && stop_check(error) == APSP_OK; k++)
        if (is_wanted(sink, block_source(block, k)))
            certify(sink, lane, block, k, error);
    return error->code;
}

static int save(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error)
{
    (void)error;
    struct certifier *certifier = sink->state;
    certifier->before += certifier->done;
    certifier->done = 0;
    part[0] = (struct sink_part){&certifier->before, 1, false};
    return 1;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct certifier *certifier = sink->state;
    sink->rows = comm_sum(sink->task->comm, certifier->before + certifier->done);
    sink->amount = (double)sink->rows;
    sink->unit = "rows/s";
    return error->code;
}

static void close_rows(struct sink *sink)
{
    struct certifier *certifier = sink->state;
    if (!certifier)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        certify_space_free(certifier->lane[i]);
    free(certifier->rows);
    free(certifier);
}

const struct sink_ops sink_certificate = {
    .name = "verify",
    .wants_edges = true,
    .works = true,
    .asked = asked,
    .need = need,
    .open = open_rows,
    .wants = wants,
    .take = take,
    .save = save,
    .merge = merge,
    .close = close_rows,
};
