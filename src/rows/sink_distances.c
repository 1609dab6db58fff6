/* The sink that writes the matrix of distances. Rows go out from the place where they lie, unless
 * that has other columns too or values of another type. */
#include "base/hdf5.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"
#include "rows/output.h"
#include "rows/pairs.h"

#include <stdlib.h>

enum {
    CHUNK = SIZE_OF(1 << 20, 1 << 9)
}; /* bytes of the rows that a worker makes of others before it writes them */

struct distances {
    size_t step; /* rows of a chunk */
    void *made[SINK_LANES];
};

static const char *path(const struct results *results)
{
    return pairs_format_for(results) || hdf5_is_named(results->distances) ? NULL
                                                                          : results->distances;
}

/* In the file. */
static size_t row_bytes(const struct sink_task *task)
{
    return mem_bytes(sink_columns(task), dtype_info[task->file].bytes);
}

/* The bytes of a chunk, with room for making its last row. */
static size_t chunk_bytes(const struct sink_task *task, size_t rows)
{
    size_t bytes;
    mem_add(&bytes, mem_bytes(rows - 1, row_bytes(task)), sink_file_room(task));
    return bytes;
}

static size_t step_of(const struct sink_task *task)
{
    size_t rows = CHUNK / row_bytes(task);
    return rows ? rows : 1;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    struct sink_need need = {.disk = matrix_bytes(task->results->distances, sink_rows(task),
                                                  sink_columns(task), task->file)};
    if (task->targets || task->file != task->dtype)
        need.host = mem_bytes(chunk_bytes(task, step_of(task)), (size_t)lanes);
    mem_add(&need.host, need.host, sink_save_need(task));
    return need;
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct results *results = sink->task->results;
    const struct output_plan plan = {.path = results->distances,
                                     .inputs = results->inputs,
                                     .rows = sink_rows(sink->task),
                                     .n = sink_columns(sink->task),
                                     .dtype = sink->task->file,
                                     .force = results->force,
                                     .folder = sink->task->folder,
                                     .begun = sink->begun};
    struct distances *distances = sink->state = calloc(1, sizeof *distances);
    matrix_check_type(results->distances, sink->task->file, error);
    if (!distances)
        error_set(error, APSP_MEMORY, "no memory for the distances on %s", sink->task->comm->host);
    if (comm_agree(sink->task->comm, error))
        return error->code;
    distances->step = step_of(sink->task);
    return output_open(&sink->output, sink->task->comm, &plan, error);
}

/* How many rows from row k on come one after the other in the file. */
static size_t run_length(const struct sink_task *task, const struct block *block, size_t k)
{
    size_t place = sink_place(task, block_source(block, k)), length = 1;
    while (k + length < block->count &&
           sink_place(task, block_source(block, k + length)) == place + length)
        length++;
    return length;
}

/* Makes of row k, and of as many of the `length` from there on as a chunk holds, what the file has
 * of them, and writes that. Returns how many. */
static size_t put_made(const struct sink *sink, char *made, const struct block *block, size_t k,
                       size_t length, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct distances *distances = sink->state;
    size_t place = sink_place(task, block_source(block, k));
    length = size_min(length, distances->step);
    for (size_t i = 0; i < length; i++)
        sink_file_row(task, block, k + i, made + i * row_bytes(task));
    output_put(sink->output, (struct range){place, place + length}, made, sink_columns(task),
               error);
    return length;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct distances *distances = sink->state;
    const struct sink_task *task = sink->task;
    bool makes = (task->targets && !block->column) || task->file != task->dtype;
    if (makes && !distances->made[lane] &&
        !(distances->made[lane] = mem_alloc(chunk_bytes(task, distances->step))))
        return error_set(error, APSP_MEMORY, "no memory for distances on %s", task->comm->host);
    for (size_t k = 0, length; k < block->count && !error->code; k += length) {
        size_t place = sink_place(task, block_source(block, k));
        length = run_length(task, block, k);
        if (makes)
            length = put_made(sink, distances->made[lane], block, k, length, error);
        else
            output_put(sink->output, (struct range){place, place + length}, block_row(block, k),
                       block->stride, error);
    }
    return error->code;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    sink->rows = sink_rows(task);
    sink->amount = (double)sink->rows * (double)row_bytes(task);
    sink->unit = "B/s";
    return output_finish(sink->output, error);
}

static void close_file(struct sink *sink)
{
    struct distances *distances = sink->state;
    if (!distances)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        mem_free(distances->made[i]);
    free(distances);
}

const struct sink_ops sink_distances = {
    .name = "write",
    .targets = true,
    .setting = SETTING_DISTANCES,
    .suffixes = ".bin .npy .h5 .hdf5 .csv .tsv .txt .mtx .npz .u8 .u16 .i32 .i64 .f32 .f64",
    .path = path,
    .distances = true,
    .need = need,
    .open = open_file,
    .take = take,
    .save = sink_save_rows,
    .merge = merge,
    .close = close_file,
};
