/* The sink that writes the matrix of distances. */
#include "rows/output.h"
#include "rows/sink.h"

static const char *path(const struct job_options *options)
{
    return options->distances;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    (void)lanes; /* rows go out from the place where they lie */
    return (struct sink_need){
        .disk = matrix_bytes(task->options->distances, sink_rows(task), task->n, task->dtype)};
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct job_options *options = sink->task->options;
    const struct output_plan plan = {.path = options->distances,
                                     .input = options->graph,
                                     .rows = sink_rows(sink->task),
                                     .n = sink->task->n,
                                     .dtype = sink->task->dtype,
                                     .force = options->force};
    struct output *output;
    if (matrix_check_type(options->distances, sink->task->dtype, error)) /* alike on all ranks */
        return error->code;
    output_open(&output, sink->task->comm, &plan, error);
    sink->state = output;
    return error->code;
}

static int check(struct sink *sink, bool wait, struct apsp_error *error)
{
    return output_check(sink->state, wait, error);
}

/* How many rows from row k on come one after the other in the file. */
static size_t run_length(const struct sink_task *task, const struct block *block, size_t k)
{
    size_t place = sink_place(task, block_source(block, k)), length = 1;
    while (k + length < block->count && sink_place(task, block_source(block, k + length)) == place + length)
        length++;
    return length;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    (void)lane;
    for (size_t k = 0, length; k < block->count && !error->code; k += length) {
        size_t place = sink_place(sink->task, block_source(block, k));
        length = run_length(sink->task, block, k);
        output_put(sink->state, (struct range){place, place + length}, block_row(block, k), block->stride,
                   error);
    }
    return error->code;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    sink->rows = sink_rows(task);
    sink->amount = (double)sink->rows * (double)task->n * (double)dtype_info[task->dtype].bytes;
    sink->unit = "B/s";
    return output_finish(sink->state, error);
}

static int publish(struct sink *sink, struct apsp_error *error)
{
    return output_publish(sink->state, error);
}

static void close_file(struct sink *sink)
{
    output_free(sink->state);
}

const struct sink_ops sink_distances = {
    .name = "write",
    .option = "DISTANCES",
    .path = path,
    .need = need,
    .open = open_file,
    .check = check,
    .take = take,
    .merge = merge,
    .publish = publish,
    .close = close_file,
};
