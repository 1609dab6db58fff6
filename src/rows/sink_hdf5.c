/*
 * The sink that writes the matrix of distances as HDF5, with the names of its rows and columns. The
 * library has one writer, rank 0. The work is in compressing, which each worker does for itself.
 *
 * The place of a chunk in the file depends on those before it. So a rank retains its compressed
 * rows, and sends them to rank 0 in the end, in the order of the rows, a window at a time. The file
 * is the same on any number of ranks. Chunks are single rows: larger ones would have to be brought
 * together from blocks and ranks, which have rows in any order, before they are compressed.
 */
#include "base/hdf5.h"
#include "base/mem.h"
#include "base/size.h"
#include "rows/kept.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that the ranks send at a time, and rows; the bytes that are known to be needed. */
enum { WINDOW = SIZE_OF(16 << 20, 1 << 10), WINDOW_ROWS = SIZE_OF(1 << 16, 7), LEAST = 8 };

/* Bytes that the library takes, at most, for what says where a row is, and for the rest. */
enum { INDEX = 128, BESIDE = 1 << 16 };

struct held {
    struct kept *kept;
    void *room[SINK_LANES]; /* for a row as the file has it, and once more for packing it */
};

/* Before a row that is sent. */
struct record {
    size_t place, bytes;
};

static const char *path(const struct results *results)
{
    return hdf5_is_named(results->distances) ? results->distances : NULL;
}

static int ready(const struct results *results, struct apsp_error *error)
{
    return hdf5_load(results->distances, true, APSP_USAGE, error);
}

static size_t row_bytes(const struct sink_task *task)
{
    return mem_bytes(sink_columns(task), dtype_info[task->file].bytes);
}

static size_t place_room(const struct sink_task *task, void *base, void **row, void **packing)
{
    struct mem_layout layout = {.base = base};
    *row = mem_place(&layout, sink_file_room(task), 1);
    *packing = mem_place(&layout, sink_columns(task), dtype_info[task->file].bytes);
    return layout.bytes;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    const size_t most = hdf5_packed_most(sink_columns(task), task->file), rows = sink_rows(task);
    void *row, *packing;
    struct sink_need need = {.disk = mem_bytes(rows, mem_bytes(2, most))};
    mem_mul(&need.host, place_room(task, NULL, &row, &packing), (size_t)lanes);
    mem_add(&need.host, need.host, kept_need(rows, most, lanes));
    mem_add(&need.host, need.host, 2 * (WINDOW + WINDOW_ROWS * sizeof(struct record)) + 2 * most);
    need.disk_most = true;
    return need;
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct results *results = task->results;
    const struct output_plan plan = {.path = results->distances,
                                     .inputs = results->inputs,
                                     .least = LEAST,
                                     .force = results->force};
    struct held *held = sink->state = calloc(1, sizeof *held);
    if (!held)
        error_set(error, APSP_MEMORY, "no memory for the distances on %s", task->comm->host);
    if (row_bytes(task) > HDF5_ROW_MOST)
        error_set(error, APSP_USAGE,
                  "%s: rows of %zu bytes, and in HDF5 they have %d at most: name a file .npy",
                  results->distances, row_bytes(task), HDF5_ROW_MOST);
    if (!error->code)
        ready(results, error);
    if (comm_agree(task->comm, error) == APSP_OK &&
        output_open(&sink->output, task->comm, &plan, error) == APSP_OK)
        kept_open(&held->kept, sink_rows(task), task->comm, output_file(sink->output), error);
    return error->code;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct held *held = sink->state;
    const struct sink_task *task = sink->task;
    const size_t most = hdf5_packed_most(sink_columns(task), task->file);
    void *made, *packing;
    if (!held->room[lane] &&
        !(held->room[lane] = mem_alloc(place_room(task, NULL, &made, &packing))))
        return error_set(error, APSP_MEMORY, "no memory for distances on %s", task->comm->host);
    place_room(task, held->room[lane], &made, &packing);
    for (size_t k = 0; k < block->count && !error->code; k++) {
        size_t place = sink_place(task, block_source(block, k));
        if (place >= sink_rows(task)) /* not requested */
            continue;
        char *packed = kept_room(held->kept, lane, most, error);
        if (packed)
            kept_add(held->kept, lane, place,
                     hdf5_pack(packed, sink_file_row(task, block, k, made), sink_columns(task),
                               task->file, packing),
                     error);
    }
    return error->code;
}

