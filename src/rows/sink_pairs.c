/*
 * The sink that writes chosen pairs of vertices with their distances, in the order of the rows:
 * those of a format in pairs_formats.c, which the suffix of DISTANCES names. Rows are of any
 * length: where they go is known when all have been made.
 */
#include "rows/sink_pairs.h"
#include "base/crc32.h"
#include "base/mem.h"
#include "base/size.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER = SIZE_OF(4 << 20, 100), LEAST = 8 };

struct written {
    struct sink_task task; /* the sink's, with these: */
    struct results results;
    const struct pairs_format *format;
    struct output *output; /* the sink's */
    struct pairs *pairs;
    struct pairs_file file;
    struct crc32 crc;
    char *buffer; /* of a part, so much before it is written: */
    size_t used, offset;
};

static const char *path(const struct results *results)
{
    return pairs_format_for(results) ? results->distances : NULL;
}

struct sink_need sink_pairs_need(const struct sink_task *task, const struct results *results,
                                 const struct pairs_format *format, int lanes)
{
    struct sink_task own = *task;
    own.results = results;
    struct sink_need need = pairs_need(&own, format, lanes);
    mem_add(&need.host, need.host, BUFFER);
    return need;
}

int sink_pairs_open(struct sink *sink, const struct results *results,
                    const struct pairs_format *format, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct output_plan plan = {.path = results->distances,
                                     .inputs = results->inputs,
                                     .least = LEAST,
                                     .force = results->force};
    struct written *written = sink->state = calloc(1, sizeof *written);
    if (!written)
        error_set(error, APSP_MEMORY, "no memory for pairs on %s", task->comm->host);
    if (comm_agree(task->comm, error))
        return error->code;
    written->task = *task;
    written->results = *results;
    written->task.results = &written->results;
    written->format = format;
    written->file.task = &written->task;
    crc32_make(&written->crc);
    if (output_open(&sink->output, task->comm, &plan, error) == APSP_OK)
        pairs_open(&written->pairs, &written->task, format, output_file(sink->output), error);
    written->output = sink->output;
    return error->code;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    return sink_pairs_need(task, task->results, pairs_format_for(task->results), lanes);
}

static int open_pairs(struct sink *sink, struct apsp_error *error)
{
    const struct results *results = sink->task->results;
    return sink_pairs_open(sink, results, pairs_format_for(results), error);
}

int sink_pairs_take(struct sink *sink, int lane, const struct block *block,
                    struct apsp_error *error)
{
    return pairs_take(((struct written *)sink->state)->pairs, lane, block, error);
}

/* Bytes of a row in a part, of those in all, and where they begin. */
static size_t part_of(const struct written *written, int part, size_t bytes, size_t *begin)
{
    const struct pairs_format *format = written->format;
    enum dtype dtype = written->file.task->file;
    size_t all = 0, before = 0;
    *begin = 0;
    if (!format->width)
        return bytes;
    for (int p = 0; p < format->parts; p++) {
        before += p < part ? format->width(dtype, p) : 0;
        all += format->width(dtype, p);
    }
    *begin = bytes / all * before; /* NOLINT(clang-analyzer-core.DivideZero): parts have a width */
    return bytes / all * format->width(dtype, part);
}

/* Where everything begins, of so many bytes of pairs. */
static void lay_out(struct written *written, size_t bytes)
{
    struct pairs_file *file = &written->file;
    char head[PAIRS_HEAD_MAX];
    size_t begin;
    for (int part = 0; part < written->format->parts; part++) {
        file->bytes[part] = part_of(written, part, bytes, &begin);
        file->start[part] = file->head[part] + written->format->head(head, file, part);
        file->head[part + 1] = file->start[part] + file->bytes[part];
    }
}

