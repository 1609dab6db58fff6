#include "rows/pairs.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOWHERE SIZE_MAX

enum { CHUNK = 1 << 20 }; /* bytes that a lane puts down at a time, and those of one more row */

struct lane {
    struct pair *pairs; /* of one row */
    char *row;          /* its columns, where there are others too */
    char *text;         /* of rows that are not put down yet */
    size_t used, places;
    struct {
        size_t place, bytes;
    } * waiting; /* these rows */
};

struct pairs {
    const struct sink_task *task;
    const struct pairs_format *format;
    struct choice choice;
    size_t rows, *at, *bytes; /* of each row: where it is in the file; NOWHERE: another rank's */
    int fd;
    atomic_size_t end, count; /* of the file; pairs of this rank */
    const char *content;      /* of the file, once it is complete */
    struct lane lane[SINK_LANES];
};

/* How much of a lane's text one row may take. */
static size_t row_most(const struct sink_task *task, const struct choice *choice,
                       const struct pairs_format *format)
{
    return mem_bytes(choose_room(choice), format->most(task));
}

enum { WAITING = 1024 }; /* rows of a chunk */

static size_t place_lane(struct lane *lane, const struct sink_task *task, const struct choice *choice,
                         const struct pairs_format *format, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t text;
    mem_add(&text, CHUNK, row_most(task, choice, format));
    lane->pairs = mem_place(&layout, choose_room(choice), sizeof *lane->pairs);
    lane->row = mem_place(&layout, task->targets ? choice->columns : 0, dtype_info[task->dtype].bytes);
    lane->text = mem_place(&layout, text, 1);
    lane->waiting = mem_place(&layout, WAITING, sizeof *lane->waiting);
    return layout.bytes;
}

/* What the options and the targets choose of every row. */
static struct choice choice_of(const struct sink_task *task)
{
    const struct job_options *options = task->options;
    return (struct choice){.dtype = task->dtype,
                           .columns = sink_columns(task),
                           .column = task->targets ? task->targets->vertex : NULL,
                           .others = !task->targets,
                           .nearest = options->nearest,
                           .most = choose_most(task->dtype, options->bounded ? options->within : INFINITY)};
}

struct sink_need pairs_need(const struct sink_task *task, const struct pairs_format *format, int lanes)
{
    const struct choice choice = choice_of(task);
    struct lane lane;
    struct sink_need need = {.disk = mem_bytes(sink_rows(task), row_most(task, &choice, format))};
    mem_mul(&need.host, place_lane(&lane, task, &choice, format, NULL), (size_t)lanes);
    mem_add(&need.host, need.host, mem_bytes(sink_rows(task), 2 * sizeof(size_t)));
    need.disk_most = true;
    return need;
}

