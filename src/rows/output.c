/*
 * Rank 0 makes the file; every rank then opens it, which proves that its directory is the same on every node.
 * A thread of rank 0 reserves the space while the ranks read and solve, since that takes a file system in
 * memory as long as filling it. Then each rank writes its own rows. Several lanes per rank where the backend
 * copies (one lane's copy from the device overlaps another's write); one where rows go out from the place
 * where they lie, because file systems let one writer into a file at a time.
 */
#include "rows/output.h"

#include "base/mem.h"
#include "base/staged.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows go out as they lie in memory");

enum { CHUNK = 16 << 20, PORTION = 64 << 20, LANES = 4, PIECES = 1024 };
_Static_assert((int)PIECES <= IOV_MAX, "one call of pwritev");
_Static_assert((int)LANES <= (int)BACKEND_LANES, "a lane of the backend each");

struct output {
    struct comm *comm;
    struct staged staged;
    const struct matrix_format *format;
    size_t n, bytes;
    enum dtype dtype;
    pthread_t reserver;
    bool reserving; /* there is a thread to join */
    atomic_bool stop, reserved;
    int refusal; /* errno of the reservation, to be read when it is over */
};

/* What --force replaces is not free before the end. */
static int check_space(const struct output *output, struct apsp_error *error)
{
    struct statvfs system;
    size_t available = SIZE_MAX;
    if (fstatvfs(output->staged.fd, &system) == 0 && system.f_blocks > 0) /* zero: it does not tell */
        mem_mul(&available, system.f_bavail, system.f_frsize);
    if (available < output->bytes)
        return error_set(error, APSP_IO, "%s: needs %zu bytes, its file system has %zu free: %s",
                         output->staged.path, output->bytes, available, strerror(ENOSPC));
    return APSP_OK;
}

/*
 * Takes the space, so that a full file system shows before the rows are written. In portions: the file cannot
 * be removed while one is taken, nor the thread be stopped.
 */
static void *reserve(void *self)
{
    struct output *output = self;
    int fd = output->staged.fd, cause = 0;
    for (size_t done = 0; done < output->bytes && !cause && !output->stop;) {
        size_t rest = output->bytes - done, length = rest < PORTION ? rest : PORTION;
        if (fallocate(fd, 0, (off_t)done, (off_t)length) == 0)
            done += length;
        else if (errno != EINTR)
            cause = errno;
    }
    if (cause == EOPNOTSUPP || cause == ENOSYS)
        cause = ftruncate(fd, (off_t)output->bytes) ? errno : 0;
    output->refusal = cause;
    output->reserved = true;
    return NULL;
}

/* Signals are for the other threads. What SIGXFSZ would tell this one, the call tells too. */
static void start_reserving(struct output *output)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    output->reserving = pthread_create(&output->reserver, NULL, reserve, output) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!output->reserving)
        reserve(output);
}

static void end_reserving(struct output *output)
{
    if (output->reserving)
        pthread_join(output->reserver, NULL);
    output->reserving = false;
}

int output_check(const struct output *output, struct apsp_error *error)
{
    if (output->reserved && output->refusal)
        return error_set(error, APSP_IO, "%s: needs %zu bytes, which cannot be reserved: %s",
                         output->staged.path, output->bytes, strerror(output->refusal));
    return APSP_OK;
}

/* A number that this run alone knows, at the head of the file until the first row covers it. */
static size_t mark_bytes(const struct output *output)
{
    return output->bytes < sizeof(uint64_t) ? output->bytes : sizeof(uint64_t);
}

static int make_file(struct output *output, const char *path, const char *input, bool force, uint64_t *mark,
                     struct apsp_error *error)
{
    size_t length = mark_bytes(output);
    if (output->bytes > INT64_MAX)
        return error_set(error, APSP_IO, "%s: %zu x %zu distances are more than a file holds", path,
                         output->n, output->n);
    if (matrix_check_type(path, output->dtype, error) || staged_check(path, input, force, error) ||
        staged_create(&output->staged, path, force, error) || check_space(output, error))
        return error->code;
    if (output->comm->ranks == 1)
        return APSP_OK;
    if (getrandom(mark, sizeof *mark, 0) < 0 ||
        pwrite(output->staged.fd, mark, length, 0) != (ssize_t)length || fsync(output->staged.fd))
        return error_set(error, APSP_IO, "%s: cannot be written: %s", path, strerror(errno));
    return APSP_OK;
}

