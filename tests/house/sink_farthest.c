/*
 * A sink: the largest finite distance of all rows, as a line of the file that APSP_FARTHEST
 * names. Rows of i32; nothing is stored.
 */
#include "rows/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool asked(const struct results *results)
{
    (void)results;
    return getenv("APSP_FARTHEST") != NULL;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    (void)task;
    return (struct sink_need){.host = (size_t)lanes * sizeof(int32_t)};
}

static int open_lanes(struct sink *sink, struct apsp_error *error)
{
    sink->state = calloc(SINK_LANES, sizeof(int32_t));
    return sink->state ? APSP_OK : error_set(error, APSP_MEMORY, "no memory for the farthest pair");
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    int32_t *most = (int32_t *)sink->state + lane;
    if (block->dtype != DTYPE_I32)
        return error_set(error, APSP_INPUT, "the farthest pair takes rows of i32");
    for (size_t k = 0; k < block->count; k++) {
        const int32_t *row = block_row(block, k);
        for (size_t j = 0; j < block->n; j++)
            *most = row[j] < INF_I32 && row[j] > *most ? row[j] : *most;
    }
    return APSP_OK;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    int32_t most = 0;
    for (int lane = 0; lane < SINK_LANES; lane++)
        most = ((int32_t *)sink->state)[lane] > most ? ((int32_t *)sink->state)[lane] : most;
    most = (int32_t)comm_most(sink->task->comm, (size_t)most);
    sink->rows = sink->task->n;
    if (sink->task->comm->rank != 0)
        return APSP_OK;
    FILE *file = fopen(getenv("APSP_FARTHEST"), "we");
    if (!file || fprintf(file, "%d\n", most) < 0 || fclose(file) != 0)
        return error_set(error, APSP_IO, "the farthest pair cannot be written: %s",
                         strerror(errno));
    return APSP_OK;
}

static void close_lanes(struct sink *sink)
{
    free(sink->state);
}

const struct sink_ops sink_farthest = {.name = "farthest",
                                       .asked = asked,
                                       .need = need,
                                       .open = open_lanes,
                                       .take = take,
                                       .merge = merge,
                                       .close = close_lanes};
