/* Rows into the caller's memory, and to its callback: two sinks that are in no table. */
#include "base/mem.h"
#include "base/size.h"
#include "base/stop.h"
#include "library/library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the rows that travel between ranks at a time, and of those that a callback gets of a
 * block, where they are not given out as they are there. */
enum { CHUNK = SIZE_OF(64 << 20, 1 << 10), CALL_CHUNK = SIZE_OF(1 << 20, 1 << 9) };

static enum apsp_type type_of(enum dtype dtype)
{
    return (enum apsp_type)(dtype + APSP_U16);
}

struct wanted {
    size_t vertex, place;
};

/* Where rows are to go. */
struct copying {
    const struct sink_task *task;
    const uint32_t *list;        /* the caller's; NULL: all */
    const struct wanted *wanted; /* ascending by vertex; NULL: all, row i to place i */
    size_t *vertices;            /* of them */
    size_t count;
    char *values;
    size_t stride, bytes; /* of an entry */
    struct packing packing;
    const struct library_rows *rows;
    size_t *owner; /* of each place: 1 + the rank that has filled it; NULL: not requested */
};

static const size_t *copy_wants(const struct sink *sink, size_t *count)
{
    const struct copying *copying = sink->state;
    *count = copying->count;
    return copying->vertices;
}

/* A row of a block, and what a lane has for it. */
struct row {
    const struct block *block;
    size_t k;
    int lane;
    void *room; /* for its columns as they are in blocks */
};

static int put(const struct copying *copying, size_t place, const struct row *row,
               struct apsp_error *error)
{
    const struct sink_task *task = copying->task;
    char *values = copying->values + place * copying->stride * copying->bytes;
    if (copying->rows->make)
        copying->rows->make(copying->rows->self, row->lane, row->block, row->k,
                            (int32_t *)(void *)values, error);
    else
        convert_pack(&copying->packing, sink_row(task, row->block, row->k, row->room), values,
                     sink_columns(task));
    if (copying->owner)
        copying->owner[place] = 1 + (size_t)task->comm->rank;
    return error->code;
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

static int copy_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct copying *copying = sink->state;
    void *room = mem_alloc(mem_bytes(sink_columns(copying->task), dtype_info[block->dtype].bytes));
    if (!room)
        return error_set(error, APSP_MEMORY, "no memory for a row on %s",
                         copying->task->comm->host);
    for (size_t k = 0; k < block->count && !error->code && stop_check(error) == APSP_OK; k++) {
        const struct row row = {block, k, lane, room};
        if (library_certify(copying->rows->certifier, lane, block, k, error))
            break;
        size_t vertex = block_source(block, k);
        if (!copying->wanted)
            put(copying, vertex, &row, error);
        else
            for (size_t i = find(copying, vertex);
                 i < copying->count && copying->wanted[i].vertex == vertex; i++)
                put(copying, copying->wanted[i].place, &row, error);
    }
    mem_free(room);
    return error->code;
}

static const struct sink_ops sink_copy = {
    .name = "copy", .works = true, .targets = true, .wants = copy_wants, .take = copy_take};

/* It takes whole rows, which can be certified. */
static const struct sink_ops sink_copy_whole = {
    .name = "copy", .works = true, .wants = copy_wants, .take = copy_take};

int library_pass(struct apsp_solution *solution, struct sink *sink, int threads,
                 struct apsp_error *error)
{
    struct sinks sinks = {.count = 1, .at = {*sink}};
    return solver_pass(solution->solver, &sinks, threads, error);
}

static int copy_all(struct apsp_solution *solution, struct copying *copying,
                    struct apsp_error *error)
{
    struct sink sink = {.ops = copying->rows->certifier ? &sink_copy_whole : &sink_copy,
                        .task = copying->task,
                        .state = copying};
    return library_pass(solution, &sink, solution->solver->task.threads, error);
}

