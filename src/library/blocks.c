/* Rows to the caller's callback: a sink that is in no table. */
#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"
#include "library/library.h"

#include <pthread.h>
#include <stdatomic.h>

/* Bytes of the rows that a callback gets of a block at a time, where they are not given out as they
 * are there. */
enum { CALL_CHUNK = SIZE_OF(1 << 20, 1 << 9) };

static enum apsp_type type_of(enum dtype dtype)
{
    return (enum apsp_type)(dtype + APSP_U16);
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
    const struct device *device; /* The one that has the values in its memory; NULL: the host. */
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
    told.device = call->device ? call->device->number : -1;
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

/* Memory for rows as they are given out. */
struct room {
    size_t rows, row; /* Bytes of a row. */
    char *values;
    void *packed; /* A row on the host, on its way to a device. */
};

static bool room_make(const struct call *self, const struct block *block, struct room *room)
{
    const struct device *device = self->device;
    *room = (struct room){.row = mem_bytes(block->n, dtype_info[self->packing.file].bytes)};
    room->rows = size_min(size_max(CALL_CHUNK / room->row, 1), CONVERT_PLACES);
    const size_t bytes = mem_bytes(room->rows, room->row);
    room->values = device ? device->ops->alloc(device->number, bytes) : mem_alloc(bytes);
    if (device && !block->device)
        room->packed = mem_alloc(room->row);
    return room->values && (!device || block->device || room->packed);
}

static void room_free(const struct call *self, struct room *room)
{
    mem_free(room->packed);
    if (!self->device)
        mem_free(room->values);
    else if (room->values)
        self->device->ops->free(self->device->number, room->values);
}

/* Rows k to k + count - 1 of a block. */
static void room_fill(const struct call *self, struct room *room, const struct block *block,
                      size_t k, size_t count)
{
    const struct device *device = self->device;
    struct convert_places places = {
        .packing = self->packing, .columns = block->n, .values = room->values, .count = count};
    for (size_t i = 0; i < count; i++) {
        char *values = room->values + i * room->row;
        places.place[i] = i;
        places.row[i] = (uint32_t)(k + i);
        if (device && block->device)
            continue;
        convert_pack(&self->packing, block_row(block, k + i), device ? room->packed : values,
                     block->n);
        if (device)
            device->ops->write(device->number, values, room->packed, room->row);
    }
    if (device && block->device)
        convert_device()(&places, block);
}

/* Some rows at a time, as they are given out. */
static int call_packed(const struct call *self, int lane, const struct block *block,
                       struct apsp_error *error)
{
    struct room room;
    if (!room_make(self, block, &room))
        error_set(error, APSP_MEMORY, "no memory for %zu rows of %zu distances", room.rows,
                  block->n);
    for (size_t k = 0, count; k < block->count && !error->code; k += count) {
        count = size_min(block->count - k, room.rows);
        room_fill(self, &room, block, k, count);
        const struct apsp_block rows = {.type = type_of(self->packing.file),
                                        .count = count,
                                        .values = room.values,
                                        .stride = block->n};
        call(self, lane, block, &rows, k, error);
    }
    room_free(self, &room);
    return error->code;
}

static int call_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct call *self = sink->state;
    const bool device = self->device != NULL;
    const struct apsp_block rows = {.type = type_of(block->dtype),
                                    .count = block->count,
                                    .values = device ? block->device : block->values,
                                    .stride = device ? block->device_stride : block->stride};
    return self->packing.file != self->packing.rows || !rows.values
               ? call_packed(self, lane, block, error)
               : call(self, lane, block, &rows, 0, error);
}

static bool call_on_device(const struct sink_task *task)
{
    (void)task;
    return true;
}

static const struct sink_ops sink_call = {.name = "call", .works = true, .take = call_take},
                             sink_call_on_device = {.name = "call",
                                                    .works = true,
                                                    .on_device = call_on_device,
                                                    .take = call_take};

static int blocks_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    struct blocks_question *question = opaque;
    const struct solver *solver = solution->solver;
    const struct apsp_facts *facts = &solution->facts;
    const bool parallel = question->flags & APSP_PARALLEL;
    const bool on_device = question->flags & APSP_ON_DEVICE;
    if (!question->take || question->flags > (APSP_PARALLEL | APSP_ON_DEVICE))
        error_set(error, APSP_USAGE, "%s",
                  question->take ? "flags: unknown bits" : "NULL: expected a callback");
    else if (on_device && !solver->device.ops->alloc)
        error_set(error, APSP_DEVICE, "the solution is not on a GPU");
    if (comm_agree(solver->comm, error))
        return error->code;
    struct call call = {.question = question,
                        .packing = library_packing(solution),
                        .device = on_device ? &solver->device : NULL};
    if (solution->team && parallel)
        call.lane = solver->comm->rank * (facts->threads / facts->ranks);
    struct sink sink = {.ops = on_device ? &sink_call_on_device : &sink_call,
                        .task = &solver->sink_task,
                        .state = &call};
    return library_pass(solution, &sink, parallel ? solver->task.threads : 1, error);
}

int apsp_blocks(struct apsp_solution *solution, apsp_take *take, void *user, unsigned flags,
                struct apsp_error *error)
{
    struct blocks_question question = {take, user, flags, PTHREAD_MUTEX_INITIALIZER, false};
    return library_ask(solution, blocks_rank, &question, error);
}