static int join_file(struct output *output, const char *path, uint64_t mark, struct apsp_error *error)
{
    struct apsp_error cause = {0};
    uint64_t found = 0;
    size_t length = mark_bytes(output);
    const char *host = output->comm->host;
    if (staged_join(&output->staged, path, &cause))
        return error_set(error, cause.code, "the directory of the output is not visible on host %s: %s", host,
                         cause.text);
    if (pread(output->staged.fd, &found, length, 0) != (ssize_t)length || memcmp(&found, &mark, length) != 0)
        return error_set(error, APSP_IO,
                         "%s: the directory is not visible on host %s, which has another one there", path,
                         host);
    return APSP_OK;
}

static int open_everywhere(struct output *output, const char *path, const char *input, bool force,
                           struct apsp_error *error)
{
    uint64_t mark = 0;
    if (output->comm->rank == 0)
        make_file(output, path, input, force, &mark, error);
    if (comm_agree(output->comm, error))
        return error->code;
    comm_broadcast(output->comm, &mark, sizeof mark, 0);
    if (output->comm->rank != 0)
        join_file(output, path, mark, error);
    if (comm_agree(output->comm, error) == APSP_OK && output->comm->rank == 0)
        start_reserving(output); /* now that nobody needs the file, which reserving locks */
    return error->code;
}

int output_open(struct output **out, struct comm *comm, const char *path, const char *input, size_t n,
                enum dtype dtype, bool force, struct apsp_error *error)
{
    struct output *output = calloc(1, sizeof *output);
    *out = NULL;
    if (!output)
        error_set(error, APSP_MEMORY, "%s: no memory to open it", path);
    if (comm_agree(comm, error) == APSP_OK) {
        *output = (struct output){.comm = comm,
                                  .staged = {.fd = -1},
                                  .format = matrix_format_of(path),
                                  .n = n,
                                  .bytes = matrix_bytes(path, n, dtype),
                                  .dtype = dtype};
        if (open_everywhere(output, path, input, force, error) == APSP_OK) {
            *out = output;
            return APSP_OK;
        }
    }
    output_free(output);
    return error->code;
}

