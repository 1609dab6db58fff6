/* Rows into the caller's memory, and to its callback: two sinks that are in no table. */
#include "base/mem.h"
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 << 20 }; /* bytes of the rows that travel between ranks at a time */

struct wanted {
    size_t vertex, place;
};

/* Where rows are to go. */
struct copying {
    const struct wanted *wanted; /* ascending by vertex; NULL: all, row i to place i */
    size_t *vertices;            /* of them */
    size_t count;
    char *values;
    size_t stride;
    size_t *owner; /* of each place: 1 + the rank that has filled it; NULL: nobody asks */
};

static const size_t *copy_wants(const struct sink *sink, size_t *count)
{
    const struct copying *copying = sink->state;
    *count = copying->count;
    return copying->vertices;
}

static void put(const struct copying *copying, size_t place, const struct sink *sink, const void *row)
{
    size_t bytes = dtype_info[sink->task->dtype].bytes;
    memcpy(copying->values + place * copying->stride * bytes, row, sink->task->n * bytes);
    if (copying->owner)
        copying->owner[place] = 1 + (size_t)sink->task->comm->rank;
}

/* The first entry of that vertex, or of one after it. */
static size_t find(const struct copying *copying, size_t vertex)
{
    size_t lo = 0, hi = copying->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (copying->wanted[middle].vertex < vertex)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static int copy_take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    const struct copying *copying = sink->state;
    (void)lane;
    for (size_t k = 0; k < block->count; k++) {
        size_t vertex = block_source(block, k);
        if (!copying->wanted)
            put(copying, vertex, sink, block_row(block, k));
        else
            for (size_t i = find(copying, vertex); i < copying->count && copying->wanted[i].vertex == vertex;
                 i++)
                put(copying, copying->wanted[i].place, sink, block_row(block, k));
    }
    return error->code;
}

static const struct sink_ops sink_copy = {
    .name = "copy", .works = true, .wants = copy_wants, .take = copy_take};

int library_pass(struct apsp_solution *solution, const struct sink_ops *ops, void *state, int threads,
                 struct apsp_error *error)
{
    struct job *job = solution->job;
    struct sinks sinks = {.count = 1, .at = {{.ops = ops, .task = &job->sink_task, .state = state}}};
    return job_pass(job, &sinks, threads, error);
}

