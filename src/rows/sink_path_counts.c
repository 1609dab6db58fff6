/*
 * The sink that writes the numbers of shortest paths: it makes rows of them, of f64, which go to
 * the sink of a file of distances of the same name. A list of pairs has those that have a path.
 */
#include "base/mem.h"
#include "base/size.h"
#include "rows/pairs.h"
#include "rows/path_counts.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHUNK = SIZE_OF(1 << 20, 1 << 9)
}; /* bytes of the rows that a worker makes before it passes them on */

extern const struct sink_ops sink_distances, sink_pairs;

/* The inputs of the file's own sink. */
struct child {
    struct results results;
    struct sink_task task;
};

struct state {
    struct child child;
    struct sink file;
    struct path_counts *counts;
    double missing;           /* stands where there is no path */
    double *room[SINK_LANES]; /* for the rows of a chunk */
};

static const char *path(const struct results *results)
{
    return results->path_counts;
}

static const struct sink_ops *child_make(struct child *child, const struct sink_task *task)
{
    child->results = *task->results;
    child->results.distances = task->results->path_counts;
    child->results.values = "paths";
    child->results.skims = NULL;
    child->results.nearest = 0;
    child->results.bounded = false;
    child->task = *task;
    child->task.results = &child->results;
    child->task.dtype = child->task.file = DTYPE_F64;
    return sink_pairs.path(&child->results) ? &sink_pairs : &sink_distances;
}

static size_t chunk_rows(const struct sink_task *task)
{
    const size_t rows = CHUNK / mem_bytes(sink_columns(task), sizeof(double));
    return rows ? rows : 1;
}

static size_t chunk_bytes(const struct sink_task *task)
{
    return mem_bytes(chunk_rows(task), mem_bytes(sink_columns(task), sizeof(double)));
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    struct child child;
    const struct sink_ops *file = child_make(&child, task);
    struct sink_need need = file->need(&child.task, lanes);
    mem_add(&need.host, need.host, mem_bytes(chunk_bytes(task), (size_t)lanes));
    mem_add(&need.host, need.host, path_counts_need(task->n, task->m, task->dtype, lanes));
    need.visits = (double)sink_rows(task) * ((double)task->n + (double)task->m);
    return need;
}

static int open_state(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct path_counts_plan plan = {task->certificate, task->dtype, task->targets};
    struct state *state = sink->state = calloc(1, sizeof *state);
    if (!state)
        error_set(error, APSP_MEMORY, "no memory for the numbers of paths");
    else
        path_counts_new(&state->counts, &plan, error);
    if (comm_agree(task->comm, error))
        return error->code;
    state->file.ops = child_make(&state->child, task);
    state->file.task = &state->child.task;
    const struct pairs_format *format = pairs_format_for(&state->child.results);
    state->missing = format && !format->whole ? INFINITY : 0;
    state->file.ops->open(&state->file, error);
    sink->output = state->file.output;
    return error->code;
}

/* Makes the rows of a block of the file, and passes them on. */
static int pass_on(struct state *state, int lane, const struct block *from, size_t first,
                   size_t count, struct apsp_error *error)
{
    const struct sink_task *task = &state->child.task;
    const size_t columns = sink_columns(task);
    double *values = state->room[lane];
    for (size_t k = 0; k < count; k++)
        if (path_counts_row(state->counts, lane, from, first + k, values + k * columns, error))
            return error->code;
    for (size_t i = 0; i < count * columns; i++)
        values[i] = values[i] > 0 ? values[i] : state->missing;
    const struct block block = {.n = columns,
                                .column = task->targets ? task->targets->vertex : NULL,
                                .count = count,
                                .first = from->first + first,
                                .source = from->source ? from->source + first : NULL,
                                .dtype = DTYPE_F64,
                                .values = values,
                                .stride = columns};
    return state->file.ops->take(&state->file, lane, &block, error);
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct state *state = sink->state;
    const size_t step = chunk_rows(sink->task);
    if (!state->room[lane] && !(state->room[lane] = mem_alloc(chunk_bytes(sink->task))))
        return error_set(error, APSP_MEMORY, "no memory for the numbers of paths");
    for (size_t k = 0; k < block->count && !error->code; k += step)
        pass_on(state, lane, block, k, block->count - k < step ? block->count - k : step, error);
    return error->code;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct sink *file = &((struct state *)sink->state)->file;
    file->ops->merge(file, error);
    sink->rows = sink_rows(sink->task);
    sink->amount = (double)sink->rows;
    sink->unit = "rows/s";
    return error->code;
}

static void close_state(struct sink *sink)
{
    struct state *state = sink->state;
    if (!state)
        return;
    if (state->file.ops)
        state->file.ops->close(&state->file);
    for (int i = 0; i < SINK_LANES; i++)
        mem_free(state->room[i]);
    path_counts_free(state->counts);
    free(state);
}

const struct sink_ops sink_path_counts = {
    .name = "path_counts",
    .wants_edges = true,
    .works = true,
    .path = path,
    .setting = SETTING_PATH_COUNTS,
    .suffixes = ".npy .f64 .csv .tsv .txt .mtx .npz",
    .suffixed = true,
    .need = need,
    .open = open_state,
    .take = take,
    .merge = merge,
    .close = close_state,
};