/* The rows that go to rank 0 at a time, from that one on. */
static struct range window_from(const struct held *held, size_t at, size_t rows)
{
    struct range window = {at, at};
    for (size_t all = 0, bytes = 0; window.hi < rows && window.hi - at < WINDOW_ROWS;
         window.hi++, all += bytes) {
        kept_row(held->kept, window.hi, &bytes);
        if (window.hi > at && all + bytes > WINDOW)
            break;
    }
    return window;
}

/* Those of this rank, each behind its record; the caller frees. *all: their bytes. NULL without
 * memory. */
static char *collect(const struct held *held, struct range window, size_t *all)
{
    size_t bytes;
    *all = 0;
    for (size_t place = window.lo; place < window.hi; place++)
        if (kept_row(held->kept, place, &bytes))
            *all += sizeof(struct record) + bytes;
    char *sent = malloc(*all + 1), *to = sent;
    for (size_t place = window.lo; sent && place < window.hi; place++) {
        const char *row = kept_row(held->kept, place, &bytes);
        if (!row)
            continue;
        const struct record record = {place, bytes};
        memcpy(to, &record, sizeof record);
        memcpy(to + sizeof record, row, bytes);
        to += sizeof record + bytes;
    }
    return sent;
}

/* What has come goes to the file in the order of the rows. */
static void put_window(struct hdf5 *file, struct range window, const char *received, size_t bytes,
                       struct apsp_error *error)
{
    struct record record;
    const char **row = calloc(range_length(window) + 1, sizeof *row);
    if (!row)
        error_set(error, APSP_MEMORY, "no memory for %zu rows", range_length(window));
    for (size_t at = 0; row && at < bytes; at += sizeof record + record.bytes) {
        memcpy(&record, received + at, sizeof record);
        row[record.place - window.lo] = received + at;
    }
    for (size_t place = window.lo; place < window.hi && !error->code; place++) {
        memcpy(&record, row[place - window.lo], sizeof record);
        hdf5_put_row(file, place, row[place - window.lo] + sizeof record, record.bytes, error);
    }
    free(row);
}

struct transfer {
    void *received;
    size_t room;
    int *counts;
};

static int send_window(const struct sink *sink, struct transfer *transfer, struct hdf5 *file,
                       struct range window, struct apsp_error *error)
{
    struct comm *comm = sink->task->comm;
    size_t bytes, got;
    char *sent = collect(sink->state, window, &bytes);
    if (!sent)
        error_set(error, APSP_MEMORY, "no memory to send rows on %s", comm->host);
    if (comm_agree(comm, error) == APSP_OK) {
        transfer->counts[0] = (int)bytes;
        got = comm_exchange(comm, sent, transfer->counts, 1, &transfer->received, &transfer->room);
        if (got == SIZE_MAX)
            error_set(error, APSP_MEMORY, "no memory for the rows of other ranks");
        else if (comm->rank == 0)
            put_window(file, window, transfer->received, got, error);
    }
    free(sent);
    return comm_agree(comm, error);
}

static size_t vertex_of(const struct sources *sources, size_t i)
{
    return sources ? sources->vertex[i] : i;
}

struct called {
    const struct labels labels;
    const struct sources *sources; /* NULL: all */
};

static const char *text_of(const void *self, size_t i)
{
    const struct called *called = self;
    return names_at(called->labels.names, vertex_of(called->sources, i));
}

static int64_t number_of(const void *self, size_t i)
{
    const struct called *called = self;
    return (int64_t)(vertex_of(called->sources, i) + called->labels.first);
}

