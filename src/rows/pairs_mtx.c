/* Pairs as the entries of a MatrixMarket file. */
#include "rows/pairs.h"

#include "base/digits.h"

#include <stdio.h>

/* Vertices count from 1, whatever the graph's file does. */
static char *put_mtx(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        out = digits_natural(out, source + 1);
        *out++ = ' ';
        out = digits_natural(out, (size_t)pairs[k].vertex + 1);
        *out++ = ' ';
        out = pairs_put_distance(out, task, pairs[k].distance);
        *out++ = '\n';
    }
    return out;
}

static size_t head_mtx(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    const struct sink_task *task = file->task;
    if (part > 0)
        return 0;
    return (size_t)snprintf(
        out, PAIRS_HEAD_MAX, "%%%%MatrixMarket matrix coordinate %s general\n%zu %zu %zu\n",
        dtype_info[task->file].real ? "real" : "integer", task->n, task->n, file->count);
}

static size_t most_mtx(const struct sink_task *task)
{
    (void)task;
    return PAIRS_DISTANCE + 2 * PAIRS_VERTEX;
}

const struct pairs_format pairs_mtx = {
    .suffix = ".mtx", .parts = 1, .most = most_mtx, .put = put_mtx, .head = head_mtx};
