/* The sink that writes the trees of shortest paths: row i is that of the paths from i. */
#include "base/mem.h"
#include "base/size.h"
#include "proof/predecessor.h"
#include "rows/output.h"
#include "rows/sink.h"

#include <stdlib.h>

enum {
    CHUNK = SIZE_OF(1 << 20, 1 << 9)
}; /* bytes of the trees that a worker makes before it writes them */

struct lane {
    struct predecessor_space *space;
    int32_t *trees;
};

struct trees {
    size_t step; /* rows of a chunk */
    struct lane lane[SINK_LANES];
};

static const char *path(const struct results *results)
{
    return results->predecessors;
}

static size_t step_of(size_t n)
{
    size_t rows = CHUNK / sizeof(int32_t) / n;
    return rows ? rows : 1;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    struct sink_need need = {
        .disk = matrix_bytes(task->results->predecessors, sink_rows(task), task->n, DTYPE_I32),
        .visits = (double)sink_rows(task) * ((double)task->n + (double)task->m)};
    mem_mul(&need.host, step_of(task->n) * sizeof(int32_t), task->n);
    mem_add(&need.host, need.host, predecessor_need(task->n, task->dtype));
    mem_mul(&need.host, need.host, (size_t)lanes);
    mem_add(&need.host, need.host, sink_save_need(task));
    return need;
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct results *results = sink->task->results;
    const struct output_plan plan = {.path = results->predecessors,
                                     .inputs = results->inputs,
                                     .rows = sink_rows(sink->task),
                                     .n = sink->task->n,
                                     .dtype = DTYPE_I32,
                                     .force = results->force,
                                     .folder = sink->task->folder,
                                     .begun = sink->begun};
    struct trees *trees = calloc(1, sizeof *trees);
    sink->state = trees;
    matrix_check_type(results->predecessors, DTYPE_I32, error);
    if (!trees)
        error_set(error, APSP_MEMORY, "no memory for the predecessors on %s",
                  sink->task->comm->host);
    if (comm_agree(sink->task->comm, error))
        return error->code;
    trees->step = step_of(sink->task->n);
    return output_open(&sink->output, sink->task->comm, &plan, error);
}

static int open_lane(const struct sink *sink, struct lane *lane, enum dtype dtype,
                     struct apsp_error *error)
{
    const struct trees *trees = sink->state;
    size_t n = sink->task->n;
    lane->space = predecessor_space_new(n, dtype);
    lane->trees = mem_alloc(mem_bytes(trees->step * n, sizeof *lane->trees));
    if (lane->space && lane->trees)
        return APSP_OK;
    return error_set(error, APSP_MEMORY, "no memory for the predecessors on %s",
                     sink->task->comm->host);
}

/* Makes and writes the tree of row k and those of rows next to it, as many as a chunk holds;
 * returns how many. */
static size_t take_chunk(const struct sink *sink, struct lane *lane, const struct block *block,
                         size_t k, struct apsp_error *error)
{
    const struct trees *trees = sink->state;
    size_t n = sink->task->n, place = sink_place(sink->task, block_source(block, k)), made = 0;
    char why[CERTIFY_WHY];
    do {
        if (!predecessor_row(&sink->task->certificate, lane->space, block_source(block, k + made),
                             block_row(block, k + made), lane->trees + made * n, why)) {
            error_set(error, APSP_REFUTED, "no predecessors, since the distances are wrong: %s",
                      why);
            return 0;
        }
        made++;
    } while (made < trees->step && k + made < block->count &&
             sink_place(sink->task, block_source(block, k + made)) == place + made);
    output_put(sink->output, (struct range){place, place + made}, lane->trees, n, error);
    return made;
}

static int take(struct sink *sink, int number, const struct block *block, struct apsp_error *error)
{
    struct lane *lane = &((struct trees *)sink->state)->lane[number];
    if (!lane->trees && open_lane(sink, lane, block->dtype, error))
        return error->code;
    for (size_t k = 0; k < block->count && !error->code;)
        k += take_chunk(sink, lane, block, k, error);
    return error->code;
}

static void close_file(struct sink *sink)
{
    struct trees *trees = sink->state;
    if (!trees)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        mem_free(trees->lane[i].trees);
        predecessor_space_free(trees->lane[i].space);
    }
    free(trees);
}

const struct sink_ops sink_predecessors = {
    .name = "predecessors",
    .wants_edges = true,
    .works = true,
    .setting = SETTING_PREDECESSORS,
    .suffixes = ".bin .npy .i32",
    .path = path,
    .need = need,
    .open = open_file,
    .take = take,
    .save = sink_save_rows,
    .merge = sink_merge_rows,
    .close = close_file,
};