static int put_called(const struct sink_task *task, struct hdf5 *file, const char *name,
                      const struct sources *sources, struct apsp_error *error)
{
    const struct called called = {task->certificate.labels, sources};
    const struct hdf5_labels labels = {.count = sources ? sources->count : task->n,
                                       .self = &called,
                                       .text = called.labels.names ? text_of : NULL,
                                       .number = number_of};
    return hdf5_put_labels(file, name, &labels, error);
}

/* The divisor of integers, if they are distances times a scale. */
static int put_scale(const struct sink_task *task, struct hdf5 *file, struct apsp_error *error)
{
    char text[SCALE_TEXT];
    const double divisor = sink_divisor(task);
    snprintf(text, sizeof text, "%.17g", divisor);
    return divisor == 1 ? APSP_OK : hdf5_put_text(file, HDF5_SCALE_NAME, text, error);
}

/* The file but for its rows. */
static void create(const struct sink *sink, struct hdf5 **file, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct results *results = task->results;
    const struct sources *sources = task->sources && task->sources->count ? task->sources : NULL;
    const struct hdf5_plan plan = {.path = results->distances,
                                   .fd = output_descriptor(sink->output),
                                   .rows = sink_rows(task),
                                   .columns = sink_columns(task),
                                   .dtype = task->file};
    if (hdf5_create(file, &plan, error) ||
        hdf5_put_text(*file, "program", "apsp " APSP_VERSION, error) ||
        hdf5_put_text(*file, "graph", results->graph, error) ||
        hdf5_put_number(*file, "vertices", (int64_t)task->n, error) ||
        hdf5_put_number(*file, "edges", (int64_t)task->m, error) ||
        hdf5_put_unreachable(*file, error) || put_scale(task, *file, error) ||
        put_called(task, *file, "sources", sources, error))
        return;
    if (!sources && !task->targets)
        hdf5_put_link(*file, "sources", "targets", error);
    else
        put_called(task, *file, "targets", task->targets, error);
}

/* The library cannot go on after a write without space. */
static void reserve_rows(const struct sink *sink, struct apsp_error *error)
{
    const struct held *held = sink->state;
    size_t all = BESIDE, bytes;
    for (size_t place = 0; place < sink_rows(sink->task); place++) {
        kept_row(held->kept, place, &bytes);
        mem_add(&all, all, bytes + INDEX);
    }
    if (!error->code)
        output_reserve(sink->output, all, error);
}

static int write_all(const struct sink *sink, struct hdf5 **file, struct transfer *transfer,
                     struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    transfer->counts = calloc((size_t)task->comm->ranks, sizeof *transfer->counts);
    if (!transfer->counts)
        error_set(error, APSP_MEMORY, "no memory to send rows on %s", task->comm->host);
    if (task->comm->rank == 0 && !error->code) {
        create(sink, file, error);
        reserve_rows(sink, error);
    }
    struct range window = {0, 0};
    while (comm_agree(task->comm, error) == APSP_OK && window.hi < sink_rows(task)) {
        window = window_from(sink->state, window.hi, sink_rows(task));
        send_window(sink, transfer, *file, window, error);
    }
    return error->code || task->comm->rank != 0 ? error->code : hdf5_finish(*file, error);
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    const struct held *held = sink->state;
    struct transfer transfer = {0};
    struct hdf5 *file = NULL;
    kept_merge(held->kept, error);
    write_all(sink, &file, &transfer, error);
    hdf5_close(file);
    if (sink->task->comm->rank == 0)
        output_trim(sink->output);
    free(transfer.received);
    free(transfer.counts);
    sink->rows = sink_rows(sink->task);
    sink->amount = (double)sink->rows * (double)row_bytes(sink->task);
    sink->unit = "B/s";
    return error->code ? error->code : output_finish(sink->output, error);
}

static void close_file(struct sink *sink)
{
    struct held *held = sink->state;
    if (!held)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        mem_free(held->room[i]);
    kept_free(held->kept);
    free(held);
}

const struct sink_ops sink_hdf5 = {
    .name = "hdf5",
    .works = true,
    .targets = true,
    .setting = SETTING_DISTANCES,
    .path = path,
    .distances = true,
    .ready = ready,
    .need = need,
    .open = open_file,
    .take = take,
    .merge = merge,
    .close = close_file,
};