/* A file without a name in the folder of that other. Returns -1, and errno is set, without one. */
static int open_beside(const char *beside)
{
    const char *slash = beside ? strrchr(beside, '/') : NULL, *last = "apsp-XXXXXX";
    char *name = NULL;
    if (!beside)
        return memfd_create("apsp-pairs", MFD_CLOEXEC);
    if (asprintf(&name, "%.*s.%s", slash ? (int)(slash + 1 - beside) : 0, beside, last) < 0)
        return -1;
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

int pairs_open(struct pairs **out, const struct sink_task *task, const struct pairs_format *format,
               const char *beside, struct apsp_error *error)
{
    struct pairs *pairs = *out = calloc(1, sizeof *pairs);
    if (!pairs)
        return error_set(error, APSP_MEMORY, "no memory for pairs on %s", task->comm->host);
    pairs->task = task;
    pairs->format = format;
    pairs->rows = sink_rows(task);
    pairs->choice = choice_of(task);
    pairs->at = mem_alloc(mem_bytes(pairs->rows, sizeof *pairs->at));
    pairs->bytes = mem_alloc(mem_bytes(pairs->rows, sizeof *pairs->bytes));
    pairs->fd = open_beside(beside);
    if (!pairs->at || !pairs->bytes)
        error_set(error, APSP_MEMORY, "no memory for the pairs of %zu rows on %s", pairs->rows,
                  task->comm->host);
    if (pairs->fd < 0)
        error_set(error, APSP_IO, "%s: no file beside it for the pairs as they come, on host %s: %s",
                  beside ? beside : "memory", task->comm->host, strerror(errno));
    for (size_t place = 0; place < pairs->rows && !error->code; place++)
        pairs->at[place] = NOWHERE;
    if (error->code) {
        pairs_free(pairs);
        *out = NULL;
    }
    return error->code;
}

void pairs_free(struct pairs *pairs)
{
    if (!pairs)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        mem_free(pairs->lane[i].pairs);
    if (pairs->content)
        munmap((void *)(uintptr_t)pairs->content, pairs->end);
    if (pairs->fd >= 0)
        close(pairs->fd);
    mem_free(pairs->bytes);
    mem_free(pairs->at);
    free(pairs);
}

static int refuse(const struct pairs *pairs, const char *what, struct apsp_error *error)
{
    return error_set(error, APSP_IO, "the pairs of rows cannot be %s on host %s: %s", what,
                     pairs->task->comm->host, strerror(errno));
}

/* The rows that wait go to the file. */
static int put_down(struct pairs *pairs, struct lane *lane, struct apsp_error *error)
{
    size_t at = atomic_fetch_add(&pairs->end, lane->used);
    for (size_t done = 0; done < lane->used;) {
        ssize_t put = pwrite(pairs->fd, lane->text + done, lane->used - done, (off_t)(at + done));
        if (put <= 0 && errno != EINTR)
            return refuse(pairs, "kept", error);
        done += put > 0 ? (size_t)put : 0;
    }
    for (size_t k = 0; k < lane->places; k++) {
        pairs->at[lane->waiting[k].place] = at;
        pairs->bytes[lane->waiting[k].place] = lane->waiting[k].bytes;
        at += lane->waiting[k].bytes;
    }
    lane->used = lane->places = 0;
    return APSP_OK;
}

static int open_lane(const struct pairs *pairs, struct lane *lane, struct apsp_error *error)
{
    if (lane->pairs)
        return APSP_OK;
    void *memory = mem_alloc(place_lane(lane, pairs->task, &pairs->choice, pairs->format, NULL));
    place_lane(lane, pairs->task, &pairs->choice, pairs->format, memory);
    return memory ? APSP_OK
                  : error_set(error, APSP_MEMORY, "no memory for pairs on %s", pairs->task->comm->host);
}

int pairs_take(struct pairs *pairs, int number, const struct block *block, struct apsp_error *error)
{
    struct lane *lane = &pairs->lane[number];
    if (open_lane(pairs, lane, error))
        return error->code;
    for (size_t k = 0; k < block->count && !error->code; k++) {
        size_t source = block_source(block, k), place = sink_place(pairs->task, source);
        if (place >= pairs->rows) /* nobody asked for it */
            continue;
        const void *row = sink_row(pairs->task, block, k, lane->row);
        size_t count = choose_pairs(&pairs->choice, row, source, lane->pairs);
        char *text = lane->text + lane->used;
        size_t bytes = (size_t)(pairs->format->put(text, pairs->task, source, lane->pairs, count) - text);
        lane->waiting[lane->places].place = place;
        lane->waiting[lane->places++].bytes = bytes;
        lane->used += bytes;
        atomic_fetch_add(&pairs->count, count);
        if (lane->used >= CHUNK || lane->places == WAITING)
            put_down(pairs, lane, error);
    }
    return error->code;
}

int pairs_merge(struct pairs *pairs, size_t *count, struct apsp_error *error)
{
    for (int i = 0; i < SINK_LANES && !error->code; i++)
        if (pairs->lane[i].places > 0)
            put_down(pairs, &pairs->lane[i], error);
    if (pairs->end > 0 && !error->code) {
        void *content = mmap(NULL, pairs->end, PROT_READ, MAP_SHARED, pairs->fd, 0);
        if (content == MAP_FAILED)
            refuse(pairs, "read", error);
        else
            pairs->content = content;
    }
    *count = comm_sum(pairs->task->comm, pairs->count);
    comm_sum_all(pairs->task->comm, pairs->bytes, pairs->rows);
    return error->code;
}

const char *pairs_row(const struct pairs *pairs, size_t place, size_t *bytes)
{
    *bytes = pairs->bytes[place];
    return pairs->at[place] == NOWHERE || !pairs->content ? NULL : pairs->content + pairs->at[place];
}
