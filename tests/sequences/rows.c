/* Rows, tables, blocks and single distances. */
#include "base/dtype.h"
#include "sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 0xa5, TAIL = 64 };

/* Memory of the caller's for entries of rows, in which nothing else may be written. */
struct room {
    unsigned char *values;
    size_t rows, columns, stride, bytes;
    size_t total; /* without the tail */
};

static size_t bytes_of(enum apsp_type type)
{
    return dtype_info[type - APSP_U16].bytes;
}

static void room_make(struct question *question, struct room *room, size_t rows, size_t columns)
{
    const bool wide = draw_one_in(&question->random, 3);
    *room = (struct room){.rows = rows,
                          .columns = columns,
                          .stride = columns + (wide ? draw(&question->random, 0, 5) : 0),
                          .bytes = bytes_of(question->slot->facts->type)};
    room->total = rows * room->stride * room->bytes;
    room->values = malloc(room->total + TAIL);
    if (!room->values)
        abort();
    memset(room->values, UNTOUCHED, room->total + TAIL);
}

static void room_check(struct question *question, const struct room *room)
{
    for (size_t at = 0; at < room->total + TAIL; at++) {
        const bool inside = at < room->total && at / room->bytes % room->stride < room->columns;
        if (!inside && room->values[at] != UNTOUCHED)
            wrong(question, "byte %zu of %zu is written, in rows of %zu entries of %zu", at,
                  room->total, room->columns, room->stride);
    }
}

/* The address that the call gets: on one of several ranks perhaps NULL. */
static void *room_values(struct question *question, const struct room *room)
{
    const bool mute = ranks > 1 && draw_one_in(&question->random, 5);
    return mute && draw(&question->random, 0, (uint32_t)ranks - 1) == (uint32_t)rank ? NULL
                                                                                     : room->values;
}

static void room_compare(struct question *question, const struct room *room,
                         const struct apsp_list *from, const struct apsp_list *to)
{
    const struct slot *slot = question->slot;
    for (size_t k = 0; k < room->rows; k++)
        for (size_t j = 0; j < room->columns; j++) {
            const size_t u = list_at(from, k), v = list_at(to, j);
            if (!answer_is_right(slot, room->values, k * room->stride + j, u, v))
                wrong(question,
                      "row %zu of %zu, column %zu of %zu: not the distance %g from %zu to %zu", k,
                      room->rows, j, room->columns, slot->sample->distance[u * slot->sample->n + v],
                      u, v);
        }
}

int rows_ask(struct question *question)
{
    struct slot *slot = question->slot;
    const size_t n = slot->sample->n;
    const struct apsp_list all = {NULL, 0};
    struct drawn_list from;
    struct room room;
    draw_list(&from, &question->random, slot->sample->n, LIST_ANY);
    room_make(question, &room, list_count(&from.list, n), n);
    void *values = room_values(question, &room);
    const size_t stride = room.stride == n ? 0 : room.stride;
    if (ASK(question, apsp_rows(slot->solution, from.list.vertex, from.list.count, values, stride,
                                &question->error)) == APSP_OK &&
        values)
        room_compare(question, &room, &from.list, &all);
    room_check(question, &room);
    free(room.values);
    return question->error.code;
}

int table_ask(struct question *question)
{
    struct slot *slot = question->slot;
    const uint32_t n = slot->sample->n;
    struct drawn_list from, to;
    struct room room;
    draw_list(&from, &question->random, n, LIST_ANY);
    draw_list(&to, &question->random, n, LIST_ANY);
    room_make(question, &room, list_count(&from.list, n), list_count(&to.list, n));
    void *values = room_values(question, &room);
    const size_t stride = room.stride == room.columns ? 0 : room.stride;
    if (ASK(question, apsp_table(slot->solution, &from.list, &to.list, values, stride,
                                 &question->error)) == APSP_OK &&
        values)
        room_compare(question, &room, &from.list, &to.list);
    room_check(question, &room);
    free(room.values);
    return question->error.code;
}

static bool has_device(void)
{
    const char *device = getenv("SEQUENCES_DEVICE");
    return device && strcmp(device, "gpu") == 0;
}

/* The status of a table on a GPU. */
static int device_refusal(void)
{
    return ranks > 1 ? APSP_USAGE : has_device() ? APSP_OK : APSP_DEVICE;
}

static void device_compare(struct question *question, const struct apsp_device_table *table,
                           const struct apsp_list *from, const struct apsp_list *to)
{
    const struct slot *slot = question->slot;
    const size_t n = slot->sample->n, rows = list_count(from, n), columns = list_count(to, n);
    struct room room = {.rows = rows, .columns = columns, .stride = columns};
    struct apsp_error error;
    if (table->type != slot->facts->type || table->rows != rows || table->columns != columns ||
        (table->values == NULL) != (rows * columns == 0))
        wrong(question, "a table of %zu x %zu of type %d on the device", table->rows,
              table->columns, (int)table->type);
    room.total = rows * columns * bytes_of(table->type);
    room.values = malloc(room.total + 1);
    if (!room.values)
        abort();
    if (apsp_device_read(room.values, table->values, room.total, NULL, &error))
        wrong(question, "the device's memory cannot be read: %s", error.text);
    room_compare(question, &room, from, to);
    free(room.values);
}