/* Rows from memory, `stride` bytes apart, to the file, where they are dense. Returns 0 or errno. */
static int write_rows(int fd, const char *from, size_t stride, size_t row, size_t rows, size_t offset)
{
    struct iovec pieces[PIECES];
    if (stride == row) {
        row *= rows;
        stride = row;
        rows = 1;
    }
    for (size_t done = 0, all = row * rows; done < all;) {
        size_t first = done / row, skip = done % row;
        int count = 0;
        for (size_t r = first; r < rows && count < PIECES; r++, count++)
            pieces[count] = (struct iovec){(char *)(uintptr_t)(from + r * stride), row};
        pieces[0].iov_base = (char *)pieces[0].iov_base + skip;
        pieces[0].iov_len -= skip;
        ssize_t put = pwritev(fd, pieces, count, (off_t)(offset + done));
        if (put < 0 && errno != EINTR)
            return errno;
        if (put == 0)
            return EIO;
        done += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

/* What the lanes of one rank share. */
struct writing {
    struct output *output;
    const struct output_rows *source;
    size_t head, row; /* bytes */
    atomic_size_t next;
    atomic_bool failed;
};

static int refuse_write(const struct output *output, int cause, struct apsp_error *error)
{
    return error_set(error, APSP_IO, "%s: cannot be written on host %s: %s", output->staged.path,
                     output->comm->host, strerror(cause));
}

static int write_lane(struct writing *writing, int lane, void *buffer, struct apsp_error *error)
{
    const struct output_rows *source = writing->source;
    size_t end = source->rows.hi, row = writing->row, each = row / writing->output->n, stride;
    while (!writing->failed) {
        size_t lo = atomic_fetch_add(&writing->next, source->step);
        if (lo >= end)
            break;
        struct range rows = {lo, end - lo < source->step ? end : lo + source->step};
        const char *from = source->fetch(source->self, lane, rows, buffer, &stride);
        if (!from) {
            writing->failed = true;
            break;
        }
        int cause = write_rows(writing->output->staged.fd, from, stride * each, row, range_length(rows),
                               writing->head + lo * row);
        if (cause)
            return refuse_write(writing->output, cause, error);
    }
    return APSP_OK;
}

static void run_lane(struct writing *writing, int lane, struct apsp_error *error)
{
    const struct output_rows *source = writing->source;
    size_t bytes = source->step * writing->row;
    void *buffer = source->alloc ? source->alloc(bytes) : NULL;
    struct apsp_error own = {0};
    if (source->alloc && !buffer)
        error_set(&own, APSP_MEMORY, "%s: no memory for a buffer of %zu bytes on host %s",
                  writing->output->staged.path, bytes, writing->output->comm->host);
    else
        write_lane(writing, lane, buffer, &own);
    if (buffer)
        source->free(buffer);
    if (own.code) {
        writing->failed = true;
#pragma omp critical(output_error)
        error_set(error, own.code, "%s", own.text);
    }
}

/* What comes before the first row; returns its bytes. */
static size_t write_head(struct output *output, struct apsp_error *error)
{
    char head[MATRIX_HEAD_MAX];
    size_t bytes = output->format->write_head(head, output->n, output->dtype);
    int cause =
        output->comm->rank == 0 && bytes > 0 ? write_rows(output->staged.fd, head, bytes, bytes, 1, 0) : 0;
    if (cause)
        refuse_write(output, cause, error);
    return bytes;
}

int output_write(struct output *output, const struct output_rows *rows, struct apsp_error *error)
{
    end_reserving(output);
    output_check(output, error);
    if (comm_agree(output->comm, error))
        return error->code;
    struct writing writing = {.output = output,
                              .source = rows,
                              .head = write_head(output, error),
                              .row = output->n * dtype_info[output->dtype].bytes,
                              .next = rows->rows.lo,
                              .failed = error->code != APSP_OK};
#pragma omp parallel num_threads(rows->lanes)
    run_lane(&writing, omp_get_thread_num(), error);
    if (!error->code && fsync(output->staged.fd))
        refuse_write(output, errno, error);
    return error->code;
}

static const void *fetch_backend(void *self, int lane, struct range rows, void *buffer, size_t *stride)
{
    struct backend *backend = self;
    return backend->ops->fetch(backend, lane, rows, buffer, stride);
}

static size_t chunk_rows(size_t n, enum dtype dtype)
{
    size_t rows = CHUNK / dtype_info[dtype].bytes / n;
    return rows ? rows : 1;
}

struct output_rows output_backend_rows(struct backend *backend)
{
    enum dtype dtype = dtype_info[backend->plan.dtype].output;
    bool copies = backend->ops->fetch_copies(&backend->plan);
    return (struct output_rows){.rows = backend->plan.rows,
                                .lanes = copies ? LANES : 1,
                                .step = chunk_rows(backend->plan.n, dtype),
                                .self = backend,
                                .fetch = fetch_backend,
                                .alloc = copies ? backend->ops->host_alloc : NULL,
                                .free = backend->ops->host_free};
}

size_t output_need(const struct backend_ops *ops, const struct backend_plan *plan)
{
    enum dtype dtype = dtype_info[plan->dtype].output;
    size_t bytes;
    mem_mul(&bytes, chunk_rows(plan->n, dtype) * LANES * dtype_info[dtype].bytes, plan->n);
    return ops->fetch_copies(plan) ? bytes : 0;
}

int output_commit(struct output *output, struct apsp_error *error)
{
    if (comm_agree(output->comm, error))
        return error->code;
    if (output->comm->rank == 0)
        staged_publish(&output->staged, error);
    return comm_agree(output->comm, error);
}

void output_free(struct output *output)
{
    if (output) {
        output->stop = true;
        end_reserving(output);
        staged_free(&output->staged);
    }
    free(output);
}

int output_text(const struct staged *staged, const char *text, struct apsp_error *error)
{
    size_t length = strlen(text);
    int cause = write_rows(staged->fd, text, length, length, 1, 0);
    if (!cause && fsync(staged->fd))
        cause = errno;
    return cause ? error_set(error, APSP_IO, "%s: cannot be written: %s", staged->path, strerror(cause))
                 : APSP_OK;
}
