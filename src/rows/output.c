/*
 * Rank 0 makes the file; every rank then opens it, which proves that its directory is the same on
 * every node. A thread of rank 0 reserves the space while the ranks read and solve, since that
 * takes a file system in memory as long as filling it. Then each rank writes its own rows.
 */
#include "rows/output.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/text.h"
#include "files/space.h"
#include "files/staged.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows go out as they lie in memory");

enum { PORTION = SIZE_OF(64 << 20, 1 << 12) };

struct output {
    struct comm *comm;
    struct staged staged;
    struct output_plan plan;
    size_t bytes, head; /* of the file, and before its first row */
    size_t *hash;       /* of each row, where they are wanted */
    pthread_t reserver;
    bool reserving; /* there is a thread to join */
    atomic_bool stop, reserved;
    size_t taken; /* bytes that are reserved, */
    int refusal;  /* and errno of reserving more; to be read when it is over */
};

/* The file needs space for the bytes that it does not have yet. A file that it replaces gives its
 * own back only at the end. */
static int check_space(const struct output *output, struct apsp_error *error)
{
    enum { BLOCK = 512 };
    struct statvfs system;
    struct stat own = {0};
    size_t available = SIZE_MAX;
    char needed[TEXT_NUMBER], rest[TEXT_NUMBER];
    if (fstatvfs(output->staged.fd, &system) == 0 &&
        system.f_blocks > 0) /* zero: it does not tell */
        mem_mul(&available, system.f_bavail, system.f_frsize);
    if (fstat(output->staged.fd, &own) == 0)
        mem_add(&available, available, (size_t)own.st_blocks * BLOCK);
    if (available < output->bytes)
        return error_set(error, APSP_IO, "%s: needs %s, its file system has %s free: %s",
                         output->staged.path, text_bytes(needed, output->bytes),
                         text_bytes(rest, available), strerror(ENOSPC));
    return APSP_OK;
}

/*
 * Takes the space, so that a full file system shows before the rows are written. In portions: the
 * file cannot be removed while one is taken, nor the thread be stopped.
 */