static int flush(struct written *written, int part, struct apsp_error *error)
{
    struct pairs_file *file = &written->file;
    size_t end = file->start[part] + file->bytes[part];
    if (written->used == 0 || error->code)
        return error->code;
    output_write(written->output, written->offset, written->buffer, written->used, error);
    written->offset += written->used;
    if (written->format->checked)
        file->check[part] ^= crc32_before(crc32_of(&written->crc, written->buffer, written->used),
                                          end - written->offset);
    written->used = 0;
    return error->code;
}

static void append(struct written *written, int part, const char *data, size_t bytes,
                   struct apsp_error *error)
{
    for (size_t done = 0, step; done < bytes && !error->code; done += step) {
        step = bytes - done < BUFFER - written->used ? bytes - done : BUFFER - written->used;
        memcpy(written->buffer + written->used, data + done, step);
        written->used += step;
        if (written->used == BUFFER)
            flush(written, part, error);
    }
}

/* Those rows of the part that this rank has, as much as possible at a time. */
static void write_part(struct written *written, int part, struct apsp_error *error)
{
    size_t rows = sink_rows(written->file.task), bytes, begin;
    written->offset = written->file.start[part];
    for (size_t place = 0; place < rows && !error->code; place++) {
        const char *row = pairs_row(written->pairs, place, &bytes);
        bytes = part_of(written, part, bytes, &begin);
        if (row) {
            append(written, part, row + begin, bytes, error);
        } else if (bytes > 0) {
            flush(written, part, error);
            written->offset += bytes;
        }
    }
    flush(written, part, error);
}

/* By rank 0, with the sums of all ranks. */
static void write_heads(struct written *written, struct apsp_error *error)
{
    struct pairs_file *file = &written->file;
    struct comm *comm = file->task->comm;
    uint32_t *sums = calloc((size_t)comm->ranks, sizeof file->check);
    char head[PAIRS_HEAD_MAX];
    if (!sums)
        error_set(error, APSP_MEMORY, "no memory for the sums of %d ranks", comm->ranks);
    if (comm_agree(comm, error) == APSP_OK) {
        comm_gather(comm, file->check, sizeof file->check, sums);
        for (int r = 1; r < comm->ranks && comm->rank == 0; r++)
            for (int part = 0; part < PAIRS_PARTS; part++)
                file->check[part] ^= sums[r * PAIRS_PARTS + part];
        for (int part = 0; part <= written->format->parts && comm->rank == 0; part++)
            output_write(written->output, file->head[part], head,
                         written->format->head(head, file, part), error);
    }
    free(sums);
}

int sink_pairs_merge(struct sink *sink, struct apsp_error *error)
{
    struct written *written = sink->state;
    size_t rows = sink_rows(sink->task), all = 0, bytes;
    pairs_merge(written->pairs, &written->file.count, error);
    for (size_t place = 0; place < rows; place++) {
        pairs_row(written->pairs, place, &bytes);
        all += bytes;
    }
    written->buffer = mem_alloc(BUFFER);
    if (!written->buffer)
        error_set(error, APSP_MEMORY, "no memory to write pairs on %s", sink->task->comm->host);
    lay_out(written, all);
    for (int part = 0; part < written->format->parts && !error->code; part++)
        write_part(written, part, error);
    write_heads(written, error);
    sink->rows = rows;
    sink->amount = (double)written->file.count;
    sink->unit = "pairs/s";
    return error->code ? error->code : output_finish(sink->output, error);
}

void sink_pairs_close(struct sink *sink)
{
    struct written *written = sink->state;
    if (!written)
        return;
    mem_free(written->buffer);
    pairs_free(written->pairs);
    free(written);
}

const struct sink_ops sink_pairs = {
    .name = "pairs",
    .works = true,
    .targets = true,
    .setting = SETTING_DISTANCES,
    .path = path,
    .near = pairs_near,
    .need = need,
    .open = open_pairs,
    .take = sink_pairs_take,
    .merge = sink_pairs_merge,
    .close = sink_pairs_close,
};