int device_ask(struct question *question)
{
    struct slot *slot = question->slot;
    const uint32_t n = slot->sample->n;
    struct drawn_list from, to;
    struct apsp_device_table table = {.rows = 1};
    draw_list(&from, &question->random, n, LIST_ANY);
    draw_list(&to, &question->random, n, LIST_ANY);
    if (ASK(question, apsp_table_on_device(slot->solution, &from.list, &to.list, &table,
                                           &question->error)) == APSP_OK &&
        device_refusal() == APSP_OK)
        device_compare(question, &table, &from.list, &to.list);
    else if (table.values || table.rows > 0 || question->error.code == APSP_OK)
        wrong(question, "a table of %zu rows beside status %d", table.rows, question->error.code);
    apsp_device_table_free(&table);
    return question->error.code == device_refusal() ? APSP_OK : question->error.code;
}

/* Blocks as they come. */
struct seen {
    const struct question *question;
    unsigned char row[N_MAX];
    size_t rows, stop; /* ends, or cancels, at so many */
    bool cancels, on_device;
};

/* The block's values on the host, to be freed if they were not. */
static void *block_values(const struct seen *seen, const struct apsp_block *block)
{
    const size_t bytes =
        ((block->count - 1) * block->stride + block->columns) * bytes_of(block->type);
    struct apsp_error error;
    if ((block->device >= 0) != seen->on_device)
        wrong(seen->question, "a block of device %d", block->device);
    if (!seen->on_device)
        return NULL;
    void *values = malloc(bytes);
    if (!values)
        abort();
    if (apsp_device_read(values, block->values, bytes, NULL, &error))
        wrong(seen->question, "the device's memory cannot be read: %s", error.text);
    return values;
}

static int block_take(void *user, const struct apsp_block *block)
{
    struct seen *seen = user;
    const struct slot *slot = seen->question->slot;
    const size_t n = slot->sample->n;
    bool stop;
    if (block->columns != n || block->type != slot->facts->type || block->lane < 0 ||
        block->lane >= slot->facts->threads)
        wrong(seen->question, "a block of type %d and %zu columns in lane %d", (int)block->type,
              block->columns, block->lane);
    void *own = block_values(seen, block);
    const void *values = own ? own : block->values;
    for (size_t k = 0; k < block->count; k++) {
        const size_t source = block->source ? block->source[k] : block->first + k;
        if (source >= n || __atomic_fetch_add(&seen->row[source], 1, __ATOMIC_RELAXED))
            wrong(seen->question, "row %zu comes twice", source);
        for (size_t v = 0; v < n; v++)
            if (!answer_is_right(slot, values, k * block->stride + v, source, v))
                wrong(seen->question, "block: from %zu to %zu: not the distance %g", source, v,
                      slot->sample->distance[source * n + v]);
    }
    free(own);
    stop = __atomic_add_fetch(&seen->rows, block->count, __ATOMIC_RELAXED) >= seen->stop;
    if (stop && seen->cancels)
        apsp_cancel();
    return stop && !seen->cancels;
}

int blocks_ask(struct question *question)
{
    struct slot *slot = question->slot;
    struct seen seen = {.question = question, .stop = SIZE_MAX};
    unsigned flags = draw_one_in(&question->random, 2) ? APSP_PARALLEL : 0;
    seen.on_device = has_device() && draw_one_in(&question->random, 2);
    flags |= seen.on_device ? APSP_ON_DEVICE : 0;
    if (question->twist == TWIST_CANCEL && question->struck == (uint32_t)rank &&
        draw_one_in(&question->random, 2)) {
        seen.stop = question->strike;
        seen.cancels = question->strike % 2;
    }
    if (ASK(question, apsp_blocks(slot->solution, block_take, &seen, flags, &question->error)) ==
            APSP_OK &&
        seen.rows != slot->facts->rows)
        wrong(question, "%zu rows of %zu came", seen.rows, slot->facts->rows);
    return question->error.code;
}

int distance_ask(struct question *question)
{
    struct slot *slot = question->slot;
    const uint32_t n = slot->sample->n, from = draw(&question->random, 0, n - 1),
                   to = draw(&question->random, 0, n - 1);
    struct apsp_distance found;
    if (ASK(question, apsp_find_distance(slot->solution, from, to, &found, &question->error))) {
        if (found.reachable || found.whole || found.real != 0)
            wrong(question, "a distance beside status %d", question->error.code);
        return question->error.code;
    }
    const double right = slot->sample->distance[from * n + to];
    if (!answer_has(slot, found.whole, found.real, from, to) ||
        (found.reachable != 0) != !isinf(right))
        wrong(question, "from %u to %u: %g, %lld, and not the distance %g", from, to, found.real,
              (long long)found.whole, right);
    return APSP_OK;
}