static int compare(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* One pass for `count` places from `first` on of the caller's list, which lie at `values`. */
static int copy_part(struct apsp_solution *solution, size_t first, struct copying *copying,
                     struct apsp_error *error)
{
    const uint32_t *list = copying->list;
    struct wanted *wanted = calloc(copying->count + 1, sizeof *wanted);
    copying->vertices = calloc(copying->count + 1, sizeof *copying->vertices);
    if (!wanted || !copying->vertices)
        error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", copying->count);
    if (comm_agree(solution->solver->comm, error) == APSP_OK) {
        for (size_t k = 0; k < copying->count; k++)
            wanted[k] = (struct wanted){list ? list[first + k] : first + k, k};
        qsort(wanted, copying->count, sizeof *wanted, compare);
        for (size_t k = 0; k < copying->count; k++)
            copying->vertices[k] = wanted[k].vertex;
        copying->wanted = wanted;
        copy_all(solution, copying, error);
    }
    free(copying->vertices);
    free(wanted);
    return error->code;
}

/* Each place from the rank that has it to all. */
static void spread(struct apsp_solution *solution, const struct copying *copying)
{
    struct comm *comm = solution->solver->comm;
    comm_sum_all(comm, copying->owner, copying->count);
    for (size_t k = 0; k < copying->count; k++)
        comm_broadcast(comm, copying->values + k * copying->stride * copying->bytes,
                       sink_columns(copying->task) * copying->bytes, (int)copying->owner[k] - 1);
}

/* Among several ranks: so many rows at a time that one without a place for them needs little
 * memory. */
static int copy_among(struct apsp_solution *solution, struct copying *whole,
                      struct apsp_error *error)
{
    size_t n = sink_columns(whole->task), bytes = whole->bytes, count = whole->count;
    size_t step = CHUNK / bytes / n + 1;
    char *scratch =
        whole->values ? NULL : mem_alloc(mem_bytes(step < count ? step : count, n * bytes));
    size_t *owner = calloc(step, sizeof *owner);
    if (!owner || (!whole->values && !scratch))
        error_set(error, APSP_MEMORY, "no memory to pass rows on, on %s",
                  solution->solver->comm->host);
    comm_agree(solution->solver->comm, error);
    for (size_t at = 0; at < count && !error->code; at += step) {
        struct copying part = *whole;
        part.count = count - at < step ? count - at : step;
        part.owner = owner;
        part.values = scratch ? scratch : whole->values + at * whole->stride * bytes;
        part.stride = scratch ? n : whole->stride;
        memset(owner, 0, step * sizeof *owner);
        if (copy_part(solution, at, &part, error) == APSP_OK)
            spread(solution, &part);
    }
    free(owner);
    mem_free(scratch);
    return error->code;
}

int library_copy(struct apsp_solution *solution, const struct library_rows *rows, void *values,
                 size_t stride, struct apsp_error *error)
{
    struct sink_task task = solution->solver->sink_task;
    struct copying copying = {.task = &task,
                              .list = rows->list,
                              .count = rows->count,
                              .values = values,
                              .stride = stride};
    task.targets = rows->targets;
    copying.packing = library_packing(solution);
    if (rows->raw)
        copying.packing.file = copying.packing.rows;
    copying.rows = rows;
    copying.bytes = rows->make ? sizeof(int32_t) : dtype_info[copying.packing.file].bytes;
    if (!library_is_alone(solution) || (solution->team && !rows->shared))
        return copy_among(solution, &copying, error);
    if (!values || rows->count == 0)
        return APSP_OK;
    return rows->list ? copy_part(solution, 0, &copying, error)
                      : copy_all(solution, &copying, error);
}

/* Whether values[] may have so many rows, of so many columns. */
static int check_room(const struct apsp_solution *solution, const struct library_rows *rows,
                      const void *values, size_t stride, struct apsp_error *error)
{
    size_t columns = rows->targets ? rows->targets->count : solution->facts.vertices;
    size_t bytes =
        rows->make ? sizeof(int32_t) : dtype_info[solution->solver->sink_task.file].bytes;
    if (!values && rows->count > 0 && library_is_alone(solution))
        error_set(error, APSP_USAGE, "NULL: expected room for %zu rows", rows->count);
    if (stride < columns)
        error_set(error, APSP_USAGE, "stride %zu is less than the %zu entries of a row", stride,
                  columns);
    if (rows->count > 0 && stride > SIZE_MAX / bytes / rows->count)
        error_set(error, APSP_USAGE, "stride %zu: %zu such rows exceed the address space", stride,
                  rows->count);
    return error->code;
}

static int check_list(const char *name, const uint32_t *list, size_t count, size_t n,
                      struct apsp_error *error)
{
    for (size_t k = 0; list && k < count && !error->code; k++)
        if (list[k] >= n)
            error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is not in 0 .. %zu", name, k, list[k],
                      n - 1);
    return error->code;
}

int library_check(const struct apsp_solution *solution, const struct library_rows *rows,
                  const void *values, size_t stride, struct apsp_error *error)
{
    check_room(solution, rows, values, stride, error);
    return check_list("list", rows->list, rows->count, solution->facts.vertices, error);
}

struct table_question {
    const struct apsp_list *from, *to;
    void *values;
    size_t stride;
};

static int rows_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct table_question *question = opaque;
    const size_t n = solution->facts.vertices, stride = question->stride ? question->stride : n;
    const uint32_t *list = question->from->vertex;
    const struct library_rows rows = {
        .list = list, .count = list ? question->from->count : n, .shared = true};
    library_check(solution, &rows, question->values, stride, error);
    if (comm_agree(solution->solver->comm, error))
        return error->code;
    return library_copy(solution, &rows, question->values, stride, error);
}

int apsp_rows(struct apsp_solution *solution, const uint32_t *list, size_t count, void *values,
              size_t stride, struct apsp_error *error)
{
    const struct apsp_list from = {list, count};
    struct table_question question = {&from, NULL, values, stride};
    return library_ask(solution, rows_rank, &question, error);
}