static void *reserve(void *self)
{
    struct output *output = self;
    int fd = output->staged.fd, cause = 0;
    while (output->taken < output->bytes && !cause && !output->stop) {
        size_t rest = output->bytes - output->taken, length = rest < PORTION ? rest : PORTION;
        if (fallocate(fd, 0, (off_t)output->taken, (off_t)length) == 0)
            output->taken += length;
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

int output_check(struct output *output, bool wait, struct apsp_error *error)
{
    char needed[TEXT_NUMBER];
    bool waits = false;
    if (wait)
        end_reserving(output);
    while (wait && output->refusal && space_wait(&output->staged.space, output->refusal, &waits))
        reserve(output);
    space_found(&output->staged.space, &waits);
    if (output->reserved && output->refusal)
        return error_set(error, APSP_IO, "%s: needs %s, which cannot be reserved: %s",
                         output->staged.path, text_bytes(needed, output->bytes),
                         strerror(output->refusal));
    return APSP_OK;
}

/* A number that this run alone knows, at the head of the file until the first row covers it. */
static size_t mark_bytes(const struct output *output)
{
    return output->bytes < sizeof(uint64_t) ? output->bytes : sizeof(uint64_t);
}

/* A file that is gone on with has its length, and its first row is not to be written over. */
static int create_file(struct output *output, struct apsp_error *error)
{
    const struct output_plan *plan = &output->plan;
    struct staged *staged = &output->staged;
    if (!plan->folder)
        return staged_create(staged, plan->path, plan->force, error);
    if (!plan->begun)
        return staged_create_for(staged, plan->path, plan->folder, plan->force, error);
    if (staged_resume(staged, plan->path, plan->begun, plan->force, error) == APSP_OK &&
        ftruncate(staged->fd, (off_t)output->bytes) != 0)
        error_set(error, error_status(errno), "%s: cannot be written: %s", staged->path,
                  strerror(errno));
    return error->code;
}

static int make_mark(const struct output *output, struct file *head, uint64_t *mark,
                     struct apsp_error *error)
{
    const size_t bytes = mark_bytes(output);
    if (output->plan.begun)
        return file_read(head, 0, mark, bytes, error);
    return getrandom(mark, sizeof *mark, 0) < 0 || file_append(head, mark, bytes, error) ||
           fsync(head->fd);
}

static int make_file(struct output *output, uint64_t *mark, struct apsp_error *error)
{
    const struct output_plan *plan = &output->plan;
    struct file head = {.path = plan->path};
    struct apsp_error own = {0};
    if (output->bytes > INT64_MAX)
        return error_set(error, APSP_IO, "%s: %zu x %zu distances are more than a file holds",
                         plan->path, plan->rows, plan->n);
    if (staged_check(plan->path, plan->inputs.path, plan->force, error) ||
        create_file(output, error) || check_space(output, error))
        return error->code;
    if (output->comm->ranks == 1)
        return APSP_OK;
    head.fd = output->staged.fd;
    if (make_mark(output, &head, mark, &own))
        return error_set(error, error_status(errno), "%s: cannot be written: %s",
                         output->staged.path, strerror(errno));
    return APSP_OK;
}

/* What rank 0 has begun: what is at the head of it, and whether another run has. */
struct begun {
    uint64_t mark;
    bool before;
    char temporary[PATH_MAX];
};

static int join_file(struct output *output, const struct begun *begun, struct apsp_error *error)
{
    struct apsp_error cause = {0};
    uint64_t found = 0;
    size_t length = mark_bytes(output);
    struct file head;
    const char *host = output->comm->host, *path = target_name(output->plan.path);
    if (staged_join(&output->staged, path, begun->temporary, begun->before, &cause))
        return error_set(error, cause.code,
                         "the directory of the output is not visible on host %s: %s", host,
                         cause.text);
    if (file_take(&head, output->staged.fd, path, "what rank 0 has begun", &cause) == APSP_OK &&
        head.bytes >= length)
        file_read(&head, 0, &found, length, &cause);
    if (cause.code)
        return error_set(error, cause.code, "%s on host %s", cause.text, host);
    if (head.bytes < length || memcmp(&found, &begun->mark, length) != 0)
        return error_set(error, APSP_IO,
                         "%s: the directory is not visible on host %s, which has another one there",
                         path, host);
    return APSP_OK;
}

static int open_everywhere(struct output *output, struct apsp_error *error)
{
    struct comm *comm = output->comm;
    struct begun begun = {.before = output->plan.begun != NULL};
    if (comm->rank == 0 && make_file(output, &begun.mark, error) == APSP_OK &&
        snprintf(begun.temporary, PATH_MAX, "%s", output->staged.temporary) >= PATH_MAX)
        error_set(error, APSP_IO, "%s: %s", output->plan.path, strerror(ENAMETOOLONG));
    if (comm_agree(comm, error))
        return error->code;
    comm_broadcast(comm, &begun, sizeof begun, 0);
    if (comm->rank != 0)
        join_file(output, &begun, error);
    if (comm_agree(comm, error) == APSP_OK && comm->rank == 0)
        start_reserving(output); /* now that no rank needs the file, which reserving locks */
    return error->code;
}

/* The hashes of rows that other ranks make stay 0 here. */
static int open_hashes(struct output *output, struct apsp_error *error)
{
    if (output->plan.folder &&
        !(output->hash = mem_alloc(mem_bytes(output->plan.rows, sizeof(size_t)))))
        error_set(error, APSP_MEMORY, "%s: no memory for the hashes of %zu rows", output->plan.path,
                  output->plan.rows);
    return comm_agree(output->comm, error);
}

static size_t fill_head(char head[MATRIX_HEAD_MAX], const struct output_plan *plan)
{
    return plan->n > 0
               ? matrix_format_of(plan->path)->write_head(head, plan->rows, plan->n, plan->dtype)
               : 0;
}

int output_open(struct output **out, struct comm *comm, const struct output_plan *plan,
                struct apsp_error *error)
{
    struct output *output = calloc(1, sizeof *output);
    char head[MATRIX_HEAD_MAX];
    *out = NULL;
    if (!output)
        error_set(error, APSP_MEMORY, "%s: no memory to open it", plan->path);
    if (comm_agree(comm, error) == APSP_OK) {
        *output = (struct output){
            .comm = comm,
            .staged = {.fd = -1, .folder = -1},
            .plan = *plan,
            .bytes = plan->n > 0 ? matrix_bytes(plan->path, plan->rows, plan->n, plan->dtype)
                                 : plan->least,
            .head = fill_head(head, plan)};
        if (open_hashes(output, error) == APSP_OK && open_everywhere(output, error) == APSP_OK) {
            *out = output;
            return APSP_OK;
        }
    }
    output_free(output);
    return error->code;
}

static int refuse_write(const struct output *output, int cause, struct apsp_error *error)
{
    return error_set(error, error_status(cause), "%s: cannot be written on host %s: %s",
                     output->staged.path, output->comm->host, strerror(cause));
}

int output_write_rows(struct output *output, size_t offset, const struct output_rows *rows,
                      struct apsp_error *error)
{
    int cause = write_rows_at(&output->staged, rows, offset);
    return cause ? refuse_write(output, cause, error) : APSP_OK;
}

int output_put(struct output *output, struct range rows, const void *values, size_t stride,
               struct apsp_error *error)
{
    size_t each = dtype_info[output->plan.dtype].bytes, row = output->plan.n * each;
    const struct output_rows from = {values, range_length(rows), row, stride * each};
    int code = output_write_rows(output, output->head + rows.lo * row, &from, error);
    for (size_t i = rows.lo; output->hash && i < rows.hi; i++)
        output->hash[i] = hash_row((const char *)values + (i - rows.lo) * from.stride, row, i);
    return code;
}

size_t *output_hashes(const struct output *output)
{
    return output->hash;
}

int output_sync(struct output *output, struct apsp_error *error)
{
    return fsync(output->staged.fd) ? refuse_write(output, errno, error) : APSP_OK;
}

int output_verify(const struct output *output, const unsigned char *done, struct range rows,
                  struct apsp_error *error)
{
    const size_t bytes = output->plan.n * dtype_info[output->plan.dtype].bytes;
    const struct file file = {.path = output->staged.path, .fd = output->staged.fd};
    char *row = mem_alloc(bytes);
    if (!row)
        return error_set(error, APSP_MEMORY, "%s: no memory to read its rows", file.path);
    for (size_t i = rows.lo; i < rows.hi && !error->code; i++)
        if (done[i] && file_read(&file, output->head + i * bytes, row, bytes, error) == APSP_OK &&
            hash_row(row, bytes, i) != output->hash[i])
            error_set(error, APSP_IO, "%s: row %zu of those that the checkpoint names is damaged",
                      file.path, i);
    mem_free(row);
    return error->code;
}

int output_write(struct output *output, size_t offset, const void *data, size_t bytes,
                 struct apsp_error *error)
{
    int cause = write_bytes_at(&output->staged, data, bytes, offset);
    return cause ? refuse_write(output, cause, error) : APSP_OK;
}

int output_descriptor(const struct output *output)
{
    return output->staged.fd;
}

int output_finish(struct output *output, struct apsp_error *error)
{
    char head[MATRIX_HEAD_MAX];
    size_t bytes = fill_head(head, &output->plan);
    int cause =
        output->comm->rank == 0 && bytes > 0 ? write_bytes_at(&output->staged, head, bytes, 0) : 0;
    if (!cause && fsync(output->staged.fd))
        cause = errno;
    return cause ? refuse_write(output, cause, error) : APSP_OK;
}

int output_reserve(struct output *output, size_t bytes, struct apsp_error *error)
{
    struct staged *staged = &output->staged;
    struct stat now = {0};
    bool waits = false;
    int cause = fstat(staged->fd, &now) ? errno : EINTR;
    while (cause == EINTR || (cause && space_wait(&staged->space, cause, &waits)))
        cause = fallocate(staged->fd, FALLOC_FL_KEEP_SIZE, now.st_size, (off_t)bytes) ? errno : 0;
    space_found(&staged->space, &waits);
    return cause == ENOSPC || cause == EDQUOT ? refuse_write(output, cause, error) : APSP_OK;
}

void output_trim(const struct output *output)
{
    struct stat now;
    if (fstat(output->staged.fd, &now) == 0 && ftruncate(output->staged.fd, now.st_size) != 0)
        return; /* the file is as it should be, and takes more space */
}

struct staged *output_file(struct output *output)
{
    return &output->staged;
}

void output_free(struct output *output)
{
    if (output) {
        mem_free(output->hash);
        output->stop = true;
        end_reserving(output);
        staged_free(&output->staged);
    }
    free(output);
}