static int compare(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* One pass for `count` places from `first` on of the caller's list, which lie at `values`. */
static int copy_part(struct apsp_solution *solution, const uint32_t *list, size_t first,
                     struct copying *copying, struct apsp_error *error)
{
    struct wanted *wanted = calloc(copying->count + 1, sizeof *wanted);
    copying->vertices = calloc(copying->count + 1, sizeof *copying->vertices);
    if (!wanted || !copying->vertices)
        error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", copying->count);
    if (comm_agree(solution->job->comm, error) == APSP_OK) {
        for (size_t k = 0; k < copying->count; k++)
            wanted[k] = (struct wanted){list ? list[first + k] : first + k, k};
        qsort(wanted, copying->count, sizeof *wanted, compare);
        for (size_t k = 0; k < copying->count; k++)
            copying->vertices[k] = wanted[k].vertex;
        copying->wanted = wanted;
        library_pass(solution, &sink_copy, copying, solution->job->task.threads, error);
    }
    free(copying->vertices);
    free(wanted);
    return error->code;
}

/* Each place from the rank that has it to all. */
static void spread(struct apsp_solution *solution, const struct copying *copying)
{
    struct comm *comm = solution->job->comm;
    size_t bytes = dtype_info[solution->job->task.output].bytes;
    comm_sum_all(comm, copying->owner, copying->count);
    for (size_t k = 0; k < copying->count; k++)
        comm_broadcast(comm, copying->values + k * copying->stride * bytes, solution->facts.vertices * bytes,
                       (int)copying->owner[k] - 1);
}

/* Among several ranks: so many rows at a time that one without a place for them needs little memory. */
static int copy_among(struct apsp_solution *solution, const uint32_t *list, size_t count,
                      struct copying *whole, struct apsp_error *error)
{
    size_t n = solution->facts.vertices, bytes = dtype_info[solution->job->task.output].bytes;
    size_t step = CHUNK / bytes / n + 1;
    char *scratch = whole->values ? NULL : mem_alloc(mem_bytes(step < count ? step : count, n * bytes));
    size_t *owner = calloc(step, sizeof *owner);
    if (!owner || (!whole->values && !scratch))
        error_set(error, APSP_MEMORY, "no memory to pass rows on, on %s", solution->job->comm->host);
    comm_agree(solution->job->comm, error);
    for (size_t at = 0; at < count && !error->code; at += step) {
        struct copying part = {.count = count - at < step ? count - at : step, .owner = owner};
        part.values = scratch ? scratch : whole->values + at * whole->stride * bytes;
        part.stride = scratch ? n : whole->stride;
        memset(owner, 0, step * sizeof *owner);
        if (copy_part(solution, list, at, &part, error) == APSP_OK)
            spread(solution, &part);
    }
    free(owner);
    mem_free(scratch);
    return error->code;
}

int library_copy(struct apsp_solution *solution, const uint32_t *list, size_t count, void *values,
                 size_t stride, struct apsp_error *error)
{
    struct copying copying = {.count = count, .values = values, .stride = stride};
    if (solution->job->comm->ranks > 1)
        return copy_among(solution, list, count, &copying, error);
    if (!values || count == 0)
        return APSP_OK;
    return list ? copy_part(solution, list, 0, &copying, error)
                : library_pass(solution, &sink_copy, &copying, solution->job->task.threads, error);
}

int apsp_rows(struct apsp_solution *solution, const uint32_t *list, size_t count, void *values, size_t stride,
              struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: there must be a solution");
    size_t n = solution->facts.vertices;
    count = list ? count : n;
    stride = stride ? stride : n;
    if (!values && count > 0 && solution->job->comm->ranks == 1)
        error_set(error, APSP_USAGE, "NULL: there must be room for %zu rows", count);
    if (stride < n)
        error_set(error, APSP_USAGE, "stride %zu is less than the %zu entries of a row", stride, n);
    if (count > 0 && stride > SIZE_MAX / dtype_info[solution->job->task.output].bytes / count)
        error_set(error, APSP_USAGE, "stride %zu: %zu rows so far apart are in no memory", stride, count);
    for (size_t k = 0; list && k < count && !error->code; k++)
        if (list[k] >= n)
            error_set(error, APSP_USAGE, "list[%zu]: vertex %u is not in 0 .. %zu", k, list[k], n - 1);
    if (comm_agree(solution->job->comm, error))
        return error->code;
    return library_copy(solution, list, count, values, stride, error);
}

struct call {
    apsp_take *take;
    void *user;
};

static int call_take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    const struct call *call = sink->state;
    const struct apsp_block told = {.lane = lane,
                                    .type = (enum apsp_type)(block->dtype + APSP_U16),
                                    .columns = block->n,
                                    .count = block->count,
                                    .first = block->first,
                                    .source = block->source,
                                    .values = block->values,
                                    .stride = block->stride};
    if (call->take(call->user, &told))
        return error_set(error, APSP_CANCELLED, "a callback asked to stop");
    return APSP_OK;
}

static const struct sink_ops sink_call = {.name = "call", .works = true, .take = call_take};

int apsp_blocks(struct apsp_solution *solution, apsp_take *take, void *user, unsigned flags,
                struct apsp_error *error)
{
    struct apsp_error own;
    error = library_error(error, &own);
    struct call call = {take, user};
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: there must be a solution");
    if (!take || flags > APSP_PARALLEL)
        error_set(error, APSP_USAGE, "%s", take ? "there is no such flag" : "NULL: there must be a callback");
    if (comm_agree(solution->job->comm, error))
        return error->code;
    return library_pass(solution, &sink_call, &call, flags & APSP_PARALLEL ? solution->job->task.threads : 1,
                        error);
}