static int table_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct table_question *question = opaque;
    const struct apsp_list *from = question->from, *to = question->to;
    const size_t n = solution->facts.vertices;
    struct sources targets = {.count = to->count, .vertex = (uint32_t *)(uintptr_t)to->vertex};
    struct library_rows rows = {.list = from->vertex,
                                .count = from->vertex ? from->count : n,
                                .targets = to->vertex ? &targets : NULL,
                                .shared = true};
    const size_t stride = question->stride ? question->stride : to->vertex ? to->count : n;
    check_room(solution, &rows, question->values, stride, error);
    check_list("from", from->vertex, from->count, n, error);
    check_list("to", to->vertex, to->count, n, error);
    if (comm_agree(solution->solver->comm, error) || (to->vertex && to->count == 0))
        return error->code;
    if (library_certifier_open(&rows.certifier, solution, error) == APSP_OK)
        library_copy(solution, &rows, question->values, stride, error);
    library_certifier_close(rows.certifier, solution);
    return error->code;
}

int apsp_table(struct apsp_solution *solution, const struct apsp_list *from,
               const struct apsp_list *to, void *values, size_t stride, struct apsp_error *error)
{
    const struct apsp_list all = {0};
    struct table_question question = {from ? from : &all, to ? to : &all, values, stride};
    return library_ask(solution, table_rank, &question, error);
}

/* Of all ranks of a team. */
struct blocks_question {
    apsp_take *take;
    void *user;
    unsigned flags;
    pthread_mutex_t turn; /* of the ranks, unless blocks are taken in parallel */
    atomic_bool stopped;  /* The callback wants no more. */
};

struct call {
    struct blocks_question *question;
    int lane; /* the first of this rank */
    struct packing packing;
};

/* Rows k to k + count - 1 of a block, of that type, at `values`. */
static int call(const struct call *call, int lane, const struct block *block,
                const struct apsp_block *rows, size_t k, struct apsp_error *error)
{
    struct blocks_question *question = call->question;
    const bool parallel = question->flags & APSP_PARALLEL;
    struct apsp_block told = *rows;
    told.lane = call->lane + lane;
    told.columns = block->n;
    told.first = block->first + k;
    told.source = block->source ? block->source + k : NULL;
    if (!parallel)
        pthread_mutex_lock(&question->turn);
    if (question->stopped || question->take(question->user, &told)) {
        question->stopped = true;
        error_set(error, APSP_CANCELLED, "stopped by a callback");
    }
    if (!parallel)
        pthread_mutex_unlock(&question->turn);
    return error->code;
}

/* Some rows at a time, as they are given out. */
static int call_packed(const struct call *self, int lane, const struct block *block,
                       struct apsp_error *error)
{
    const size_t row = mem_bytes(block->n, dtype_info[self->packing.file].bytes);
    const size_t step = row < CALL_CHUNK ? CALL_CHUNK / row : 1;
    char *values = mem_alloc(mem_bytes(step, row));
    if (!values)
        return error_set(error, APSP_MEMORY, "no memory for %zu rows of %zu distances", step,
                         block->n);
    for (size_t k = 0, count; k < block->count && !error->code; k += count) {
        count = block->count - k < step ? block->count - k : step;
        for (size_t i = 0; i < count; i++)
            convert_pack(&self->packing, block_row(block, k + i), values + i * row, block->n);
        const struct apsp_block rows = {.type = type_of(self->packing.file),
                                        .count = count,
                                        .values = values,
                                        .stride = block->n};
        call(self, lane, block, &rows, k, error);
    }
    mem_free(values);
    return error->code;
}

static int call_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct call *self = sink->state;
    const struct apsp_block rows = {.type = type_of(block->dtype),
                                    .count = block->count,
                                    .values = block->values,
                                    .stride = block->stride};
    return self->packing.file != self->packing.rows ? call_packed(self, lane, block, error)
                                                    : call(self, lane, block, &rows, 0, error);
}

static const struct sink_ops sink_call = {.name = "call", .works = true, .take = call_take};

static int blocks_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    struct blocks_question *question = opaque;
    const struct solver *solver = solution->solver;
    const struct apsp_facts *facts = &solution->facts;
    const bool parallel = question->flags & APSP_PARALLEL;
    if (!question->take || question->flags > APSP_PARALLEL)
        error_set(error, APSP_USAGE, "%s",
                  question->take ? "flags: unknown bits" : "NULL: expected a callback");
    if (comm_agree(solver->comm, error))
        return error->code;
    struct call call = {.question = question, .packing = library_packing(solution)};
    if (solution->team && parallel)
        call.lane = solver->comm->rank * (facts->threads / facts->ranks);
    struct sink sink = {.ops = &sink_call, .task = &solver->sink_task, .state = &call};
    return library_pass(solution, &sink, parallel ? solver->task.threads : 1, error);
}

int apsp_blocks(struct apsp_solution *solution, apsp_take *take, void *user, unsigned flags,
                struct apsp_error *error)
{
    struct blocks_question question = {take, user, flags, PTHREAD_MUTEX_INITIALIZER, false};
    return library_ask(solution, blocks_rank, &question, error);
}
