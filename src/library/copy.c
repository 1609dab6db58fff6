/* Rows into the caller's memory, on the host or on a device: a sink that is in no table. */
#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"
#include "base/stop.h"
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the rows that travel between ranks at a time. */
enum { CHUNK = SIZE_OF(64 << 20, 1 << 10) };

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
    size_t *owner;    /* of each place: 1 + the rank that has filled it; NULL: not requested */
    uint32_t *column; /* Of the targets, in the memory of the rank's device; NULL: all. */
    bool direct;      /* The rank's device writes to the values. */
};

static const size_t *copy_wants(const struct sink *sink, size_t *count)
{
    const struct copying *copying = sink->state;
    *count = copying->count;
    return copying->vertices;
}

/* A row of a block, and what a worker has for it. */
struct row {
    const struct block *block;
    size_t k;
    int lane;
    void *room;                    /* for its columns as they are in blocks, */
    void *packed;                  /* and as they are given out */
    struct convert_places *places; /* that are not filled yet; NULL: the host fills them */
};

/* On the host or, with places, later by the device. */
static void put_values(const struct copying *copying, size_t place, const struct row *row)
{
    const struct sink_task *task = copying->task;
    const struct device *device = copying->rows->device;
    char *values = copying->values + place * copying->stride * copying->bytes;
    struct convert_places *places = row->places;
    if (places) {
        places->place[places->count] = place;
        places->row[places->count++] = (uint32_t)row->k;
        if (places->count < CONVERT_PLACES)
            return;
        convert_device()(places, row->block);
        places->count = 0;
        return;
    }
    convert_pack(&copying->packing, sink_row(task, row->block, row->k, row->room),
                 device ? row->packed : values, sink_columns(task));
    if (device)
        device->ops->write(device->number, values, row->packed,
                           sink_columns(task) * copying->bytes);
}

static int put(const struct copying *copying, size_t place, const struct row *row,
               struct apsp_error *error)
{
    if (copying->rows->make)
        copying->rows->make(copying->rows->self, row->lane, row->block, row->k,
                            copying->values + place * copying->stride * copying->bytes, error);
    else
        put_values(copying, place, row);
    if (copying->owner)
        copying->owner[place] = 1 + (size_t)copying->task->comm->rank;
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

/* Row k of the block to all its places. */
static int put_everywhere(const struct copying *copying, const struct row *row,
                          struct apsp_error *error)
{
    const size_t vertex = block_source(row->block, row->k);
    if (!copying->wanted)
        return put(copying, vertex, row, error);
    for (size_t i = find(copying, vertex);
         i < copying->count && copying->wanted[i].vertex == vertex && !error->code; i++)
        put(copying, copying->wanted[i].place, row, error);
    return error->code;
}

static int copy_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct copying *copying = sink->state;
    const size_t columns = sink_columns(copying->task);
    struct convert_places places = {.packing = copying->packing,
                                    .column = block->column ? NULL : copying->column,
                                    .columns = columns,
                                    .values = copying->values};
    const bool direct = copying->direct && (block->device || block->turn);
    union value *room = mem_alloc(mem_bytes(columns, 2 * sizeof *room));
    if (!room)
        return error_set(error, APSP_MEMORY, "no memory for a row on %s",
                         copying->task->comm->host);
    for (size_t k = 0; k < block->count && !error->code && stop_check(error) == APSP_OK; k++) {
        const struct row row = {block, k, lane, room, room + columns, direct ? &places : NULL};
        if (library_certify(copying->rows->certifier, lane, block, k, error) == APSP_OK)
            put_everywhere(copying, &row, error);
    }
    if (direct)
        convert_device()(&places, block);
    mem_free(room);
    return error->code;
}

static const struct sink_ops sink_copy = {
    .name = "copy", .works = true, .targets = true, .wants = copy_wants, .take = copy_take};

/* It takes whole rows, which can be certified, or of which others are made. */
static const struct sink_ops sink_copy_whole = {
    .name = "copy", .works = true, .wants = copy_wants, .take = copy_take};

static bool copy_on_device(const struct sink_task *task)
{
    (void)task;
    return true;
}

/* It takes rows where they are on the device. */
static const struct sink_ops sink_copy_direct = {.name = "copy",
                                                 .targets = true,
                                                 .works = true,
                                                 .on_device = copy_on_device,
                                                 .places = true,
                                                 .wants = copy_wants,
                                                 .take = copy_take};

int library_pass(struct apsp_solution *solution, struct sink *sink, int threads,
                 struct apsp_error *error)
{
    struct sinks sinks = {.count = 1, .at = {*sink}};
    return solver_pass(solution->solver, &sinks, threads, error);
}

static int copy_all(struct apsp_solution *solution, struct copying *copying,
                    struct apsp_error *error)
{
    struct sink sink = {.ops = copying->direct                                   ? &sink_copy_direct
                               : copying->rows->certifier || copying->rows->make ? &sink_copy_whole
                                                                                 : &sink_copy,
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
    char *scratch = whole->values ? NULL : mem_alloc(mem_bytes(size_min(step, count), n * bytes));
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

/* Before rows come that go to a device: its targets, and whether the rank's own device writes them.
 * APSP_MEMORY. */
static int open_device(const struct apsp_solution *solution, struct copying *copying,
                       struct apsp_error *error)
{
    const struct device *own = &solution->solver->device;
    const struct sources *targets = copying->rows->targets;
    const int other = copying->rows->device->number;
    copying->direct =
        convert_device() && !copying->rows->certifier &&
        (own->number == other || (!copying->rows->lent && own->ops->reaches(own->number, other)));
    if (!copying->direct || !targets)
        return APSP_OK;
    const size_t bytes = mem_bytes(targets->count, sizeof *copying->column);
    copying->column = own->ops->alloc(own->number, bytes);
    if (!copying->column)
        return error_set(error, APSP_MEMORY, "GPU %d: no memory for a list of %zu columns",
                         own->number, targets->count);
    own->ops->write(own->number, copying->column, targets->vertex, bytes);
    return APSP_OK;
}

/* To one place for all ranks. */
static int copy_here(struct apsp_solution *solution, struct copying *copying,
                     struct apsp_error *error)
{
    const struct device *own = &solution->solver->device;
    if (!copying->values || copying->count == 0)
        return APSP_OK;
    if (copying->rows->device)
        open_device(solution, copying, error);
    if (comm_agree(solution->solver->comm, error) == APSP_OK) {
        if (copying->list)
            copy_part(solution, 0, copying, error);
        else
            copy_all(solution, copying, error);
    }
    if (copying->column)
        own->ops->free(own->number, copying->column);
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
    copying.bytes = rows->made ? rows->made : dtype_info[copying.packing.file].bytes;
    if (!library_is_alone(solution) || (solution->team && !rows->shared))
        return copy_among(solution, &copying, error);
    return copy_here(solution, &copying, error);
}
